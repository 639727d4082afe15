"""Lines of LDIF as editors, systems and programs leave them, and photos beside damaged ones."""
import base64

from support import cards, contacts
from support.report import report

HEAD = ["dn: cn=Ada Moe,dc=example,dc=org", "objectClass: person", "objectClass: inetOrgPerson", "cn: Ada Moe", "sn: Moe"]
SECOND = ["dn: cn=Bo Lie,dc=example,dc=org", "objectClass: person", "cn: Bo Lie", "sn: Lie", "mail: bo@example.org"]
PHOTO = contacts.digest(cards.photo())


def folded(line, blank=" "):
    return [part if number == 0 else blank + part for number, part in enumerate(cards.pieces(line))]


def book(trial, lines, end="\n", name="book.ldif", last=""):
    return contacts.write(trial, name, end.join([*lines, ""]) + last)


def expect_both(trial, path, **fields):
    contacts.expect_contacts(trial, path, [{"name": "Ada Moe", **fields}, {"name": "Bo Lie", "emails": ["bo@example.org"]}])


@report("https://github.com/mautic/mautic/pull/5408", "https://github.com/thunderbird/import-export-tools-ng/issues/540",
        "https://github.com/sqlitebrowser/sqlitebrowser/issues/212",
        "Lines end with a carriage return alone, in all of the file or in one of two files that were joined.",
        right="The contacts: a file without a line feed is no file without contacts.", before="wrong")
def returns_alone(trial):
    ada = [*HEAD, "mail: ada@example.org", *folded(f"jpegPhoto:: {cards.encoded()}"), ""]
    for number, ends in enumerate((("\r", "\r"), ("\r\n", "\r"), ("\r", "\n"))):
        text = "".join(end.join([*lines, ""]) for end, lines in zip(ends, (["version: 1", "", *ada], SECOND)))
        expect_both(trial, contacts.write(trial, f"{number}.ldif", text), photo=PHOTO, emails=["ada@example.org"])


@report("https://github.com/spring-projects/spring-ldap/issues/413",
        "A program breaks base64 into lines, and writes no blank before the further ones.",
        right="The photo, and what stands behind it: no attribute's name is without a colon.", before="wrong")
def base64_without_the_blanks_of_folds(trial):
    lines = [*HEAD, *folded(f"jpegPhoto:: {cards.encoded()}", blank=""), "mail: ada@example.org", "", *SECOND]
    expect_both(trial, book(trial, lines), photo=PHOTO, emails=["ada@example.org"])
    expect_both(trial, book(trial, lines, end="\r\n", name="windows.ldif"), photo=PHOTO)


@report("https://github.com/python-ldap/python-ldap/issues/352",
        "The value of an attribute stands on the line behind its name, which is not folded.",
        right="The value.", before="wrong")
def value_on_the_next_line(trial):
    lines = [*HEAD, "mail:", "ada@example.org", "telephoneNumber: ", "+47 22 55 01 99", "", *SECOND]
    expect_both(trial, book(trial, lines), emails=["ada@example.org"], phones=["+47 22 55 01 99"])


@report("https://github.com/ruby-ldap/ruby-net-ldap/issues/15",
        "Further lines of a value begin with a tab in place of the blank.",
        right="The value.", before="wrong")
def folds_by_tabs(trial):
    lines = [*HEAD, *folded(f"jpegPhoto:: {cards.encoded()}", blank="\t"), "mail: ada@exam", "\tple.org", "", *SECOND]
    expect_both(trial, book(trial, lines), photo=PHOTO, emails=["ada@example.org"])


@report("https://github.com/h2oai/datatable/issues/590",
        "The file ends with what DOS and file systems put there: a Ctrl-Z, or zeros.",
        right="The contacts, and no error.", before="wrong")
def ends_of_files(trial):
    lines = [*HEAD, "mail: ada@example.org", "", *SECOND]
    for number, last in enumerate(("\x1a", "\r\n\x1a\r\n", "\0" * 600)):
        expect_both(trial, book(trial, lines, end="\r\n", name=f"{number}.ldif", last=last), emails=["ada@example.org"])


@report("https://github.com/ibv/LDAP-Admin/issues/9", "https://github.com/owncloud/core/pull/7124",
        "The first of two photos is none, or was cut off by a program, and the other one is whole.",
        right="The photo that is one.", before="wrong")
def second_photo_is_whole(trial):
    whole = base64.b64decode(cards.encoded())
    for number, (first, second) in enumerate((("jpegPhoto:: AAAA", "jpegPhoto"), ("jpegPhoto:: IA==", "thumbnailPhoto"),
                                              (f"jpegPhoto:: {base64.b64encode(whole[:60]).decode()}", "thumbnailPhoto"))):
        lines = [*HEAD, first, *folded(f"{second}:: {cards.encoded()}"), "", *SECOND]
        expect_both(trial, book(trial, lines, name=f"{number}.ldif"), photo=PHOTO, avatar="photo")


@report("https://github.com/curl/curl/pull/22339",
        "A value begins with a colon or an angle bracket, and was not encoded as it should be.",
        right="The value.", before="right")
def values_that_begin_with_signs(trial):
    lines = [*HEAD, "displayName: Ada Moe", "description: :-) since 1998", "title: <Head>", "", *SECOND]
    expect_both(trial, book(trial, lines), note=":-) since 1998", title="<Head>")


@report("https://github.com/cannatag/ldap3/issues/301",
        "An entry of ldifde has its names in UTF-16, or in the character set of a country.",
        right="The names.", before="right")
def exports_of_windows(trial):
    lines = ["dn: CN=J\u00fcrgen \u00c5s,CN=Users,DC=example,DC=org", "changetype: add", "objectClass: user", "objectClass: person",
             "cn: J\u00fcrgen \u00c5s", "sn: \u00c5s", "mail: j@example.org", "objectGUID:: AAECAwQFBgcICQoLDA0ODw==", ""]
    for name in ("utf-16", "cp1252"):
        path = contacts.write(trial, f"{name}.ldif", "\r\n".join(lines).encode(name))
        contacts.expect_contacts(trial, path, [{"name": "J\u00fcrgen \u00c5s", "emails": ["j@example.org"]}])
