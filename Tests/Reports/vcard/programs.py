"""What programs add to a card: phones, accounts and people around a contact, in properties and parameters of their own."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, fields, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", *lines, version=version))
    contacts.expect_contacts(trial, book, [fields])


@report(GITHUB + "owncloud-archive/contacts/issues/1044", "Outlook has more kinds of numbers than vCards, and writes the others as X-MS-TEL; a telex is an EMAIL of the type TLX.",
        right="All numbers and the account; a telex is no mail address.", before="wrong")
def phones_and_accounts_of_outlook(trial):
    expect(trial, {"phones": ["1", "2", "3", "4"], "phones types": [["work", "voice"], ["voice"], ["voice"], []], "emails": ["ada@example.org"], "social": ["ada@im.example.org"]},
           "TEL;TYPE=WORK,VOICE:1", "X-MS-TEL;TYPE=VOICE;ASSISTANT=:2", "X-MS-TEL;TYPE=VOICE;COMPANY=:3", "X-MS-TEL;TTYTDD=:4", "EMAIL;TYPE=PREF,INTERNET:ada@example.org",
           "EMAIL;TYPE=TLX:55 12", "X-MS-IMADDRESS:ada@im.example.org", "X-MS-OL-DEFAULT-POSTAL-ADDRESS:1")
    expect(trial, {"phones": ["2"], "phones types": [["voice", "callback"]], "emails": [], "related": ["Kim"], "related types": [["child"]]},
           "X-MS-TEL;VOICE;CALLBACK:2", "EMAIL;TLX:55 12", "X-MS-CHILD:Kim", version="2.1")


@report(GITHUB + "nextcloud/contacts/issues/1620", GITHUB + "tutao/tutanota/issues/6723", "Android keeps the people around a contact in rows of its own, by numbers of their kinds or in a word.",
        right="All of them, with what they are.", before="wrong")
def people_in_rows_of_android(trial):
    row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;"
    quoted = "X-ANDROID-CUSTOM;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:vnd.android.cursor.item/relation;"
    expect(trial, {"related": ["Kim", "Jo", "Jürgen", "Al"], "related types": [["spouse"], [], ["mother"], ["parent"]], "related labels": [None, "Godmother", None, None]},
           row + "Kim;14;;;;;;;;;;;;;", row + "Jo;0;Godmother;;;;;;;;;;;;", quoted + "J=C3=BCrgen;8;;;;;;;;;;;;;", row + "Al;9;;;;;;;;;;;;;", row + "Al;9;;;;;;;;;;;;;", version="2.1")


@report(GITHUB + "tutao/tutanota/issues/9968", "A row of Android is an event with a word of the user, among others that of a wedding.",
        right="The anniversary; other events are no birthdays.", before="wrong")
def events_in_words_of_android(trial):
    row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;"
    expect(trial, {"anniversary": "2010-05-01", "birthday": None}, row + "2030-15-07;0;MyEvent;;;;;;;;;;;;", row + "2010-05-01;0;Hochzeitstag;;;;;;;;;;;;", version="2.1")


@report(GITHUB + "automagik-dev/omni/issues/330", GITHUB + "open-wa/wa-automate-nodejs/issues/272", GITHUB + "green-api/issues/issues/434",
        "WhatsApp marks a number by waid, and writes the name of a shop as X-WA-BIZ-NAME.", right="The number, the account and the shop.", before="wrong")
def accounts_of_whatsapp(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "N:;Ada;;;", "item1.TEL;waid=15550100:+1 555-0100", "item1.X-ABLabel:Mobile", "X-WA-BIZ-NAME:Werft")
                          + contacts.vcard("FN:Bo", "TEL;type=CELL;type=VOICE;waid= 4722550199:+47 22 55 01 99", "TEL;TYPE=WhatsApp:+47 1"))
    result = contacts.expect_contacts(trial, book, [
        {"phones": ["+1 555-0100"], "phones labels": ["Mobile"], "organisation": ["Werft"]}, {"phones": ["+47 22 55 01 99", "+47 1"]}])
    accounts = [contact.get("messengers", {}).get("whatsapp") for contact in result["contacts"]]
    trial.expect("accounts", accounts, ["+15550100", "+4722550199"])


@report(GITHUB + "cyrusimap/cyrus-imapd/issues/2953", "Fastmail writes X-SOCIAL-PROFILE with the account as a parameter in quotes, and no value.",
        right="The account, with its comma.", before="wrong")
def accounts_without_a_value(trial):
    expect(trial, {"social": ["foo,bar", "ada"], "social types": [["github"], ["mastodon"]]},
           'X-SOCIAL-PROFILE;TYPE=github;X-USER="foo,bar":', "SOCIALPROFILE;SERVICE-TYPE=Mastodon;USERNAME=ada:")


@report(GITHUB + "mstilkerich/rcmcarddav/blob/master/doc/devdoc/IMPP.md", GITHUB + "nextcloud/contacts/issues/1396",
        "Programs name the network of an account by a scheme, a service, a type or a property, in words of their own, and Apple writes accounts twice.",
        right="Each account once, and one name for each network.", before="wrong")
def names_of_networks(trial):
    expect(trial, {"social": ["1234", "mike@example.org"], "social types": [["icq"], ["mikesim"]], "social labels": ["Other", "MikesIM"]},
           "item3.X-ICQ;type=pref:1234", "item3.X-ABLabel:_$!<Other>!$_", "item6.IMPP;X-SERVICE-TYPE=ICQ:aim:1234", "item6.X-ABLabel:_$!<Other>!$_",
           "item8.IMPP;X-SERVICE-TYPE=MikesIM:x-apple:mike@example.org", "item8.X-ABLabel:MikesIM")
    expect(trial, {"social": ["12345", "a", "b@example.org", "c", "d"], "social types": [["icq"], ["gadugadu"], ["gtalk"], ["yahoo"], ["irc"]]},
           "IMPP:icq:12345", "IMPP:gg:a", "X-GADUGADU:a", "IMPP:gadu:a", "IMPP:googletalk:b@example.org", "IMPP:google:b@example.org", "X-GOOGLE-TALK:b@example.org",
           "IMPP:ymsgr:c", "X-YAHOO:c", "IMPP:irc:d")
    expect(trial, {"social": ["a@example.org", "b@example.org", "c@example.org", "d"], "social types": [["skype"], ["xmpp"], ["sip"], ["zoom"]]},
           "IMPP;TYPE=SKYPE:a@example.org", "IMPP;TYPE=XMPP:b@example.org", "IMPP;TYPE=SIP:c@example.org", "IMPP;TYPE=ZOOM:d")


@report(GITHUB + "nextcloud/contacts/issues/3654", GITHUB + "nextcloud/contacts/issues/1940", "Related people stand in groups with a custom label and VALUE=UNKNOWN, or as text without VALUE.",
        right="The people, with their labels.", before="right")
def people_of_nextcloud(trial):
    expect(trial, {"related": ["Kim Moe", "Jo Aas"], "related labels": ["Godmother", None], "related types": [["contact"], ["contact"]]},
           "NEXTCLOUD1.RELATED;TYPE=CONTACT;VALUE=UNKNOWN:Kim Moe", "NEXTCLOUD1.X-ABLABEL:Godmother", "RELATED;TYPE=CONTACT:Jo Aas")


@report(GITHUB + "nextcloud/contacts/issues/3705", "The labels of a number and of a page are names of messengers, as people choose them on an iPhone.", right="The number and the page with their labels, and the accounts.",
        before="right")
def labels_of_messengers(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "item1.TEL:+47 22", "item1.X-ABLabel:WhatsApp", "item2.TEL:+47 23", "item2.X-ABLabel:_$!<Main>!$_",
                                                         "item3.URL:https://t.me/ada", "item3.X-ABLabel:Telegram"))
    result = contacts.expect_contacts(trial, book, [{"phones": ["+47 22", "+47 23"], "phones labels": ["WhatsApp", "Main"]}])
    trial.expect("accounts", result["contacts"][0].get("messengers"), {"telegram": "ada", "whatsapp": "+47 22"})


@report(GITHUB + "mudita/mudita-center/pull/2862", "Cards of one file are of versions 2.1, 3.0 and 4.0, of none, or of one that does not exist.", right="All contacts, each read as its own version says.",
        before="right")
def versions_in_one_file(trial):
    lines = ("FN:Ada", "TEL;CELL:1", "NOTE:a", "  b")
    text = contacts.vcard(*lines, version="2.1") + contacts.vcard(*lines) + contacts.vcard("FN:Ada", "TEL;VALUE=uri;TYPE=cell:tel:1", version="4.0")
    text += contacts.vcard(*lines, version="9.9") + contacts.vcard(*lines).replace("VERSION:3.0\r\n", "")
    notes = ["a  b", "a b", None, "a b", "a b"]
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", text), [{"name": "Ada", "note": note, "phones": ["1"], "phones types": [["cell"]]} for note in notes])


@report(GITHUB + "MicrosoftDocs/microsoft-365-docs/issues/10217", GITHUB + "hitobito/hitobito/issues/710", "Google adds an empty address with an empty label to each card; a type is in the language of the user.",
        right="The number with what it is, and no address.", before="right")
def empty_addresses_of_google(trial):
    expect(trial, {"phones": ["1", "2"], "phones types": [[], ["work"]], "phones labels": [None, None], "addresses": []},
           "item1.TEL:1", "TEL;TYPE=arbeit:2", "item2.ADR:;;;;;;", "item2.X-ABLabel:", "item1.X-ABLabel:")


@report(GITHUB + "Kozea/Radicale/issues/1492", GITHUB + "py-vobject/vobject/issues/111", "Apple puts a place with quotes inside, across a fold, into a parameter of a property of its own.",
        right="The other fields.", before="right")
def places_of_apple(trial):
    expect(trial, {"phones": ["1"], "note": "hi"}, "NOTE:hi", "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS=Αεροδρόμιο", ' \\"Μακεδονία\\" 551 03;X-TITLE=Intern',
           " ational Airport:geo:40.52,22.97", "TEL:1")


@report(GITHUB + "nextcloud/contacts/issues/3486", GITHUB + "emersion/go-vcard/pull/40", GITHUB + "enesser/vCards-js/pull/83",
        "A name has more than five parts, or a semicolon inside of a part, as a company may.", right="The parts that all programs know; the company by its whole name.", before="right")
def more_parts_of_a_name(trial):
    expect(trial, {"given": "Test", "family": "Contact", "suffix": ""}, "N:Contact;Test;;;;TehTest;;")
    expect(trial, {"given": "c", "family": "a;b"}, "N:a\\;b;c;;;")
    expect(trial, {"organisation": ["ACME; Inc.", "Sales"]}, "ORG:ACME\\; Inc.;Sales")
