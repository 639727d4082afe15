"""Texts that programs damaged on their way into a card, in ways that can be undone."""
from support import contacts
from support.report import report


def expect(trial, fields, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard(*lines, version=version))
    contacts.expect_contacts(trial, book, [fields])


@report("https://github.com/nextcloud/contacts/issues/2365", "https://github.com/DanielHabenicht/ngx-vcard/issues/717",
        "A program took UTF-8 for Latin-1, and wrote it as UTF-8 once more.", right="The letters that people wrote; signs behind a capital letter stay.", before="wrong")
def utf_8_in_utf_8(trial):
    names = ["Müller", "Ödön Žák", "Łódź", "Юрий", "山田", "Ada 👩", "O’Hara", "„Bibi“"]
    for name in names:
        for encoded in (name.encode().decode("cp1252", "surrogateescape"), name.encode().decode("latin-1")):
            if any(0xD800 <= ord(letter) <= 0xDFFF for letter in encoded):
                continue
            expect(trial, {"formatted": name, "organisation": [name]}, f"FN:{encoded}", f"ORG:{encoded}")
    for name in ["CAFÉ®", "Ärö ½", "São João", "Ñandú º", "Ça ª"]:
        expect(trial, {"formatted": name}, f"FN:{name}")


@report("https://github.com/forwardemail/forwardemail.net/issues/573", "https://github.com/tine20/tine20/issues/3558", "Texts have the references of HTML, once or twice, also for the parts of a name.",
        right="The characters. An ampersand that begins no reference stays.", before="wrong")
def references_of_html(trial):
    expect(trial, {"name": "Jürgen O'Neill", "family": "O'Neill", "given": "Jürgen", "organisation": ["Moe & Sohn", "Büro"], "groups": ["Chor & Band"],
                   "note": "R&D; AT&T", "title": "Chef 👩"},
           "N:O&#39;Neill;J&uuml;rgen;;;", "FN:J&#xFC;rgen O&#39\\;Neill", "ORG:Moe &amp;amp; Sohn;B&uuml;ro", "CATEGORIES:Chor &amp\\; Band", "NOTE:R&D; AT&T",
           "TITLE:Chef &#55357;&#56425;")


@report("https://github.com/frappe/suite/pull/599", "https://github.com/nextcloud/contacts/issues/234", "https://github.com/RealRaven2000/SmartTemplates/issues/125",
        "A name is a word of a mail's header: =?UTF-8?Q?...?=.", right="The name, also if it is in several words or has plain text beside it.", before="wrong")
def words_of_mail_headers(trial):
    expect(trial, {"name": "Eva Müller", "family": "Müller"}, "N:=?UTF-8?B?TcO8bGxlcg==?=;Eva;;;", "FN:=?utf-8?q?Eva_M=C3=BCller?=")
    expect(trial, {"name": "Eva, Bo und Ößler"}, "FN:Eva\\, =?ISO-8859-1?Q?Bo_und_?= =?iso-8859-1*de?Q?=D6=DFler?=")
    expect(trial, {"name": "Kim/김민수", "note": "2+2=?"}, "FN:Kim/=?UTF-8?B?6rmA66+87IiY?=", "NOTE:2+2=?")


@report("https://github.com/nextcloud/contacts/issues/3736", "Commas and semicolons of a note are escaped twice.", right="The note without backslashes.", before="wrong")
def escaped_twice(trial):
    expect(trial, {"note": "Kiel, b. 2023; C:\\new"}, "FN:Ada", "NOTE:Kiel\\\\\\, b. 2023\\\\\\; C:\\\\new")


@report("https://github.com/tutao/tutanota/issues/1712", "https://github.com/bethropolis/kcd/issues/38",
        "Each character of a name is escaped as quoted-printable, which is not declared.", right="The name.", before="wrong")
def all_characters_escaped(trial):
    expect(trial, {"name": "Moritz Ek", "family": "Ek"}, "N:=45=6B;=4D=6F=72=69=74=7A;;;", "FN:=4D=6F=72=69=74=7A=20=45=6B", version="2.1")
    expect(trial, {"name": "1=2=3"}, "FN:1=2=3")


@report("https://github.com/nemtrif/utfcpp/issues/5", "https://github.com/nemtrif/utfcpp/issues/6",
        "Android and data bases encode both halves of an emoji by themselves (CESU-8).", right="The emoji, and all other names of the card.", before="wrong")
def emoji_in_halves(trial):
    halves = b"\xed\xa0\xbd\xed\xb1\xa9"
    for line in (b"FN:Ada \xc3\x98 " + halves, b"FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Ada =C3=98 =ED=A0=BD=ED=B1=A9"):
        book = contacts.write(trial, "a.vcf", b"BEGIN:VCARD\r\nVERSION:2.1\r\n" + line + b"\r\nORG:Br\xc3\xb8l\r\nEND:VCARD\r\n")
        contacts.expect_contacts(trial, book, [{"name": "Ada Ø 👩", "organisation": ["Brøl"]}])


@report("https://github.com/mozilla-b2g/gaia/pull/12639", "https://github.com/linagora/twake-drive/pull/342",
        "A program had no value, and wrote null or undefined instead.", right="Nothing there: the contact is shown by what it has. Null is a name.", before="wrong")
def null_in_place_of_nothing(trial):
    expect(trial, {"name": "Werft", "initials": "W", "family": "", "phones": [], "emails": ["a@example.org"], "note": None, "birthday": None, "photo": None},
           "N:null;null;;;", "FN:null null", "PHOTO:null", "PHOTO;ENCODING=b:undefined", "ORG:Werft", "TEL:null", "EMAIL:undefined", "EMAIL:a@example.org", "NOTE:(null)", "BDAY:undefined")
    expect(trial, {"name": "Eva Null", "family": "Null"}, "N:Null;Eva;;;", "FN:Eva Null")


@report("https://github.com/jackbearheart/email-addresses/issues/6", "https://github.com/jeevatkm/ReplyWithHeader-Apple-Mail/issues/38",
        "https://github.com/creecros/Mailmagik/issues/54", "Outlook and mail programs keep names in the quotes that they had in a mail.",
        right="The name without quotes around it; those of a nickname in it stay.", before="wrong")
def names_in_quotes(trial):
    expect(trial, {"name": "Moe, Ada", "family": "Moe"}, 'N:"Moe";\'Ada\';;;', "FN:'Moe\\, Ada'")
    expect(trial, {"name": 'Ada "Bibi" Moe', "family": "'t Hooft"}, "N:'t Hooft;Ada;;;", 'FN:Ada "Bibi" Moe')


@report("https://univik.com/blog/fix-vcf-file-errors", "A file was damaged: zeros stand between the cards and inside of their texts.", right="The contacts, without the zeros.",
        before="wrong")
def zeros_in_a_file(trial):
    card = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:%s\r\nORG:We\0rft\r\nTEL:1\0\0\r\nEND:VCARD\r\n"
    book = contacts.write(trial, "a.vcf", bytes(512) + card % b"Ad\0a" + bytes(512) + card % b"Bo")
    contacts.expect_contacts(trial, book, [{"name": name, "initials": name[0], "organisation": ["Werft"], "phones": ["1"]} for name in ("Ada", "Bo")])


@report("https://github.com/mstilkerich/rcmcarddav/issues/78", "https://github.com/silent-suite/silentsuite/issues/758", "https://github.com/SimpleMobileTools/Simple-Contacts/issues/372",
        "A card has a line that is none, one type five times, a part that was encoded twice, and a misspelled parameter.", right="All that can be read.", before="wrong")
def damaged_lines(trial):
    twice = "ská".encode().decode("cp1252")
    expect(trial, {"name": "Jon Ää", "phones": ["1"], "phones types": [["cell"]], "addresses": ["312\n46803 Stadt\n?e " + "ská"], "addresses types": [["home"]]},
           "N;ECODING=QUOTED-PRINTABLE:=C3=84=C3=A4;Jon", ';="Mobile Phone: +000000":', "TEL;TYPE=CELL;TYPE=CELL:1", "X-UNKNOWN-ELEMENT;TYPE=Home Address:312\\n46803 Stadt",
           f"ADR;TYPE=HOME;TYPE=HOME;TYPE=HOME:;;312;Sta\r\n dt;;46803;?e {twice}", "FN;ECODING=QUOTED-PRINTABLE:Jon =C3=84=C3=A4")
    expect(trial, {"addresses": ["Chesham House\n30-31"]}, "FN:Ada", "ADR;HOME:;;=43=68=65=73=68=61=6D=20=48=6F=75=73=65=0A=33=30=2D=33=31;;;;", version="2.1")


@report("https://github.com/aluxnimm/outlookcaldavsynchronizer/issues/85", "Addresses of mail and of the web have references of HTML.", right="The addresses.", before="wrong")
def references_in_addresses(trial):
    expect(trial, {"emails": ["ada@example.org"], "websites": ["https://example.org/?a=1&b=2"]}, "FN:Ada", "EMAIL:ada&#64;example.org", "URL:https://example.org/?a=1&amp;b=2")
