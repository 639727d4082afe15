"""Contacts that are written to a file, and read from it again."""
import json

from support import cards, contacts
from support.report import report

GITHUB = "https://github.com/"


def export(trial, book, name, *options):
    path = trial.folder / name
    trial.expect(f"status of {name}", trial.run("contacts", "export", book, "-o", path, *options).returncode, 0)
    return path


@report(GITHUB + "jeroendesloovere/vcard/pull/90", GITHUB + "mangstadt/ez-vcard/issues/80", "A long value has letters of several bytes, emoji of several people or letters with marks.",
        right="Lines of 75 bytes at most, and no character is cut in half.", before="right")
def folds_between_characters(trial):
    name = "Ж" * 80 + " " + "👨‍👩‍👧‍👦" * 9 + "é" * 80
    table = contacts.write(trial, "a.csv", f"Name,E-mail Address,Notes\n{name},ada@example.org,{'ü' * 300}\n")
    lines = export(trial, table, "out.vcf").read_bytes().split(b"\r\n")
    trial.require("no line is longer than 75 bytes", max(map(len, lines)) <= 75)
    trial.require("each line is UTF-8 by itself", all(line == line.decode("utf-8", "replace").encode() for line in lines))
    contacts.expect_contacts(trial, trial.folder / "out.vcf", [{"name": name, "note": "ü" * 300}])


@report(GITHUB + "nextcloud/contacts/issues/3310", GITHUB + "nextcloud/contacts/issues/3985", GITHUB + "nextcloud/contacts/issues/1297", GITHUB + "nextcloud/contacts/issues/516",
        "Texts have commas, semicolons, backslashes, line ends and quotes; numbers have pauses and leading zeros.",
        right="The same texts behind an export, from each format to each.", before="right")
def signs_of_texts(trial):
    note = 'one, two; three\\four\n"five" \\n six: 1:30pm'
    person = {"name": {"given": "Ada, B", "family": "Moe; C", "prefix": "Word One"}, "organisation": ["Werft; Co", "Sales, West"], "introduction": note,
              "phones": [{"value": "00205246;;,;"}, {"value": "0123"}], "groups": [{"name": "a, b"}, {"name": "c; d"}], "addresses": [{"value": "Kai 5, 2\n12345 Öheim"}]}
    source = contacts.write(trial, "a.json", json.dumps({"tondo": 1, "contacts": [{"id": "ada", **person}]}))
    first = contacts.view(contacts.load(trial, source)["contacts"][0])
    fields = {key: first[key] for key in ("given", "family", "prefix", "organisation", "note", "phones", "groups")}
    trial.expect("read", fields["note"], note)
    vcards = export(trial, source, "one.vcf")
    contacts.expect_contacts(trial, vcards, [fields])
    contacts.expect_contacts(trial, export(trial, export(trial, vcards, "two.json"), "three.vcf"), [fields])


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/1054", GITHUB + "FossifyOrg/Contacts/issues/466", "A contact with a photo is exported as vCard 4.0.",
        right="The photo is in the file, as a data: URI, and is read from it.", before="right")
def photos_of_an_export(trial):
    source = contacts.write(trial, "a.vcf", contacts.vcard("UID:a", "FN:Ada", "PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded()))
    table = export(trial, source, "a.json")
    written = export(trial, table, "out.vcf")
    text = written.read_bytes().decode().replace("\r\n ", "")
    trial.require("a data: URI in a vCard 4.0", "VERSION:4.0" in text and "data:image/png;base64," + cards.encoded() in text)
    contacts.expect_contacts(trial, written, [{"name": "Ada", "photo": contacts.digest(cards.photo()), "avatar": "photo"}])


@report(GITHUB + "roundcube/roundcubemail/issues/6103", GITHUB + "oroinc/crm/issues/16", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/835", GITHUB + "ChatbotXIO/ChatbotX/pull/685",
        "A part of the contacts is exported: a group, or what a search finds, more than a page of a list.", right="Those contacts, all of them, in the wanted order.", before="right")
def export_of_a_part(trial):
    names = [f"Ada {number:03}" for number in range(120)]
    source = contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"FN:{name}", "CATEGORIES:Rowing") for name in reversed(names)) + contacts.vcard("FN:Bo", "CATEGORIES:Work"))
    for options in (["--group", "rowing"], ["--search", "ada"]):
        for name in ("out.vcf", "out.json"):
            written = export(trial, source, name, "--sort", "given", *options)
            trial.expect(f"{options} {name}", [contact["displayName"] for contact in contacts.load(trial, written)["contacts"]], names)


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/146", GITHUB + "nextcloud/contacts/issues/2693", "An export has a contact with groups, or one without a formatted name.",
        right="Groups and a formatted name are in the vCard, which requires one.", before="right")
def groups_and_names_of_an_export(trial):
    source = contacts.write(trial, "a.csv", "First Name,Last Name,Group Membership,Phone 1 - Value\nAda,Moe,Rowing ::: Work,0123\n,,Rowing,0456\n")
    text = export(trial, source, "out.vcf").read_text()
    trial.require("a formatted name", "FN:Ada Moe\n" in text and "FN:0456\n" in text)
    contacts.expect_contacts(trial, trial.folder / "out.vcf", [{"name": "Ada Moe", "groups": ["Rowing", "Work"]}, {"groups": ["Rowing"], "phones": ["0456"]}])


@report(GITHUB + "monicahq/monica/issues/6079", GITHUB + "FossifyOrg/Contacts/issues/618", "A contact of a table has a birthday without a year, and an anniversary in words.",
        right="Notations of vCard 4.0, which other programs read: --0507, and a text that says that it is one.", before="wrong")
def days_of_an_export(trial):
    table = contacts.write(trial, "a.csv", "Name,E-mail Address,Birthday,Anniversary\nAda,ada@example.org,--05-07,circa 2010\nBo,bo@example.org,1985-05-07,2010-05\n")
    text = export(trial, table, "out.vcf").read_text()
    for line in ("BDAY:--0507", "ANNIVERSARY;VALUE=text:circa 2010", "BDAY:1985-05-07", "ANNIVERSARY:2010-05"):
        trial.require(line, line + "\n" in text)
    contacts.expect_contacts(trial, trial.folder / "out.vcf", [{"birthday": "--05-07", "anniversary": "circa 2010"}, {"birthday": "1985-05-07", "anniversary": "2010-05"}])


@report(GITHUB + "mstilkerich/rcmcarddav/issues/317", GITHUB + "frappe/frappe/pull/29190", GITHUB + "monicahq/monica/issues/5610", "Only the department of a contact is known, and no company.",
        right="The department, and no company of its name, from each format to each; an empty company alone is none.", before="wrong")
def departments_without_a_company(trial):
    cards = contacts.vcard("UID:a", "FN:Ada", "ORG:;Sales;West", "TEL:1") + contacts.vcard("UID:b", "FN:Bo", "ORG:;", "TEL:2") + contacts.vcard("UID:c", "FN:Cy", "ORG:Werft;Lager", "TEL:3")
    wanted = [{"organisation": ["", "Sales", "West"]}, {"organisation": []}, {"organisation": ["Werft", "Lager"]}]
    source = contacts.write(trial, "a.vcf", cards)
    contacts.expect_contacts(trial, source, wanted)
    there = export(trial, export(trial, source, "a.json"), "out.vcf")
    contacts.expect_contacts(trial, there, wanted)
    trial.require("in its place", "ORG:;Sales;West\n" in there.read_text() and "ORG:Werft;Lager\n" in there.read_text())
    for name, text in [("b.csv", "Name,Phone,Department\nAda,1,Sales\n"), ("b.ldif", "dn: cn=Ada\nobjectClass: person\ncn: Ada\nou: Sales\n")]:
        book = contacts.write(trial, name, text)
        contacts.expect_contacts(trial, book, [{"name": "Ada", "organisation": ["", "Sales"]}])
        trial.require(f"{name}: in its place", "ORG:;Sales\n" in export(trial, book, f"{name}.vcf").read_text())
    shown = trial.run("contacts", "show", source, "Ada").stdout.decode()
    trial.require("the department is shown", "Sales" in shown and "Organisation" in shown)


@report(GITHUB + "mstilkerich/rcmcarddav/issues/317", GITHUB + "frappe/frappe/pull/29190", "Lists show the company of each contact, and of some the department alone is known.", right="The department, in the list of a terminal and beside an address.", before="wrong")
def departments_in_lists(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "ORG:;Sales", "EMAIL:a@example.org") + contacts.vcard("FN:Bo", "ORG:Werft;Lager"))
    rows = trial.run("contacts", "ls", book).stdout.decode().splitlines()
    trial.require(f"in the list: {rows}", any("Ada" in row and "Sales" in row for row in rows) and any("Bo" in row and "Werft" in row for row in rows))
    trial.require("beside the address", b"a@example.org\tAda\tSales" in trial.run("contacts", "query", "--book", book, "ada").stdout)
