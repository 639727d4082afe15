"""Traces of programs in a card: separators in the wrong places, repetitions, and texts that are none of a person's."""
from support import cards, contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, fields, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard(*lines, version=version))
    contacts.expect_contacts(trial, book, [fields])


@report(GITHUB + "collective/icalendar/issues/137", GITHUB + "pinoaffe/org-vcard/issues/14", "A program took a postal address and a name for one text, and escaped the semicolons between their parts.",
        right="The lines of the address, and the name as people say it.", before="wrong")
def escaped_parts_of_an_address(trial):
    expect(trial, {"name": "Василий Пупкин", "given": "Василий", "family": "Пупкин", "addresses": ["1600 Avenue NW\n20500 Washington\nDC\nUSA", "2822 Email HQ\nSuite 2821\n1521$ RFCVille\nPA\nUSA"]},
           "FN;CHARSET=UTF-8:Пупкин\\;Василий", "N;CHARSET=UTF-8:", "VERSION:2.1", "N;CHARSET=UTF-8:Пупкин\\;Василий",
           "ADR;HOME;CHARSET=UTF-8:\\;\\;1600 Avenue NW\\;Washington\\;DC\\;20500\\;USA", "ADR;TYPE=POSTAL:\\;Suite 2821\\;2822 Email HQ\\;RFCVille\\;PA\\;1521$\\;USA")
    expect(trial, {"name": "Müller; Söhne", "family": "Müller; Söhne"}, "FN:Müller\\; Söhne", "N:Müller\\; Söhne;;;;")


@report(GITHUB + "nextcloud/contacts/issues/1850", "Commas stand between the parameters: EMAIL;PREF=1,TYPE=HOME.", right="The preferred address first, each with its type.", before="wrong")
def commas_between_parameters(trial):
    expect(trial, {"emails": ["a@example.org", "b@example.org"], "emails types": [["home"], ["other"]], "phones types": [["cell"]], "addresses types": [["home"]]},
           "FN:Ada", "EMAIL;PREF=10,TYPE=OTHER:b@example.org", "EMAIL;PREF=1,TYPE=HOME:a@example.org", "TEL;TYPE=CELL,PREF=1:1", "ADR;PREF=1,TYPE=HOME:;;Weg 1;Kiel;;;", version="4.0")


@report(GITHUB + "jeroendesloovere/vcard/issues/99", "The label of a number has its types between commas, in letters of any case.", right="The types; a word alone is a label.", before="wrong")
def types_between_commas_in_a_label(trial):
    expect(trial, {"phones types": [["home", "voice"], []], "phones labels": [None, "Work"]},
           "FN:Ada", "item1.TEL;type=pref:0521 1", "item1.X-ABLabel:HOME\\,VOICE\\,pref", "item2.TEL:2", "item2.X-ABLabel:Work")


@report(GITHUB + "nextcloud/contacts/issues/944", GITHUB + "carlos22/carddav2fb/issues/33", "The printed address of a parameter ends in a backslash, or commas in parameters are escaped once or twice.",
        right="The lines of the address, and the types.", before="wrong")
def backslashes_in_parameters(trial):
    expect(trial, {"addresses": ["ABC\nJalandhar", "Weg 1, Hof\nKiel"], "phones types": [["cell"], ["home", "voice"], ["work", "fax"]]},
           "FN:Ada", "ADR;TYPE=home;LABEL=ABC\\nJalandhar\\:;;ABC;Jalandhar;Punjab;144003;India", 'ADR;LABEL="Weg 1\\, Hof\\nKiel":;;x;;;;',
           "TEL;TYPE=PREF\\\\,CELL:1", 'TEL;TYPE="HOME,VOICE";VALUE=URI:2', "TEL;TYPE=WORK\\,FAX:3", version="4.0")


@report(GITHUB + "nextcloud/contacts/issues/1088", "Programs that merge contacts left the same address, page, nickname and company several times in a card.",
        right="Each once; another type makes another address.", before="wrong")
def repeated_lines(trial):
    expect(trial, {"addresses": ["Weg 1\nKiel", "Weg 1\nKiel"], "addresses types": [["home"], ["work"]], "websites": ["http://a.example"], "nicknames": ["Ad", "Addi"],
                   "organisation": ["Werft"], "title": "Chief", "phones": ["1"], "emails": ["a@example.org"]},
           "FN:Ada", *["ADR;TYPE=HOME:;;Weg 1;Kiel;;;", "URL:http://a.example", "NICKNAME:Ad,Addi", "ORG:Werft", "TITLE:Chief", "TEL:1", "EMAIL:a@example.org"] * 3,
           "ADR;TYPE=WORK:;;Weg 1;Kiel;;;")


@report(GITHUB + "1afa/sabre-zarafa/issues/17", "A server's warnings stand behind the cards, or before them, in HTML, and addresses are empty.", right="The contacts, and no error.", before="wrong")
def warnings_of_a_server(trial):
    warning = "<br />\n<b>Warning</b>:  filesize() [<a href='function.filesize'>function.filesize</a>]: stat failed in <b>/srv/www/a.php</b> on line <b>223</b><br />\n"
    ada = contacts.vcard("FN:Ada Moe", "N:Moe;Ada;;;", "EMAIL;PREF=1;X-CN=\"^'^'\":", "TEL:1")
    bo = contacts.vcard("FN:Bo Lie", "TEL:2")
    wanted = [{"name": "Ada Moe", "emails": [], "phones": ["1"]}, {"name": "Bo Lie", "phones": ["2"]}]
    for number, text in enumerate([ada + bo + warning, ada + warning + bo, warning + ada + bo, "<html><body><pre>\n" + ada + bo + "</pre></body></html>\n"]):
        contacts.expect_contacts(trial, contacts.write(trial, f"{number}.vcf", text), wanted)
    folder = trial.folder / "folder"
    folder.mkdir()
    (folder / "a.vcf").write_text(warning + ada)
    contacts.expect_contacts(trial, folder, wanted[:1])


@report(GITHUB + "bitfireAT/vcard4android/issues/32", GITHUB + "cyrusimap/cyrus-imapd/pull/6091", "A formatted name is required, and a program put the identifier of the card there.",
        right="What the card has otherwise: the parts of the name, the company or the address.", before="wrong")
def identifiers_in_place_of_names(trial):
    uid = "4710adc9-776a-4c27-ba4b-75f086a4afb9"
    expect(trial, {"name": "ada@example.org", "initials": "A"}, f"UID:{uid}", f"FN:{uid}", "EMAIL:ada@example.org", version="4.0")
    expect(trial, {"name": "Werft"}, f"FN:{uid}", f"UID:urn:uuid:{uid}", "ORG:Werft", "EMAIL:ada@example.org", version="4.0")
    expect(trial, {"name": "Ada Moe"}, f"UID:urn:uuid:{uid}", f"FN:urn:uuid:{uid}", "N:Moe;Ada;;;", version="4.0")
    expect(trial, {"name": "Ada Moe"}, "UID:Ada Moe", "FN:Ada Moe", "EMAIL:ada@example.org")


@report(GITHUB + "pimutils/vdirsyncer/issues/506", GITHUB + "nextcloud/contacts/issues/2797", "Texts have characters that steer printers and windows: of a line, a page, a bell.",
        right="The texts without them; those of lines and pages end a line.", before="wrong")
def controls_in_texts(trial):
    expect(trial, {"name": "Ada\nMoe", "organisation": ["Aker"], "note": "one\ntwo\nthree", "given": "Ada", "family": "Moe Aas", "groups": ["Choir"]},
           "FN:Ada\x0bMoe", "N:Moe\x0bAas;A\x07da;;;", "ORG:A\x02ker", "NOTE:one\x0btwo\x0cth\x1free", "CATEGORIES:Ch\x01oir")
    expect(trial, {"note": "one\ntwo", "name": "Ada"}, "FN:Ada", "NOTE;ENCODING=QUOTED-PRINTABLE:one=0Btwo=00", version="2.1")
    table = contacts.write(trial, "a.csv", "Name,Email,Notes\nAda\x0bMoe,ada@example.org,a\x07b\n")
    contacts.expect_contacts(trial, table, [{"name": "Ada\nMoe", "note": "ab"}])


@report(GITHUB + "mozilla-b2g/gaia/pull/12639", "A program had no parts of an address, and wrote null instead.", right="No address, or the parts that there are.", before="wrong")
def addresses_of_null(trial):
    expect(trial, {"addresses": ["Weg 1\nKiel"]}, "FN:Ada", "ADR:;;null;null;null;null;null", "ADR:null;null;Weg 1;Kiel;null;null;undefined")


@report(GITHUB + "1afa/sabre-zarafa/issues/26", GITHUB + "GluuFederation/community-edition-setup/issues/501", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/377",
        "Birthdays have a time of day without any punctuation, as data bases and directories do.", right="The day.", before="wrong")
def birthdays_in_digits(trial):
    for value in ("19560412000000", "19560412000000Z", "195604120000Z", "19560412000000.0Z", "19560412000000+0100", "19560412T000000", "19560412Z"):
        expect(trial, {"birthday": "1956-04-12"}, "FN:Ada", f"BDAY:{value}")
    expect(trial, {"birthday": "482112000"}, "FN:Ada", "BDAY:482112000")


@report(GITHUB + "jeroendesloovere/vcard/pull/90", GITHUB + "ranguard/text-vcard/pull/44", GITHUB + "skarim/vobject/pull/15", "A program folds lines between bytes, inside of letters, signs and emoji.",
        right="The letters: a fold is taken out before the text is read.", before="right")
def folds_inside_of_characters(trial):
    text = contacts.vcard("FN:Müller 😀", "N:Müller;Jörg;;;", "NOTE:αβγ € ж", "TEL:1").encode()
    for width in (1, 2, 3):
        lines = []
        for line in text.split(b"\r\n"):
            head, colon, value = line.partition(b":")
            whole = head in (b"BEGIN", b"END", b"VERSION", b"")
            lines.append(line if whole else head + colon + b"\r\n ".join(value[at:at + width] for at in range(0, len(value), width)))
        book = contacts.write(trial, f"{width}.vcf", b"\r\n".join(lines))
        contacts.expect_contacts(trial, book, [{"name": "Müller 😀", "given": "Jörg", "note": "αβγ € ж", "phones": ["1"]}])


@report(GITHUB + "skarim/vobject/issues/8", GITHUB + "nextcloud/contacts/issues/393", GITHUB + "runbox/runbox7/pull/554", "A note is a list with hyphens, or a table with tabs, and its line ends are \\N or \\r\\n.",
        right="The note as it was written.", before="right")
def lists_in_notes(trial):
    expect(trial, {"note": "- one\n- two \n- three"}, "FN:Ada", "NOTE:- one\\n- two \\n- three")
    expect(trial, {"note": "MO – DO\t8.00\nFR\t8.00, 9.00\nend"}, "FN:Ada", "NOTE:MO – DO\t8.00\\NFR\t8.00\\, 9.00\\r\\nend")


@report(GITHUB + "FossifyOrg/Contacts/issues/434", "The photos of an export are files beside it, one of them of a kind that is not drawn (JPEG XL).",
        right="The photos; the person whose photo is not drawn has initials, and an error that says so.", before="right")
def photos_in_files_beside_the_cards(trial):
    for name, data in [("alice.png", cards.photo()), ("kate.jxl", bytes([0xFF, 0x0A]) + bytes(64))]:
        contacts.write(trial, name, data)
    people = [("Alice", "alice.png"), ("Bob", "./alice.png"), ("Kate", "kate.jxl")]
    book = contacts.write(trial, "index.vcf", "".join(contacts.vcard(f"FN:{name}", f"PHOTO;VALUE=uri:{photo}", version="4.0") for name, photo in people))
    result = contacts.expect_contacts(trial, book, [{"name": "Alice", "avatar": "photo"}, {"name": "Bob", "avatar": "photo"}, {"name": "Kate", "avatar": "initials"}])
    trial.require("there is an error", bool(result["contacts"][2]["photoProblem"]))
