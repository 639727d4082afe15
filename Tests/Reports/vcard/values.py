"""Values that carry traces of another format, or of the program that wrote them."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, *lines, version="3.0", **fields):
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", *lines, version=version)
    contacts.expect_contacts(trial, contacts.write(trial, "ada.vcf", card), [{"name": "Ada Moe", **fields}])


@report(GITHUB + "skarim/vobject/issues/150", GITHUB + "ranguard/text-vcard/issues/31", GITHUB + "tutao/tutanota/issues/4090",
        "A postal address begins in the part of the post office box: its lines stand one after the other, or in one part.",
        right="The lines in their order; a card that keeps to the parts has the code before the town, as before.", before="wrong")
def lines_in_place_of_parts(trial):
    expect(trial, "ADR;TYPE=home:Storgata 1;0150 Oslo;Norge", "ADR:2. etg.;Storgata 2;Oslo;0150;Norge", "ADR:Storgata 3\\, 0150 Oslo", "ADR:Postboks 1;;;Oslo;;0150;Norge",
           addresses=["Storgata 1\n0150 Oslo\nNorge", "2. etg.\nStorgata 2\nOslo\n0150\nNorge", "Storgata 3, 0150 Oslo", "Postboks 1\n0150 Oslo\nNorge"])


@report(GITHUB + "unitag/QRCODES-API/issues/13", GITHUB + "nextcloud/contacts/issues/1855", GITHUB + "ultimatemember/Extended/issues/20",
        "The plus sign of a number is escaped, by a backslash or as in a URL, or a comma inside of it.", right="The number.", before="wrong")
def numbers_with_escapes(trial):
    expect(trial, "TEL:\\+4722550101", "TEL:%2B4722550102", "TEL:+4722550105\\,\\,12",
           phones=["+4722550101", "+4722550102", "+4722550105,,12"])


@report(GITHUB + "nextcloud/contacts/issues/1297", "Pauses of a number are escaped twice.", right="The number with its pauses, and without backslashes.", before="wrong")
def pauses_that_are_escaped_twice(trial):
    expect(trial, "TEL;TYPE=\"WORK,FAX\":205246\\\\;\\\\;\\\\,\\\\;", phones=["205246;;,;"])


@report(GITHUB + "sabre-io/Baikal/issues/223", GITHUB + "jackbearheart/email-addresses/issues/6",
        "A mail address is a link of a page or of Markdown, is in quotes, has escaped brackets, or the dot of a sentence behind it.", right="The address, by which others find the contact.",
        before="wrong")
def links_in_place_of_mail_addresses(trial):
    expect(trial, "EMAIL:[ada1@example.org](mailto:ada1@example.org)", "EMAIL:\"ada2@example.org\"", "EMAIL:\\<ada3@example.org\\>", "EMAIL:ada4@example.org.",
           "EMAIL:\"Moe, Ada\" <ada5@example.org>", emails=[f"ada{number}@example.org" for number in range(1, 6)])


@report(GITHUB + "hitobito/hitobito/issues/710", GITHUB + "nextcloud/contacts/issues/942", "The type of a number is in the user's language.", right="The type that all programs know.", before="wrong")
def types_in_other_languages(trial):
    expect(trial, "TEL;TYPE=arbeit:1", "TEL;TYPE=mobil:2", "TEL;TYPE=Privat:3", "TEL;TYPE=travail:4", "TEL;TYPE=trabajo:5", "TEL;TYPE=lavoro:6", "TEL;TYPE=celular:7",
           **{"phones types": [["work"], ["cell"], ["home"], ["work"], ["work"], ["work"], ["cell"]]})


@report(GITHUB + "broekema41/obsidian-vcf-contacts/issues/90", GITHUB + "nextcloud/contacts/issues/3980", "A card has a version and an identifier, and nothing of a person.",
        right="The other contacts, and no error: nothing is lost. A card whose properties are all empty is reported.", before="wrong")
def cards_of_nothing(trial):
    ada = contacts.vcard("FN:Ada Moe")
    empty = contacts.vcard() + contacts.vcard("UID:a", "REV:20240101T000000Z", "PRODID:-//Example//EN") + "BEGIN:VCARD\r\nEND:VCARD\r\n"
    result = contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", empty + ada + empty), [{"name": "Ada Moe"}])
    trial.expect("status", result["status"], 0)
    contacts.expect_contacts(trial, contacts.write(trial, "b.vcf", ada + contacts.vcard("FN:", "TEL:")), [{"name": "Ada Moe"}], failures=1)


@report(GITHUB + "kewisch/ical.js/issues/402", GITHUB + "nextcloud/contacts/issues/944", "A name, an address or a number begins with what looks like a parameter: LV=, or has equals signs, colons and percent signs.",
        right="The texts as they are: parameters stand before the colon.", before="right")
def texts_that_look_like_parameters(trial):
    expect(trial, "ADR;LABEL=\"LV=, Torget\\n24103 Kiel\\nDE\";TYPE=home:;;LV=\\, Tor", " get;Kiel;;24103;DE", "EMAIL;PREF=1;TYPE=home:LV=.post@example.org", "TEL:*#06#=1",
           "ORG:Dept: A=B", "TITLE:BEGIN:VCARD", "NOTE:50%20off;x=1\\nEND:VCARD is text", version="4.0",
           addresses=["LV=, Torget\n24103 Kiel\nDE"], emails=["LV=.post@example.org"], phones=["*#06#=1"], organisation=["Dept: A=B"], title="BEGIN:VCARD",
           note="50%20off;x=1\nEND:VCARD is text")


@report(GITHUB + "kparal/esmska/issues/158", GITHUB + "owncloud/contacts/issues/335", "A card of an old phone has a company in quoted-printable, a number, and neither N nor FN.", right="The company by its name, with its number.", before="right")
def companies_of_old_phones(trial):
    card = contacts.vcard("ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zuba=C5=99ka", "TEL;PREF:+420777000222", version="2.1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"name": "Zubařka", "initials": "Z", "phones": ["+420777000222"]}])


@report(GITHUB + "you-apps/ConnectYou/issues/421", GITHUB + "m-i-n-a-r/birday/issues/64", "The formatted name is another one than the parts make, or the parts are all in the first one.",
        right="The formatted name is shown, and the contact is found by its parts, too.", before="right")
def formatted_names_of_their_own(trial):
    card = contacts.vcard("N:Hickmann;Antonia;;;", "FN:Toni", version="4.0") + contacts.vcard("N:Ada Moe", "FN:Ada Moe", "BDAY;VALUE=DATE:19500101", version="4.0")
    path = contacts.write(trial, "a.vcf", card)
    contacts.expect_contacts(trial, path, [{"name": "Toni"}, {"name": "Ada Moe", "initials": "AM", "birthday": "1950-01-01"}])
    for word in ("toni", "hickmann", "antonia"):
        trial.require(word, b"Toni" in trial.run("contacts", "ls", path, "--search", word).stdout)
