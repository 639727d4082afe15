"""LDIF: where records begin and end, and what their values hold."""
import base64

from support import contacts, pictures
from support.report import report

RED = pictures.png([[(200, 30, 30)] * 8] * 8)


def entry(name, *lines, mail=True):
    given, family = name.split()
    own = [f"dn: cn={name},dc=example", "objectClass: inetOrgPerson", f"cn: {name}", f"givenName: {given}", f"sn: {family}"]
    return own + ([f"mail: {given.lower()}@example.org"] if mail else []) + list(lines)


def expect(trial, text, *wanted, name="book.ldif", failures=0):
    book = contacts.write(trial, name, text)
    contacts.expect_contacts(trial, book, list(wanted), failures)


EVA, BO = {"name": "Eva Moe", "emails": ["eva@example.org"]}, {"name": "Bo Lie", "emails": ["bo@example.org"]}


@report("https://github.com/cannatag/ldap3/issues/267", "https://github.com/skradel/Zetetic.Ldap/issues/4",
        "No empty line stands between the records, or one with blanks in it.", right="Each person by itself.", before="wrong")
def records_without_empty_lines(trial):
    for number, between in enumerate(["", " \n", "\t\n", "\n \n\n", "# search result\n"]):
        expect(trial, "\n".join(entry("Eva Moe")) + "\n" + between + "\n".join(entry("Bo Lie")) + "\n", EVA, BO, name=f"{number}.ldif")


@report("https://github.com/skradel/Zetetic.Ldap/issues/1", "https://github.com/nextcloud/contacts/issues/1134",
        "Files were joined: the version stands between the records, and the last line of the first file has no end.",
        right="The people of both files.", before="wrong")
def joined_files(trial):
    eva, bo = "\n".join(entry("Eva Moe")), "\n".join(entry("Bo Lie")) + "\n"
    expect(trial, f"version: 1\n{eva}\n\nversion: 1\n\n{bo}", EVA, BO, name="a.ldif")
    expect(trial, f"{eva}{bo}", EVA, BO, name="b.ldif")
    expect(trial, f"{eva}\nversion: 1\n{bo}", EVA, BO, name="c.ldif")


@report("https://github.com/ruby-ldap/ruby-net-ldap/issues/15", "https://github.com/marle3003/mokapi/pull/938",
        "Long values and comments are folded, with one blank at the beginning of each further line.",
        right="The value without that blank, but with further ones; a folded comment is a comment.", before="right")
def folds(trial):
    expect(trial, "# a long remark\n #  that goes on\n" + "\n".join(entry("Eva Moe", "description: one", "  two", " three")) + "\n",
           {**EVA, "note": "one twothree"})


@report("https://github.com/activeldap/ruby-ldap/issues/38", "Lines end with CR LF.", right="The same contacts.", before="right")
def carriage_returns(trial):
    expect(trial, "\r\n".join(["version: 1", "", *entry("Eva Moe", "description: one", "  two"), "", *entry("Bo Lie"), ""]),
           {**EVA, "note": "one two"}, BO)


@report("https://github.com/skradel/Zetetic.Ldap/issues/5", "https://github.com/zokradonh/kopano-docker/pull/358",
        "Names and values outside of ASCII are base64, and comments stand between the lines of a record.",
        right="The letters.", before="right")
def base64_values(trial):
    def text(value):
        return base64.b64encode(value.encode()).decode()
    expect(trial, f"dn:: {text('cn=小笠原,dc=example')}\n# dn:: cn=...\nobjectClass: person\ncn:: {text('小笠原 花子')}\n# cn\nsn:: {text('小笠原')}\ngivenName:: {text('花子')}\n",
           {"name": "小笠原 花子", "family": "小笠原", "given": "花子"})


@report("https://github.com/Coffey-Labs/ihasmail/issues/174", "https://github.com/nextcloud/contacts/issues/1387",
        "SOGo and Thunderbird export address books in LDIF with Mozilla's attributes.",
        right="Both addresses, the phones and the second e-mail address.", before="right")
def mozilla_attributes(trial):
    expect(trial, "\n".join(entry(
        "Eva Moe", "objectClass: mozillaAbPersonAlpha", "mozillaSecondEmail: e@example.org", "mobile: 1", "mozillaNickname: Ev",
        "street: Markt 2", "l: Oslo", "postalCode: 0150", "c: NO", "mozillaHomeStreet: Weg 1", "mozillaHomeLocalityName: Kiel",
        "mozillaHomePostalCode: 24103", "mozillaHomeCountryName: DE", "birthyear: 1990", "birthmonth: 5", "birthday: 7")) + "\n", {
            "emails": ["eva@example.org", "e@example.org"], "phones": ["1"], "nicknames": ["Ev"], "birthday": "1990-05-07",
            "addresses": ["Markt 2\n0150 Oslo\nNO", "Weg 1\n24103 Kiel\nDE"]})


@report("https://github.com/lldap/lldap/issues/435", "https://github.com/Ylianst/MeshCentral/issues/4283",
        "The photo is base64 text in the directory, and is encoded once more in LDIF, or is written with one colon.",
        right="The photo.", before="wrong")
def photo_is_base64_text(trial):
    text = base64.b64encode(RED).decode()
    twice = base64.b64encode(text.encode()).decode()
    shown = {"avatar": "photo", "photo": contacts.digest(RED)}
    for number, line in enumerate([f"jpegPhoto:: {text}", f"jpegPhoto:: {twice}", f"jpegPhoto: {text}", f"thumbnailPhoto: data:image/png;base64,{text}"]):
        expect(trial, "\n".join(entry("Eva Moe", line)) + "\n\n" + "\n".join(entry("Bo Lie")) + "\n",
               {**EVA, **shown}, {**BO, "photo": None}, name=f"{number}.ldif")


@report("https://github.com/ldapts/ldapts/pull/308", "https://github.com/cannatag/ldap3/pull/1175",
        "A postal address has a dollar sign, written \\24, between lines that dollar signs separate.",
        right="The dollar sign.", before="wrong")
def escapes_of_postal_addresses(trial):
    expect(trial, "\n".join(entry("Eva Moe", "postalAddress: The \\241M Building$Oslo", "homePostalAddress: C:\\5cRoad $ Kiel")) + "\n",
           {"addresses": ["The $1M Building\nOslo", "C:\\Road\nKiel"]})


@report("https://github.com/weisserd/LDAP-Sync/issues/18", "A record adds an entry, another one changes one.",
        right="The added person; the change is reported, and is no person.", before="right")
def changes(trial):
    expect(trial, "\n".join(entry("Eva Moe")[:1] + ["changetype: add"] + entry("Eva Moe")[1:]) + "\n\n"
           "dn: cn=Bo Lie,dc=example\nchangetype: modify\nreplace: mail\nmail: bo@example.org\n-\n", EVA, failures=1)


@report("https://github.com/Coffey-Labs/ihasmail/issues/174", "https://github.com/Coffey-Labs/ihasmail/pull/180",
        "Programs write Mozilla's attributes by either of their names, and those of Active Directory beside them.",
        right="All fields: both lines of the street, the fax, the departments, both pages and the account.", before="wrong")
def names_of_mozilla_attributes(trial):
    text = ("dn: cn=Eva Moe\nobjectClass: inetOrgPerson\nobjectClass: mozillaAbPersonAlpha\ncn: Eva Moe\nsn: Moe\nxmozillasecondemail: e@example.org\n"
            "telephoneNumber: 1\nfax: 2\nstreet: Weg 1\nmozillaWorkStreet2: Hof\nl: Kiel\npostalCode: 24103\no: Werft\ndepartment: Bau\n"
            "workurl: http://w.example\nmozillaHomeUrl: http://h.example\nnsAIMid: evamoe\n")
    contacts.expect_contacts(trial, contacts.write(trial, "book.ldif", text), [{
        "emails": ["e@example.org"], "phones types": [["work"], ["fax"]], "addresses": ["Weg 1\nHof\n24103 Kiel"], "organisation": ["Werft", "Bau"],
        "websites": ["http://h.example", "http://w.example"], "social": ["evamoe"]}])


@report("https://github.com/nextcloud/mail/issues/10736", "https://github.com/rroemhild/lavatar/pull/3", "https://github.com/foundata/roundcube-plugin-identity-from-directory/issues/11",
        "People have aliases in proxyAddresses, mailAlias or mailAlternateAddress.", right="Each e-mail address once; other kinds of addresses are none.", before="wrong")
def aliases_of_people(trial):
    aliases = ["proxyAddresses: SMTP:eva@example.org", "proxyAddresses: smtp:e.moe@example.org", "proxyAddresses: sip:eva@example.org", "proxyAddresses: X500:/o=x",
               "mailAlias: em@example.org", "mailAlternateAddress: eva.moe@example.org"]
    expect(trial, "\n".join(entry("Eva Moe", *aliases)) + "\n",
           {"name": "Eva Moe", "emails": ["eva@example.org", "eva.moe@example.org", "em@example.org", "e.moe@example.org"]})


@report("https://github.com/Coffey-Labs/ihasmail/issues/174", "SOGo has both addresses of a person, and writes the home's with Mozilla's attributes.",
        right="Both addresses with their types, and all numbers.", before="right")
def people_of_sogo(trial):
    lines = ["telephoneNumber: 1", "mobile: 2", "street: Werft 1", "l: Kiel", "postalcode: 24103", "mozillahomestreet: Weg 1",
             "mozillahomelocalityname: Oslo", "mozillahomepostalcode: 0150", "description: hei"]
    expect(trial, "\n".join(entry("Eva Moe", *lines)) + "\n", {
        "addresses": ["Werft 1\n24103 Kiel", "Weg 1\n0150 Oslo"], "addresses types": [["work"], ["home"]], "phones": ["2", "1"], "note": "hei"})


@report("https://github.com/krtek/Birthday-widget/issues/9", "https://github.com/rsjtdrjgfuzkfg/thunderbird-birthdaycalendar/issues/28",
        "A year of birth is 0, or there is none.", right="Month and day alone.", before="wrong")
def year_of_birth_of_zero(trial):
    text = "".join("\n".join(entry(name, *lines)) + "\n\n" for name, lines in [
        ("Eva Moe", ["birthyear: 0", "birthmonth: 5", "birthday: 7"]), ("Bo Lie", ["birthmonth: 05", "birthday: 07"]), ("Cy Aas", ["birthyear: 0"])])
    expect(trial, text, {"birthday": "--05-07"}, {"birthday": "--05-07"}, {"birthday": None})


@report("https://github.com/nextcloud/server/pull/41793", "https://github.com/GluuFederation/community-edition-setup/issues/501",
        "Directories have dates of birth in attributes of several names, as times or as days.", right="The day.", before="wrong")
def dates_of_birth(trial):
    values = ["dateOfBirth: 19560412000000Z", "schacDateOfBirth: 19560412", "birthdate: 1956-04-12", "birthDate: 195604120000Z", "birthday: 1956-04-12"]
    for number, line in enumerate(values):
        expect(trial, "\n".join(entry("Eva Moe", line)) + "\n", {"birthday": "1956-04-12"}, name=f"{number}.ldif")


@report("https://github.com/ltb-project/ldap-scripts/issues/7", "Values in base64 are in the character set of a country, beside others in UTF-8.",
        right="The letters of each.", before="wrong")
def base64_in_latin_1(trial):
    def line(name, text, charset):
        return f"{name}:: {base64.b64encode(text.encode(charset)).decode()}"
    expect(trial, "\n".join(["dn: cn=x,dc=example", "objectClass: inetOrgPerson", line("cn", "Jörg Müller", "latin-1"), line("sn", "Müller", "utf-8"), line("description", "Größe 10 €", "cp1252")]) + "\n",
           {"name": "Jörg Müller", "family": "Müller", "note": "Größe 10 €"})


@report("https://github.com/centreon-archive/centreon-archived/issues/4867", "https://github.com/Alinto/sogo/pull/374", "https://github.com/weisserd/LDAP-Sync/issues/15",
        "Entries have no name but that of their distinguished name, with an escaped comma, or a common name that is that of the account.",
        right="The name as people write it.", before="wrong")
def names_of_entries(trial):
    people = ["dn: CN=Moe\\, Eva (Werft),OU=a,DC=example\nobjectClass: person\nmail: eva@example.org\n", "dn: CN=L\\C3\\BCbeck,DC=example\nobjectClass: person\nmail: bo@example.org\n",
              "dn: uid=cy,dc=example\nobjectClass: inetOrgPerson\nuid: cy\ncn: caas\ngivenName: Cy\nsn: Aas\nmail: cy@example.org\n",
              "dn: uid=di,dc=example\nobjectClass: inetOrgPerson\nuid: di\nmail: di@example.org\n",
              "dn: cn=Evi,mail=evi@example.org\nobjectclass: mozillaAbPersonAlpha\ncn: Evi\ngivenName: Eva\nsn: Lie\nmail: evi@example.org\n"]
    expect(trial, "\n".join(people), {"name": "Moe, Eva (Werft)", "initials": "EM"}, {"name": "Lübeck"}, {"name": "Cy Aas"}, {"name": "di@example.org"}, {"name": "Evi"})


@report("https://github.com/leenooks/phpLDAPadmin/pull/367", "https://github.com/OpenIdentityPlatform/OpenDJ/issues/91", "Entries have certificates, keys and passwords, some of them with an option, and links to files elsewhere.",
        right="The person, with nothing of these.", before="right")
def values_that_are_none_of_a_person(trial):
    noise = ["userCertificate;binary:: MIIDxzCCAq8=", "userSMIMECertificate:: AAAA", "userPassword:: e1NTSEF9", "objectGUID:: AAAAAAAAAAAAAAAAAAAAAA==", "description:< file:///etc/hostname"]
    expect(trial, "\n".join(entry("Eva Moe", *noise)) + "\n", {**EVA, "note": None, "photo": None})


@report("https://github.com/larskanis/pg-ldap-sync/issues/1", "https://github.com/google/nsscache/issues/68", "A group of a directory is a member of another group.",
        right="Its members are in both; groups that are in each other end.", before="wrong")
def groups_inside_of_groups(trial):
    def group(name, *members):
        return "\n".join([f"dn: cn={name},dc=example", "objectClass: groupOfNames", f"cn: {name}", *[f"member: {member}" for member in members], "", ""])
    text = "\n".join([*entry("Eva Moe"), "", *entry("Bo Lie"), "", ""]) + group("Outer", "cn=Inner,dc=example", "cn=Bo Lie,dc=example")
    text += group("Inner", "cn=Eva Moe,dc=example", "mailto:bo@example.org", "cn=Outer,dc=example")
    wanted = [{"name": "Eva Moe", "groups": ["Inner", "Outer"]}, {"name": "Bo Lie", "groups": ["Outer", "Inner"]}]
    seen = {contact["displayName"]: [group["name"] for group in contact.get("groups", [])] for contact in contacts.load(trial, contacts.write(trial, "book.ldif", text))["contacts"]}
    for person in wanted:
        trial.expect(person["name"], seen.get(person["name"]), person["groups"])


@report("https://github.com/humhub/humhub/issues/931", "https://github.com/jformacek/S.DS.P/issues/35", "Active Directory names the groups of a person in memberOf.", right="The person in these groups, once in each.", before="wrong")
def groups_of_a_person(trial):
    groups = ["memberOf: CN=Choir,OU=Groups,DC=example", "memberOf: CN=Sales\\, West,DC=example"]
    expect(trial, "\n".join(entry("Eva Moe", *groups)) + "\n", EVA | {"groups": ["Choir", "Sales, West"]})
    group = ["", "dn: CN=Choir,OU=Groups,DC=example", "objectClass: group", "cn: Choir", "member: cn=Eva Moe,dc=example"]
    expect(trial, "\n".join(entry("Eva Moe", *groups) + group) + "\n", EVA | {"groups": ["Choir", "Sales, West"]})


@report("https://github.com/Karaage-Cluster/karaage/issues/214", "https://github.com/SSSD/sssd/pull/234",
        "An export of a directory has people with one name, whose family name is the same or a sign, and rules among the groups.",
        right="The one name, and the groups alone, as of the directory itself.", before="wrong")
def exports_of_directories(trial):
    lines = ["dn: uid=eva,dc=example", "objectClass: inetOrgPerson", "cn: Eva", "givenName: Eva", "sn: Eva", "mail: eva@example.org",
             "memberOf: cn=Sales,cn=groups,cn=accounts,dc=example", "memberOf: ipaUniqueID=3f0c1d7e,cn=hbac,dc=example"]
    bo = ["dn: uid=bo,dc=example", "objectClass: inetOrgPerson", "cn: Bo", "givenName: Bo", "sn: -", "mail: bo@example.org"]
    expect(trial, "\n".join(lines) + "\n\n" + "\n".join(bo) + "\n",
           {"name": "Eva", "given": "Eva", "family": "", "initials": "E", "groups": ["Sales"]}, {"name": "Bo", "given": "Bo", "family": "", "initials": "B"})
