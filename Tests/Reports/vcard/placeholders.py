"""Cards that say nothing in a place where something is required, and labels in the place of types."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, fields, *lines, version="3.0"):
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", contacts.vcard(*lines, version=version)), [fields])


@report(GITHUB + "chatmail/core/issues/6068", GITHUB + "CardBook/CardBook/issues/266", "A program filled the formatted name with the mail address or the number, and the parts of the name are known.",
        right="The name of the parts; the address or the number where nothing else is.", before="wrong")
def points_as_formatted_names(trial):
    expect(trial, {"name": "Ada Moe", "initials": "AM"}, "FN:ada@example.org", "N:Moe;Ada;;;", "EMAIL:ada@example.org")
    expect(trial, {"name": "Ada Moe"}, "N:Moe;Ada;;;", "FN:+47 22 55 01 99", "TEL:+47 22 55 01 99")
    expect(trial, {"name": "ada@example.org"}, "FN:ada@example.org", "N:;;;;", "EMAIL:ada@example.org")
    expect(trial, {"name": "Ada (ada@example.org)"}, "FN:Ada (ada@example.org)", "N:Moe;Ada;;;", "EMAIL:ada@example.org")


@report(GITHUB + "nextcloud/contacts/issues/241", GITHUB + "berkholz/vcard2fritzXML/issues/23", "A card of a company has an empty name, or the words New contact that the program fills in.",
        right="The company; a person is called as the card says.", before="wrong")
def new_contacts(trial):
    for name in ("New contact", "Neuer Kontakt", ""):
        expect(trial, {"name": "Werft", "organisation": ["Werft"]}, f"FN:{name}", "N:;;;;", "ORG:Werft")
    expect(trial, {"name": "New contact"}, "FN:New contact", "N:;;;;")
    expect(trial, {"name": "New contact"}, "FN:New contact", "N:contact;New;;;", "ORG:Werft")


@report(GITHUB + "bitfireAT/davx5-ose/issues/2259", GITHUB + "nextcloud/contacts/issues/290", "Synology writes the label of a number as a type, with its blanks; DAVx5 writes it as a type and as a label.",
        right="The label as people wrote it.", before="wrong")
def labels_as_types_with_blanks(trial):
    expect(trial, {"phones": ["1", "2"], "phones labels": ["My Label", None], "phones types": [[], ["work", "fax"]], "emails labels": ["Mutter Büro"], "addresses labels": ["Summer House"], "addresses types": [["home"]]},
           "FN:Ada", "TEL;TYPE=My Label:1", 'TEL;TYPE="WORK, FAX":2', "EMAIL;TYPE=Mutter Büro:a@example.org", 'ADR;TYPE=HOME,"Summer House":;;Weg 1;Kiel;;;')
    expect(trial, {"phones": ["1"], "phones labels": ["Test Type"]}, "FN:Ada", "DAVDROID1.TEL;TYPE=x-test_type:1", "DAVDROID1.X-ABLABEL:Test Type")


@report(GITHUB + "ranguard/text-vcard/issues/57", "Google writes the whole address once more behind the country, as an eighth part.", right="Each line once.", before="right")
def eighth_part_of_an_address(trial):
    expect(trial, {"addresses": ["Weg 1\n24103 Kiel\nSH\nDE"]}, "FN:Ada", "N:Moe;Ada;;;", "ADR;TYPE=HOME:;;Weg 1;Kiel;SH;24103;DE;Weg 1\\nKiel\\nSH\\n24103\\nDE")


@report(GITHUB + "owncloud-archive/contacts/issues/1043", GITHUB + "m-i-n-a-r/birday/issues/64", "A birthday is empty; another one stands in a card whose name has one part.",
        right="No birthday, and never today; the day where there is one.", before="right")
def birthdays_of_nothing(trial):
    expect(trial, {"name": "Ada", "birthday": None, "anniversary": None}, "FN:Ada", "BDAY;VALUE=DATE:", "ANNIVERSARY:")
    expect(trial, {"name": "Name", "birthday": "1950-01-01"}, "FN:Name", "N:Name", "BDAY;VALUE=DATE:19500101", version="4.0")


@report(GITHUB + "chatmail/core/pull/5723", "Proton writes each address in a group of its own, with keys and settings beside it, and the name with PREF=1.", right="The name and the addresses in their order.", before="right")
def cards_of_proton(trial):
    expect(trial, {"name": "Ada Moe", "emails": ["a@example.org", "b@example.org"], "emails types": [[], ["work"]], "photo": None, "websites": []},
           "PRODID;VALUE=TEXT:-//ProtonMail//ProtonMail vCard 1.0.0//EN", "FN;PREF=1:Ada Moe", "UID:proton-web-0", "ITEM2.EMAIL;TYPE=work;PREF=2:b@example.org", "ITEM1.EMAIL;PREF=1:a@example.org",
           "ITEM1.KEY;PREF=1:data:application/pgp-keys;base64,xjMEZ", "ITEM1.X-PM-ENCRYPT:true", "ITEM1.X-PM-SIGN:true", version="4.0")


@report(GITHUB + "nextcloud/contacts/issues/3447", "A nickname, a note and a related person stand in groups with labels.", right="All of them.", before="right")
def nicknames_and_notes_in_groups(trial):
    expect(trial, {"name": "Ada Moe", "nicknames": ["Asher"], "note": "archived", "related": ["Bo"], "related types": [["spouse"]]},
           "RAK1.NICKNAME:Asher", "FN:Ada Moe", "N:Moe;Ada;;;", "RAK2.NOTE:archived", "RAKR.RELATED;TYPE=SPOUSE;VALUE=TEXT:Bo", "RAK1.X-ABLABEL:Hebrew", "RAK2.X-ABLABEL:Family")


@report(GITHUB + "broekema41/obsidian-vcf-contacts/issues/80", GITHUB + "owncloud/contacts/issues/177", GITHUB + "lucc/khard/issues/57", "A company has semicolons behind it, or an escaped comma in its name and departments.", right="The company and the departments, without further signs.", before="right")
def signs_behind_companies(trial):
    expect(trial, {"name": "Börse AG", "organisation": ["Börse AG"]}, "N:;;;;", "FN:", "ORG:Börse AG;;")
    expect(trial, {"organisation": ["Example, Inc.", "North West", "Sales"]}, "FN:Ada", "ORG:Example\\, Inc.;North West;Sales")


@report(GITHUB + "pinoaffe/org-vcard/issues/21", "A telephone writes cards of an account alone, without any name.", right="The account as the name.", before="right")
def accounts_without_a_name(trial):
    expect(trial, {"name": "echo123", "social": ["echo123"], "social types": [["skype"]]}, "UID:osso-abook-tmc1", "X-SKYPE;TYPE=skype;X-OSSO-VALID=yes:echo123")


@report(GITHUB + "nextcloud/contacts/issues/712", "Google writes the lines of an address into the part of an apartment.", right="The lines.", before="right")
def lines_in_the_extended_part(trial):
    expect(trial, {"addresses": ["5 Weg\n24103 Kiel"], "addresses types": [["home"]]}, "FN:Ada", "ADR;TYPE=HOME:;5 Weg\\n24103 Kiel;;;;;")


@report(GITHUB + "FolkerKinzel/VCards/issues/3", "A telephone writes the number of a contact once more, with WhatsApp as its type.", right="Both lines of the number, and the types of each.", before="right")
def whatsapp_as_a_type(trial):
    expect(trial, {"name": "Ada 45", "phones": ["722-555", "722-555"], "phones types": [["home"], ["whatsapp"]]}, "N:;Ada 45;;;", "FN:Ada 45", "TEL;TYPE=HOME:722-555", "TEL;TYPE=WhatsApp:722-555")
