"""Where cards begin and end in their files."""
import json

from support import contacts
from support.report import report

ADA = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", "TEL:+47 1")
BO = contacts.vcard("N:Lie;Bo;;;", "FN:Bo Lie", "TEL:+47 2")
BOTH = [{"name": "Ada Moe", "phones": ["+47 1"]}, {"name": "Bo Lie", "phones": ["+47 2"]}]


def expect(trial, content, wanted=BOTH, failures=0, name="book.vcf"):
    return contacts.expect_contacts(trial, contacts.write(trial, name, content), wanted, failures)


@report("https://github.com/nextcloud/contacts/issues/1827", "https://github.com/nextcloud/server/issues/18092",
        "END:VCARDBEGIN:VCARD on one line.", right="Two contacts.", before="wrong")
def two_cards_joined_on_one_line(trial):
    expect(trial, ADA.rstrip("\r\n") + BO)
    expect(trial, ADA.rstrip("\r\n") + "\ufeff" + BO, name="mark.vcf")
    expect(trial, ADA.rstrip("\r\n") + "  " + BO, name="blanks.vcf")


@report("https://github.com/nextcloud/contacts/issues/1827", "One of two contacts that are joined on one line is removed, and restored.",
        right="Only that one goes, and the file comes back byte for byte.", before="wrong")
def one_of_two_joined_cards_is_removed(trial):
    for name in ("Ada Moe", "Bo Lie"):
        book = contacts.write(trial, "book.vcf", ADA.rstrip("\r\n") + BO)
        before = book.read_bytes()
        ids = {contact["displayName"]: contact["id"] for contact in contacts.load(trial, book)["contacts"]}
        trial.require("there are two", len(ids) == 2)
        trial.run("contacts", "rm", book, ids.get(name, name), "--yes")
        contacts.expect_contacts(trial, book, [fields for fields in BOTH if fields["name"] != name])
        trial.run("contacts", "restore", book, ids.get(name, name))
        trial.require("the file is what it was", book.read_bytes() == before)


@report("https://correctvcf.com/help/vcf-common-import-errors", "No-break spaces, blanks and zero-width characters around BEGIN and END.",
        right="Both contacts: nobody sees such characters.", before="wrong")
def hidden_characters_around_begin_and_end(trial):
    hidden = ["\u00a0", "\u200b", "\ufeff", "  ", "\t", "\x1a", "\u2060", "\u200e", "\u00ad", "\u3000", "\u00ef\u00bb\u00bf"]
    for index, text in enumerate(hidden):
        changed = ADA.replace("BEGIN:VCARD", text + "BEGIN:VCARD" + text).replace("END:VCARD", text + "END:VCARD" + text)
        expect(trial, changed + BO, name=f"first-{index}.vcf")
        expect(trial, BO.replace("Bo Lie", "Cy Roe") + changed, [{"name": "Cy Roe"}, BOTH[0]], name=f"last-{index}.vcf")


@report("https://github.com/Connections-Business-Directory/Connections/issues/254", "Empty lines and a byte-order mark before the first card.",
        right="Both contacts.", before="right")
def empty_lines_before_the_first_card(trial):
    expect(trial, "\r\n\r\n\ufeff" + ADA + "\r\n\r\n" + BO)


@report("https://github.com/owncloud-archive/contacts/issues/851", "A file ends in the end-of-file character of DOS, and another one follows.",
        right="Both contacts.", before="wrong")
def end_of_file_character_between_cards(trial):
    expect(trial, ADA + "\x1a" + BO + "\x1a")


@report("https://github.com/cozy/cozy-contacts-v2/issues/260",
        "Files of one contact each, with byte-order marks and line ends of different kinds, were merged into one.",
        right="All contacts.", before="wrong")
def files_with_different_line_ends_merged(trial):
    cy = contacts.vcard("FN:Cy Roe", "TEL:+47 3", end="\r")
    for order, wanted in [((ADA, cy, BO), [0, 2, 1]), ((cy, ADA, BO), [2, 0, 1]), ((ADA, BO, cy), [0, 1, 2])]:
        people = BOTH + [{"name": "Cy Roe", "phones": ["+47 3"]}]
        text = "\ufeff".join(part.replace("\r\n", "\n") if part is ADA else part for part in order)
        expect(trial, text, [people[index] for index in wanted], name="merged.vcf")


@report("https://github.com/monicahq/monica/issues/4729", "END of one card and BEGIN of the next one are lost.",
        right="Not one contact with the data of two people: an error with its line.", before="wrong")
def end_and_begin_lost(trial):
    joined = ADA.replace("END:VCARD\r\n", "") + BO.replace("BEGIN:VCARD\r\n", "")
    book = contacts.write(trial, "a.vcf", BO.replace("Bo Lie", "Cy Roe").replace("Lie;Bo", "Roe;Cy") + joined)
    result = contacts.expect_contacts(trial, book, [{"name": "Cy Roe"}], failures=1)
    trial.require("exit status 1", result["status"] == 1)


@report("https://github.com/nextcloud/contacts/issues/5141", "BEGIN of a card is damaged.",
        right="The others are read, and the lines outside of a card are reported, with exit status 1.", before="wrong")
def damaged_begin_is_reported(trial):
    book = contacts.write(trial, "a.vcf", ADA + BO.replace("BEGIN:VCARD", "EGIN:VCARD") + BO)
    result = contacts.expect_contacts(trial, book, BOTH, failures=1)
    trial.require("exit status 1", result["status"] == 1)
    trial.expect("its line", [failure.get("line") for failure in result["failures"]], [7])


@report("https://github.com/jhermsmeier/node-vcf/issues/52", "A card was copied from an indented text.", right="The contact, with all fields.", before="wrong")
def whole_card_is_indented(trial):
    indented = "".join("    " + line + "\n" for line in ADA.splitlines() + BO.splitlines())
    expect(trial, indented)


@report("https://github.com/nextcloud/contacts/issues/206", "FN occurs twice, with equal and with other values.",
        right="One contact: vCard 4.0 allows several, and other programs write them.", before="right")
def formatted_name_twice_is_one_contact(trial):
    card = contacts.vcard("FN:Ada Moe", "FN:Ada M. Moe", "N:Moe;Ada;;;", "TEL:1", version="4.0")
    expect(trial, card, [{"name": "Ada Moe"}], name="four.vcf")
    card = contacts.vcard("FN:Ada Moe", "N:Moe;Ada;;;", "TEL:1", "FN:Ada Moe")
    expect(trial, card, [{"name": "Ada Moe"}], name="equal.vcf")
    card = contacts.vcard("FN;ALTID=1;LANGUAGE=en:Ada Moe", "TEL:1", "FN;ALTID=1;LANGUAGE=ja:アダ", "TEL:2", version="4.0")
    expect(trial, card, [{"name": "Ada Moe", "phones": ["1", "2"]}], name="languages.vcf")


@report("https://github.com/owncloud-archive/apps/issues/724", "Properties have the names of a table's columns.",
        right="Nothing that could be shown: reported, with its line.", before="right")
def card_of_unknown_properties(trial):
    text = "BEGIN:VCARD\r\nFirst name:Eddie\r\nHome phone:022\r\nEND:VCARD\r\n" + ADA
    expect(trial, text, BOTH[:1], failures=1)


@report("https://github.com/jhermsmeier/node-vcf/issues/45", "Properties stand before VERSION.", right="All of them.", before="right")
def properties_before_version(trial):
    text = "BEGIN:VCARD\r\nBDAY;VALUE=DATE:1963-09-21\r\nFN:Ada Moe\r\nVERSION:3.0\r\nTEL:+47 1\r\nEND:VCARD\r\n"
    expect(trial, text, [{"name": "Ada Moe", "birthday": "1963-09-21", "phones": ["+47 1"]}])


@report("https://github.com/nextcloud/contacts/issues/273", "VERSION is folded: VERSION:4.0 and a line with a 1.",
        right="The contact.", before="right")
def version_with_a_fold(trial):
    text = "BEGIN:VCARD\r\nVERSION:4.0\r\n 1\r\nFN:Ada Moe\r\nTEL:+47 1\r\nEND:VCARD\r\n"
    expect(trial, text, BOTH[:1])


@report("https://github.com/ubports/ubuntu-touch/issues/868", "Thunderbird writes begin:vcard in small letters, and version last.",
        right="The contact; fn is quoted-printable.", before="right")
def small_letters_and_version_last(trial):
    text = "begin:vcard\r\nfn;quoted-printable:D=C3=BCmmy GmbH\r\nemail;internet:d@example.org\r\nversion:2.1\r\nend:vcard\r\n"
    expect(trial, text, [{"name": "Dümmy GmbH", "emails": ["d@example.org"]}])


@report("https://github.com/20c/rdap/issues/41", "https://github.com/sabre-io/vobject/issues/167", "https://github.com/jfritz-org/jfritz/issues/29",
        "The file has contacts in a format that is not read: jCard, JSContact, xCard, a phone book of a FRITZ!Box.", right="An error that names the format.", before="wrong")
def books_that_are_not_read(trial):
    card = ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Ada"]]]
    files = {"jCard": json.dumps(card), "a jCard": json.dumps([card]), "is a jCard": json.dumps({"vcardArray": card}), "JSContact": json.dumps([{"@type": "Card", "version": "1.0"}]),
             "xCard": '<?xml version="1.0"?><vcards xmlns="urn:ietf:params:xml:ns:vcard-4.0"><vcard><fn><text>Ada</text></fn></vcard></vcards>',
             "FRITZ!Box": "<phonebooks><phonebook><contact><person><realName>Ada</realName></person></contact></phonebook></phonebooks>"}
    for word, text in files.items():
        out = trial.run("contacts", "ls", contacts.write(trial, "a.json", text))
        trial.expect(f"{word}: status", out.returncode, 66)
        trial.expect(word, word.split()[-1] in out.stderr.decode(), True)


@report("https://github.com/neomutt/neomutt/issues/3652", "https://github.com/thierryvolpiatto/addressbook-bookmark/issues/6", "https://github.com/2amigos/qrcode-library/pull/24", "https://github.com/monicahq/monica/issues/2221",
        "The file is an address book of another kind: aliases of Mutt, that of abook or BBDB, a MECARD of a QR code, friends of Facebook.", right="An error that names the kind.", before="wrong")
def books_of_other_programs(trial):
    files = {"Mutt": "# mine\nalias ada Ada Moe <ada@example.org>\n", "abook": "# abook addressbook file\n\n[format]\nprogram=abook\n\n[0]\nname=Ada\n",
             "BBDB": ';; -*- coding: utf-8 -*-\n;;; file-format: 8\n["Ada" "Moe" nil nil nil nil nil ("ada@example.org") nil nil nil nil nil]\n',
             "MECARD": "MECARD:N:Moe,Ada;TEL:1;;", "Facebook": '{"friends_v2": [{"name": "Ada", "timestamp": 1}]}'}
    for word, text in files.items():
        out = trial.run("contacts", "ls", contacts.write(trial, "a.txt", text))
        trial.expect(f"{word}: status", out.returncode, 66)
        trial.expect(word, word in out.stderr.decode(), True)


@report("https://github.com/thephpleague/flysystem/issues/1157", "https://github.com/eight04/image-picka/issues/175", "https://github.com/ubports/address-book-app/issues/155",
        "A name has an emoji of several people, or Persian letters with joiners.", right="A file with just this name; other invisible characters leave no blanks.", before="wrong")
def joiners_in_names_of_files(trial):
    names = ["👨\u200d👩\u200d👧 Moe", "علی\u200cرضا", "A\u200bda", "hash#name"]
    book = contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"FN:{name}") for name in names))
    out = trial.folder / "avatars"
    trial.run("convert", book, "-o", out, "--size", "48", "--quiet")
    stems = {path.name.split("_")[0].split("@")[0].rsplit(".", 1)[0] for path in out.rglob("*.png")}
    for name in ["👨\u200d👩\u200d👧 Moe", "علی\u200cرضا", "Ada", "hash#name"]:
        trial.expect(f"{name} in {sorted(stems)}", any(stem.startswith(name) for stem in stems), True)
