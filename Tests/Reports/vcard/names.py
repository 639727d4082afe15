"""Names: line ends and separators in them, character sets, initials, and their order in a list."""
import json

from support import contacts
from support.report import report


def book(trial, *cards, name="a.vcf"):
    return contacts.write(trial, name, "".join(contacts.vcard(*card) for card in cards))


def listed(trial, path, *options):
    """The contacts of `contacts ls`, in its order."""
    out = trial.run("contacts", "ls", path, "--json", *options).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


@report("https://github.com/bitfireAT/davx5-ose/issues/2811", "https://github.com/aluxnimm/outlookcaldavsynchronizer/issues/469",
        "A formatted name has a line end, which some programs write as \\r\\n.", right="The name with its line end, which lists show as a blank.", before="wrong")
def line_end_in_a_formatted_name(trial):
    path = book(trial, ["FN:Imbiss und Kiosk\\nam Klinikum", "N:;;;;"], ["N:Moe;Ada;;;", "ORG:Werft & Co", "FN:Werft & Co\\r\\nMoe\\, Ada", "NOTE:one\\r\\ntwo"])
    contacts.expect_contacts(trial, path, [{"name": "Imbiss und Kiosk\nam Klinikum"}, {"name": "Werft & Co\nMoe, Ada", "family": "Moe", "note": "one\ntwo"}])
    shown = trial.run("contacts", "ls", path).stdout.decode()
    trial.expect("the list", [line.split("\t")[0] for line in shown.splitlines()[1:]], ["Imbiss und Kiosk am Klinikum", "Werft & Co Moe, Ada"])


@report("https://github.com/owncloud-archive/contacts/issues/1028", "The formatted name has the parts of the name with semicolons between them.",
        right="The name as it is spoken.", before="wrong")
def parts_as_the_formatted_name(trial):
    path = book(trial, ["FN:Moe;Ada", "N:Moe;Ada;;;"], ["FN:Moe;Bo;;;"], ["FN:Tom; Jerry; Co"])
    contacts.expect_contacts(trial, path, [{"name": "Ada Moe"}, {"name": "Bo Moe", "family": "Moe"}, {"name": "Tom; Jerry; Co"}])


@report("https://github.com/nextcloud/server/issues/14830", "A card in Latin-1 has three umlauts in a row.",
        right="Umlauts: no Cyrillic letter stands in a word of Latin ones, as others of the card do.", before="wrong")
def umlauts_in_a_row(trial):
    card = contacts.vcard("FN:noch ein Test für äöü", "N:für äöü;Test;;;", "NICKNAME:äöü", "ADR;TYPE=WORK:;;Ü-Straße 5;Öheim;;12345;")
    path = contacts.write(trial, "a.vcf", card.encode("latin-1"))
    contacts.expect_contacts(trial, path, [{"name": "noch ein Test für äöü", "nicknames": ["äöü"], "addresses": ["Ü-Straße 5\n12345 Öheim"]}])
    path = contacts.write(trial, "b.vcf", contacts.vcard("FN:Вера Щёголева", "NOTE:IT\\nотдел").encode("windows-1251"))
    contacts.expect_contacts(trial, path, [{"name": "Вера Щёголева", "note": "IT\nотдел"}])


@report("https://github.com/dicebear/dicebear/issues/475", "https://github.com/ProtonMail/proton-contacts/issues/54", "https://github.com/signalapp/Signal-Desktop/issues/5831",
        "https://github.com/signalapp/Signal-Android/issues/8293", "Names have apostrophes, emoji, suffixes and particles.",
        right="The letters by which people abbreviate the name.", before="right")
def letters_of_names(trial):
    names = {"Alice O'Brien": "AO", "Gerard ’t Hooft": "GH", "🎸 Bob Moe": "BM", "👨‍👩‍👧‍👦 Family": "F", "Ada Moe III": "AM", "Vincent van Dael": "VD", "🎈": "🎈"}
    contacts.expect_contacts(trial, book(trial, *[[f"FN:{name}"] for name in names]), [{"name": name, "initials": letters} for name, letters in names.items()])


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/131", "https://github.com/owncloud/contacts/issues/376",
        "https://github.com/nextcloud/contacts/issues/3435", "Names begin with letters beyond ASCII, Latin and Cyrillic ones.",
        right="The order of a dictionary: accents count last, and no letter stands before А or behind Я.", before="right")
def order_of_letters_beyond_ascii(trial):
    for right in [["Máa", "Mab", "Mb"], ["Árni", "Bo", "Ebba", "Éva", "Lud", "Łuk", "Zoë"], ["Анна", "Євген", "Ігор", "Яна"]]:
        path = book(trial, *[[f"FN:{name}"] for name in sorted(right)])
        trial.expect(right, [contact["displayName"] for contact in listed(trial, path, "--sort", "given")], right)


@report("https://github.com/nextcloud/contacts/issues/4064", "https://github.com/juha-h/baresip-studio/issues/629", "https://github.com/FossifyOrg/Contacts/issues/204",
        "A search is typed without the accents and ligatures of a name, or with them.", right="The contact, both ways.", before="right")
def search_without_accents(trial):
    path = book(trial, ["FN:Álvaro Ruiz"], ["FN:Přemysl Černý"], ["FN:Lætitia Moe"], ["FN:Alvaro Sá"])
    for words, right in {"alvaro": ["Álvaro Ruiz", "Alvaro Sá"], "álvaro": ["Álvaro Ruiz", "Alvaro Sá"], "premysl cerny": ["Přemysl Černý"],
                         "laetitia": ["Lætitia Moe"]}.items():
        trial.expect(words, [contact["displayName"] for contact in listed(trial, path, "--search", words)], right)


@report("https://github.com/FossifyOrg/Contacts/issues/357", "https://github.com/FossifyOrg/Phone/issues/254", "https://github.com/bashGroup/node-red-contrib-fritz/issues/24",
        "A number is stored with the code of the country, and searched without it, or the other way round.", right="Each spelling of the number finds all of them.",
        before="right")
def search_for_numbers_of_a_country(trial):
    path = book(trial, ["FN:A", "TEL:+49 172 1234567"], ["FN:B", "TEL:0172 / 123 45 67"], ["FN:C", "TEL:0049 (172) 1234567"], ["FN:D", "TEL:+49 173 1234567"])
    for number in ["0172 1234567", "+49 172 1234567", "0049172 1234567"]:
        trial.expect(number, [contact["displayName"] for contact in listed(trial, path, "--search", number)], ["A", "B", "C"])
