"""Parts of postal addresses behind an export: programs that read it show each part in a field of its own."""
import json
import re

from support import contacts, ldap
from support.report import report
from support.service import Service

GITHUB = "https://github.com/"
HEADER = "Name,Home Street,Home City,Home State,Home Postal Code,Home Country"


def components(text):
    """The types, the printed lines and the components of each ADR of a card, as other programs read them."""
    text = text.replace("\r\n ", "")
    found = []
    for line in re.findall(r"^ADR[^\r]*", text, re.MULTILINE):
        head, value = re.match(r'((?:[^":]|"[^"]*")*):(.*)', line).groups()
        label = re.search(r'LABEL=("[^"]*"|[^;]*)', head)
        types = re.search(r"TYPE=([^;:]*)", head)
        parts = [re.sub(r"\\(.)", lambda sign: "\n" if sign[1] in "nN" else sign[1], part) for part in re.findall(r"((?:[^;\\]|\\.)*);", value + ";")]
        found.append((types and types[1], label and label[1].strip('"').replace("^n", "\n"), parts))
    return found


def export(trial, book, name="out.vcf"):
    path = trial.folder / name
    trial.expect(f"status of {name}", trial.run("contacts", "export", book, "-o", path).returncode, 0)
    return path


def expect(trial, name, text, *wanted, shown=None):
    """The ADRs of the export, each as its seven parts or as (label, parts); read again, and by way of JSON, they are the same, and people see the
    same lines."""
    book = contacts.write(trial, name, text)
    before = [contacts.values(contact, "addresses") for contact in contacts.load(trial, book)["contacts"]]
    if shown is not None:
        trial.expect("shown", before, shown)
    wanted = [each if isinstance(each, tuple) else (None, each) for each in wanted]
    first = export(trial, book)
    again = export(trial, export(trial, first, "two.json"), "two.vcf")
    other = export(trial, export(trial, book, "three.json"), "three.vcf")
    for path in (first, again, other):
        trial.expect(path.name, [(label, parts) for _, label, parts in components(path.read_bytes().decode())], wanted)
        trial.expect(f"{path.name}: shown", [contacts.values(contact, "addresses") for contact in contacts.load(trial, path)["contacts"]], before)
    return first


@report(GITHUB + "owncloud-archive/contacts/issues/819", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/60", GITHUB + "tutao/tutanota/issues/4090", GITHUB + "glpi-project/glpi/issues/8636",
        "A table of Google has street, city, region, code and country in columns, beside the printed lines.",
        right="Each part in its component of ADR, and the lines as LABEL where they are others; what people see stays as it was.", before="wrong")
def parts_of_a_table_of_google(trial):
    header = ("Name,Given Name,Family Name,Address 1 - Type,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Region,Address 1 - Postal Code,"
              "Address 1 - Country,Address 1 - Extended Address")
    lines = "12 Quay Road\nFlat 3\nPortwell, NB 0123\nUnited States"
    row = f'Ada Moe,Ada,Moe,Home,"{lines}","12 Quay Road\nFlat 3",Portwell,Box 9,NB,0123,United States,Dock'
    expect(trial, "a.csv", f"{header}\n{row}\n", (lines, ["Box 9", "Dock", "12 Quay Road\nFlat 3", "Portwell", "NB", "0123", "United States"]), shown=[[lines]])


@report(GITHUB + "owncloud-archive/contacts/issues/820", "One field of a table of Google has two addresses, separated by three colons.", right="Two addresses, each with its own parts.",
        before="wrong")
def parts_of_two_addresses_in_one_field(trial):
    expect(trial, "a.csv", "Name,Given Name,Address 1 - Type,Address 1 - Street,Address 1 - City,Address 1 - Postal Code\nAda Moe,Ada,Home,Kai 5 ::: Weg 2,Kiel ::: Linz,24103 ::: 4020\n",
           ["", "", "Kai 5", "Kiel", "", "24103", ""], ["", "", "Weg 2", "Linz", "", "4020", ""], shown=[["Kai 5\n24103 Kiel", "Weg 2\n4020 Linz"]])


@report(GITHUB + "owncloud-archive/contacts/issues/1028", GITHUB + "owncloud-archive/contacts/issues/832", GITHUB + "owncloud-archive/contacts/issues/803",
        "A table of Thunderbird, in German, has two addresses with six columns each.", right="Two addresses, home and work, with all parts at their places.", before="wrong")
def parts_of_a_table_of_thunderbird(trial):
    header = ("Vorname,Nachname,Anzeigename,Spitzname,Primäre E-Mail-Adresse,Sekundäre E-Mail-Adresse,Messenger-Name,Tel. dienstlich,Tel. privat,Fax-Nummer,Pager-Nummer,Mobil-Tel.-Nr.,"
              "Privat: Adresse,Privat: Adresse 2,Privat: Ort,Privat: Bundesland,Privat: PLZ,Privat: Land,Dienstlich: Adresse,Dienstlich: Adresse 2,Dienstlich: Ort,Dienstlich: Bundesland,"
              "Dienstlich: PLZ,Dienstlich: Land")
    path = expect(trial, "a.csv", f"{header}\nAda,Moe,Ada Moe,,ada@example.org,,,,,,,,Kai 5,,Kiel,SH,24103,Deutschland,Weg 2,,Linz,OÖ,4020,Österreich\n",
                  ["", "", "Kai 5", "Kiel", "SH", "24103", "Deutschland"], ["", "", "Weg 2", "Linz", "OÖ", "4020", "Österreich"])
    trial.expect("types", [types for types, _, _ in components(path.read_bytes().decode())], ["home", "work"])


@report(GITHUB + "Coffey-Labs/ihasmail/issues/174", GITHUB + "nextcloud/contacts/issues/1387", "An LDIF file of SOGo has both addresses in Mozilla's attributes.",
        right="Both addresses with their parts.", before="wrong")
def parts_of_a_directory(trial):
    expect(trial, "a.ldif", "dn: cn=Ada Moe\nobjectClass: mozillaAbPersonAlpha\ncn: Ada Moe\nsn: Moe\nstreet: Kai 5\nmozillaWorkStreet2: Hof\nl: Kiel\nst: SH\npostalcode: 24103\nc: DE\npostOfficeBox: 77\n"
           "mozillahomestreet: Weg 2\nmozillahomelocalityname: Linz\nmozillahomepostalcode: 4020\nmozillahomecountryname: AT\n",
           ["77", "Hof", "Kai 5", "Kiel", "SH", "24103", "DE"], ["", "", "Weg 2", "Linz", "", "4020", "AT"], shown=[["Kai 5\nHof\n77\n24103 Kiel\nSH\nDE", "Weg 2\n4020 Linz\nAT"]])


@report(GITHUB + "KircheNeuenburg/ldapcontacts/issues/17", GITHUB + "KircheNeuenburg/ldapcontacts/issues/13", "An entry of a directory has the lines of an address (postalAddress), and its parts beside them.",
        right="The parts, and the lines as they are printed. A town and a country alone say less than the lines, which are the street then.", before="wrong")
def parts_beside_printed_lines(trial):
    entry = "dn: cn=Ada Moe\nobjectClass: inetOrgPerson\ncn: Ada Moe\nsn: Moe\npostalAddress: Werft Moe$Kai 5$D-24103 Kiel\n"
    lines = "Werft Moe\nKai 5\nD-24103 Kiel"
    expect(trial, "a.ldif", entry + "street: Kai 5\nl: Kiel\npostalCode: 24103\n", (lines, ["", "", "Kai 5", "Kiel", "", "24103", ""]), shown=[[lines]])
    expect(trial, "b.ldif", entry + "l: Kiel\nc: DE\n", (lines, ["", "", lines.replace("\n", ", "), "", "", "", ""]), shown=[[lines]])


@report(GITHUB + "nextcloud/contacts/issues/712", GITHUB + "roundcube/roundcubemail/issues/6420", GITHUB + "jdgeenen/gcontactsync/issues/9", "An address has a second line: a building, a floor, or a street in two lines.",
        right="A column of its own is the extended address; two lines of one field are two lines of the street, joined by no comma.", before="wrong")
def second_lines_of_a_street(trial):
    expect(trial, "a.csv", 'Name,Phone,Street,Apt/Suite,City,Zip\nAda Moe,1,Kai 5,Haus Boot,Kiel,24103\nBo Ek,2,"Weg 2\nHof 3",,Linz,4020\n',
           ["", "Haus Boot", "Kai 5", "Kiel", "", "24103", ""], ["", "", "Weg 2\nHof 3", "Linz", "", "4020", ""], shown=[["Kai 5\nHaus Boot\n24103 Kiel"], ["Weg 2\nHof 3\n4020 Linz"]])


@report(GITHUB + "nextcloud/contacts/issues/2982", GITHUB + "nextcloud/contacts/issues/72", GITHUB + "owncloud/contacts/issues/381", "The street of a card has several lines, between commas or with escaped line ends.",
        right="The card goes out as it came; by way of JSON, each component has the same lines.", before="wrong")
def lines_of_a_street_in_a_card(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("UID:a", "FN:Ada", r"ADR:;;Kai 5\nHof 3;Kiel;;24103;") + contacts.vcard("UID:b", "FN:Bo", "ADR:;;Weg 2,Hof 3;Linz;;4020;", version="4.0"))
    trial.require("as they came", "ADR:;;Weg 2,Hof 3;Linz;;4020;" in export(trial, book).read_text())
    there = export(trial, export(trial, book, "two.json"), "two.vcf")
    trial.expect("by way of JSON", [parts for _, _, parts in components(there.read_bytes().decode())], [["", "", "Kai 5\nHof 3", "Kiel", "", "24103", ""], ["", "", "Weg 2, Hof 3", "Linz", "", "4020", ""]])


@report(GITHUB + "nextcloud/contacts/issues/57", GITHUB + "pinoaffe/org-vcard/issues/14", GITHUB + "nextcloud/contacts/issues/3104", "Parts of an address have commas, semicolons, backslashes, quotes and colons.",
        right="The parts with their signs, each in its component: those between components are not escaped, those inside are.", before="wrong")
def signs_inside_of_parts(trial):
    expect(trial, "a.csv", HEADER + '\nAda Moe,"Kai 5, Z; ""Boot""",Kiel\\Ost,"a,b;c",24103: 7,"Land, Rest"\n', ["", "", 'Kai 5, Z; "Boot"', "Kiel\\Ost", "a,b;c", "24103: 7", "Land, Rest"])


@report(GITHUB + "owncloud/contacts/issues/506", GITHUB + "nextcloud/contacts/issues/1900", GITHUB + "CardBook/CardBook/issues/187", "Another program changes the parts of an address, and leaves the printed lines of a parameter as they were.",
        right="An export has no such lines where the parts say as much, so that the change is seen.", before="wrong")
def changes_of_parts_by_others(trial):
    path = expect(trial, "a.csv", HEADER + "\nAda Moe,Kai 5,Kiel,SH,24103,DE\n", ["", "", "Kai 5", "Kiel", "SH", "24103", "DE"])
    text = path.read_text()
    trial.require("one line", "ADR;TYPE=home:;;Kai 5;Kiel;SH;24103;DE" in text)
    changed = contacts.write(trial, "changed.vcf", text.replace("Kai 5;Kiel", "Weg 7;Husum"))
    contacts.expect_contacts(trial, changed, [{"addresses": ["Weg 7\n24103 Husum\nSH\nDE"]}])


@report(GITHUB + "lucc/khard/issues/26", "Only the town of a contact is known, or a country.", right="That part alone; a street alone stays the street.", before="wrong")
def one_part_alone(trial):
    empty = [""] * 7
    expect(trial, "a.csv", HEADER + "\nAda Moe,,Kiel,,,\nBo Ek,,,,,DE\n", empty[:3] + ["Kiel"] + empty[4:], empty[:6] + ["DE"])
    expect(trial, "b.csv", HEADER + "\nAda Moe,Kai 5,,,,\n", ("Kai 5", empty[:2] + ["Kai 5"] + empty[3:]))


@report(GITHUB + "ranguard/text-vcard/issues/31", GITHUB + "Shane32/QRCoder/issues/581", "Some parts of an address are missing.", right="Seven components in the order of the standard, empty ones included.", before="wrong")
def places_of_missing_parts(trial):
    path = expect(trial, "a.csv", "Name,Phone,PO Box,City,State,Zip\nAda Moe,1,Box 9,Kiel,SH,24103\n", ["Box 9", "", "", "Kiel", "SH", "24103", ""])
    trial.require("six semicolons", "ADR:Box 9;;;Kiel;SH;24103;\n" in path.read_text())


@report(GITHUB + "wpsharks/s2member/issues/1148", GITHUB + "awesomemotive/easy-digital-downloads/issues/3166", "A postal code begins with zeros.", right="The code with its zeros, in its component.", before="wrong")
def zeros_of_a_postal_code(trial):
    expect(trial, "a.csv", 'Name,Phone,Street,City,Zip\nAda Moe,1,Kai 5,Portwell,00123\nBo Ek,2,Kai 6,Portwell,"=""00124"""\n', ["", "", "Kai 5", "Portwell", "", "00123", ""], ["", "", "Kai 6", "Portwell", "", "00124", ""])


@report(GITHUB + "cozy/cozy-contacts/issues/723", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/696", "A file of a program's own, in JSON, has parts of an address, alone or beside its lines.",
        right="The parts. Lines that were changed count, and those that are none of the parts are kept beside them.", before="wrong")
def parts_in_json(trial):
    parts = {"street": "Kai 5", "city": "Kiel", "code": 24103}
    people = [{"id": "a", "addresses": [{"parts": parts}]}, {"id": "b", "addresses": [{"value": "Kai 5\n24103 Kiel", "parts": parts}]}, {"id": "c", "addresses": [{"value": "Werft, Kiel", "parts": parts}]},
              {"id": "d", "addresses": [{"value": "Kai 5"}]}]
    own = ["", "", "Kai 5", "Kiel", "", "24103", ""]
    expect(trial, "a.json", json.dumps({"tondo": 1, "contacts": people}), own, own, ("Werft, Kiel", own), ("Kai 5", ["", "", "Kai 5", "", "", "", ""]),
           shown=[["Kai 5\n24103 Kiel"], ["Kai 5\n24103 Kiel"], ["Werft, Kiel"], ["Kai 5"]])


@report(GITHUB + "nextcloud/contacts/issues/1998", GITHUB + "nextcloud/contacts/issues/1900", "An ADR has eight components, the last of which are the printed lines, or the eighteen of RFC 9554.",
        right="The parts are shown, and the property goes out with all of its components, also by way of JSON.", before="wrong")
def components_beyond_the_seventh(trial):
    lines = ["ADR;TYPE=home:;;Kai 5;Kiel;SH;24103;DE;Kai 5\\nKiel", "ADR;TYPE=work:;;Weg 2;Linz;;4020;AT;;;2;3;Weg;;;;;;;"]
    book = contacts.write(trial, "a.vcf", contacts.vcard("UID:a", "FN:Ada", *lines))
    contacts.expect_contacts(trial, book, [{"addresses": ["Kai 5\n24103 Kiel\nSH\nDE", "Weg 2\n4020 Linz\nAT"]}])
    for path in (export(trial, book), export(trial, export(trial, book, "two.json"), "two.vcf")):
        for line in lines:
            trial.require(f"{path.name}: {line}", line + "\n" in path.read_text())


@report(GITHUB + "zxing/zxing/issues/464", GITHUB + "zxing/zxing/issues/23", "A contact of a table is given to a phone, as a file of the service.",
        right="The parts of its address in their components: the phone would show all of them as the street.", before="wrong")
def parts_for_a_phone(trial):
    contacts.write(trial, "a.csv", HEADER + "\nAda Moe,Kai 5,Kiel,SH,24103,DE\n")
    served = Service(trial)
    items = json.loads(served.get("/v1/contacts", {"Host": "localhost"}).body)["items"]
    card = served.get(f"/v1/contacts/{items[0]['id']}/vcard", {"Host": "localhost"}).body.decode()
    trial.expect("the card", components(card), [("home", None, ["", "", "Kai 5", "Kiel", "SH", "24103", "DE"])])


@report(GITHUB + "KircheNeuenburg/ldapcontacts/issues/17", GITHUB + "nextcloud/server/issues/4365", "A directory that is mirrored has the lines of an address and its parts.",
        right="The lines are shown, and the card of the mirror has the parts, too.", before="wrong")
def parts_of_a_mirrored_directory(trial):
    lines = "Werft Moe\nKai 5\nD-24103 Kiel"
    directory = ldap.Directory(trial, [
        ldap.person("Ada Moe", 1, postalAddress=lines.replace("\n", " $ "), street="Kai 5", l="Kiel", postalCode="24103"), ldap.person("Bo Lie", 2, postalAddress="Kai 5$Kiel", l="Kiel")])
    ldap.expect_people(trial, directory, {"Ada Moe": {"addresses": [lines]}, "Bo Lie": {"addresses": ["Kai 5\nKiel"]}})
    cards = [path.read_bytes().decode() for path in sorted((trial.folder / "state").rglob("*.vcf")) if "trash" not in path.parts]
    trial.expect("cards", sorted(parts for card in cards for _, _, parts in components(card)), [["", "", "Kai 5", "Kiel", "", "24103", ""], ["", "", "Kai 5\nKiel"]])
