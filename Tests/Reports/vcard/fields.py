"""Fields that programs write in ways of their own: dates, accounts, labels, categories, addresses."""
from support import contacts
from support.report import report


def expect(trial, fields, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", *lines, version=version))
    contacts.expect_contacts(trial, book, [fields])


@report("https://github.com/owncloud/contacts/issues/488", "https://github.com/owncloud/contacts/issues/474",
        "Birthdays are written as in a country or by a phone: Jan 1, 1970, and 20.12.1977.", right="The date, where day and month cannot be mistaken; else the text.",
        before="wrong")
def birthdays_of_countries(trial):
    for value, day in [("Jan 1, 1970", "1970-01-01"), ("20.12.1977", "1977-12-20"), ("12/20/1977", "1977-12-20"), ("1977.12.20", "1977-12-20"),
                       ("1977-2-5", "1977-02-05"), ("0000-12-20", "--12-20"), ("0000-00-00", None), ("05/07/1990", "05/07/1990"), ("circa 1800", "circa 1800")]:
        expect(trial, {"birthday": day}, f"BDAY:{value}")


@report("https://github.com/owncloud/contacts/issues/466", "https://github.com/nextcloud/server/issues/16086",
        "A birthday lost one of its hyphens, or the parameter that says that it has no year.", right="The date; 1604 is no year of birth.", before="right")
def birthdays_that_lost_a_part(trial):
    for value, day in [(":2016-0928", "2016-09-28"), (";value=date:1604-06-26", "--06-26"), (";X-APPLE-OMID-YEAR=1604:16040626", "--06-26"), (";VALUE=DATE:", None)]:
        expect(trial, {"birthday": day}, "BDAY" + value)


@report("https://github.com/FossifyOrg/Contacts/issues/544", "https://github.com/nextcloud/server/issues/26997",
        "An anniversary is one of Android's rows.", right="The day.", before="wrong")
def anniversary_of_android(trial):
    row = "X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;"
    expect(trial, {"anniversary": "2010-05-01", "birthday": "1985-04-12"}, row + "2010-05-01;1;;;;;;;;;;;;;", row + "1985-04-12;3;;;;;;;;;;;;;", version="2.1")


@report("https://github.com/cozy/cozy-vcard/issues/9", "https://github.com/lucc/khard/pull/105", "Accounts have properties of each network, and IMPP beside them.",
        right="Each account once, with its network.", before="wrong")
def accounts_of_each_network(trial):
    names = ["AIM", "ICQ", "JABBER", "MSN", "QQ", "SKYPE", "YAHOO"]
    expect(trial, {"social": [f"ada{name}" for name in names], "social types": [[name.lower()] for name in names]}, *[f"X-{name}:ada{name}" for name in names])
    expect(trial, {"social": ["live:ada", "ada@example.org"]}, "X-SKYPE:live:ada", "IMPP;X-SERVICE-TYPE=skype:skype:live:ada",
           "IMPP:xmpp:ada@example.org", "X-JABBER:ada@example.org")


@report("https://github.com/nextcloud/contacts/issues/1028", "The label of a number has its types: WORK\\;VOICE\\;PREF.", right="The types; a label that a person wrote stays.",
        before="wrong")
def types_in_a_label(trial):
    expect(trial, {"phones": ["1", "2", "3"], "phones types": [["work", "voice"], ["cell"], []], "phones labels": [None, None, "Boot"]},
           "4L06RU.TEL;TYPE=\"WORK,VOICE\":1", "4L06RU.X-ABLABEL:VOICE", "FACL6F.TEL;TYPE=CELL:2", "FACL6F.X-ABLABEL:PREF\\;CELL", "ITEMTEL3.TEL:3",
           "ITEMTEL3.X-ABLABEL:Boot")


@report("https://github.com/ranguard/text-vcard/issues/63", "https://github.com/DarkHobbit/doublecontact/issues/39",
        "Categories stand between semicolons, or in X-CATEGORIES.", right="Each category by itself.", before="wrong")
def categories_between_semicolons(trial):
    expect(trial, {"groups": ["Chor", "Werft", "Boot"]}, "CATEGORIES:Chor;Werft", "X-CATEGORIES:Werft;Boot")


@report("https://github.com/Fedict/dcattools/issues/182", "https://github.com/berkholz/vcard2fritzXML/issues/22",
        "A property has two e-mail addresses, or one with a name.", right="Each address by itself, and found by it.", before="wrong")
def two_addresses_in_one_property(trial):
    expect(trial, {"emails": ["a@example.org", "b@example.org"]}, "EMAIL;TYPE=WORK:a@example.org; b@example.org")
    book = contacts.write(trial, "b.vcf", contacts.vcard("FN:Ada", "EMAIL:a@example.org,b@example.org") + contacts.vcard("FN:Bo", "EMAIL:Bo Moe <c@example.org>"))
    for address, name in [("b@example.org", "Ada"), ("c@example.org", "Bo")]:
        shown = trial.run("contacts", "query", address, "--book", book).stdout.decode()
        trial.expect(address, address in shown and name in shown, True)


@report("https://github.com/mstilkerich/rcmcarddav/issues/390", "Roundcube writes types of its own: mobile, homefax, work2.", right="The types that all programs know.", before="wrong")
def types_of_roundcube(trial):
    expect(trial, {"phones types": [["cell"], ["home", "fax"], ["work"], ["work", "fax"], ["home"]]},
           "TEL;TYPE=mobile:1", "TEL;TYPE=homefax:2", "TEL;TYPE=work2:3", "TEL;TYPE=workfax:4", "TEL;TYPE=home2:5")


@report("https://github.com/hitobito/hitobito/issues/710", "https://github.com/sabre-io/vobject/issues/318", "https://github.com/SimpleMobileTools/Simple-Contacts/issues/501",
        "Types stand in a language, in several parameters, and with PREF in between.", right="All types, and the preferred number first.", before="right")
def types_in_several_parameters(trial):
    expect(trial, {"phones": ["2", "1"], "phones types": [["iphone", "cell", "voice"], ["work"]]}, "TEL;TYPE=arbeit:1", "TEL;TYPE=iphone,cell,voice;TYPE=PREF:2")


@report("https://github.com/nextcloud/contacts/issues/1029", "https://github.com/libasys/contactsplus/issues/98",
        "The label of an anniversary is in the language of the user, or escaped for a page.", right="The anniversary.", before="wrong")
def anniversary_with_another_label(trial):
    for label in ["Hochzeitstag", "_$!&lt\\;Anniversary&gt\\;!$_", "結婚記念日"]:
        expect(trial, {"anniversary": "1990-01-04"}, f"36BU01.X-ABLABEL:{label}", "36BU01.X-ABDATE;TYPE=pref:1990-01-04")
    expect(trial, {"anniversary": None}, "a.X-ABDATE:1985-01-01", "a.X-ABLABEL:Manifest")


@report("https://github.com/nextcloud/server/issues/688", "The commas between categories are escaped.", right="Each category by itself; a comma inside of a name has a blank behind it.",
        before="wrong")
def categories_with_escaped_commas(trial):
    expect(trial, {"groups": ["Freunde", "Chor"]}, "CATEGORIES:Freunde\\,Chor")
    expect(trial, {"groups": ["Meier, Müller & Co"]}, "CATEGORIES:Meier\\, Müller & Co")


@report("https://github.com/CardBook/CardBook/issues/187", "https://github.com/nextcloud/contacts/issues/1900", "https://github.com/FolkerKinzel/VCards/issues/5",
        "Addresses are printed ones in LABEL, with parts in ADR beside them or without.", right="Each address once.", before="wrong")
def printed_addresses(trial):
    expect(trial, {"addresses": ["Weg 1\nKiel", "Allee 2\nOslo"], "addresses types": [["work"], ["home"]]}, "LABEL;WORK;ENCODING=QUOTED-PRINTABLE:Weg 1=0D=0AKiel",
           "LABEL;HOME:Allee 2\\nOslo", version="2.1")
    expect(trial, {"addresses": ["Weg 1\n24103 Kiel"]}, "ADR;WORK:;;Weg 1;Kiel;;24103;", "LABEL;WORK;ENCODING=QUOTED-PRINTABLE:Weg 1=0D=0A24103 Kiel", version="2.1")


@report("https://github.com/enesser/vCards-js/issues/11", "The LABEL of an address is empty.", right="The address from its parts.", before="right")
def empty_label_of_an_address(trial):
    expect(trial, {"addresses": ["Weg 1\n24103 Kiel"], "phones": ["1"]}, "ADR;TYPE=home;LABEL=\"\":;;Weg 1;Kiel;;24103;", "TEL:1", version="4.0")


@report("https://github.com/nextcloud/contacts/issues/3918", "https://github.com/nextcloud/contacts/issues/3919", "https://github.com/nextcloud/contacts/issues/3736",
        "Google escapes colons of addresses of the web and of notes, and writes empty labels.", right="The address of the web and the note without backslashes.", before="right")
def colons_that_google_escapes(trial):
    expect(trial, {"websites": ["https://www.example.org/"], "websites labels": ["homePage"], "note": "Mo-Fr:9-18; Sa:9", "addresses labels": [None]},
           "item1.ADR:;;12 Hafen;Kiel;;24103;DE", "item1.X-ABLabel:", "item2.URL:https\\://www.example.org/", "item2.X-ABLabel:homePage", "NOTE:Mo-Fr\\:9-18\\; Sa\\:9")


@report("https://github.com/nextcloud/contacts/issues/798", "https://github.com/nextcloud/contacts/issues/3721", "https://github.com/owncloud-archive/apps/issues/673",
        "A note has commas that are not escaped, and a fold before a colon.", right="The whole note.", before="right")
def commas_in_notes(trial):
    expect(trial, {"note": "one, two;three:four", "phones": ["1"]}, "NOTE:one, two;three", " :four", "TEL:1")


@report("https://github.com/nextcloud/contacts/issues/4158", "https://github.com/nextcloud/contacts/issues/209", "https://github.com/owncloud-archive/contacts/issues/1052",
        "VERSION and PRODID occur several times.", right="One contact.", before="right")
def several_versions(trial):
    expect(trial, {"name": "Ada", "phones": ["1"]}, "VERSION:3.0", "VERSION:3.0", "PRODID:-//a//EN", "PRODID:-//b//EN", "TEL:1")


@report("https://github.com/nextcloud/contacts/issues/3659", "https://github.com/bitfireAT/vcard4android/issues/51",
        "The date of change has thousandths of a second, or is none.", right="The contact.", before="right")
def dates_of_change(trial):
    for value in [":2016-12-07T13:12:25.380Z", ";VALUE=DATE:15668479"]:
        expect(trial, {"name": "Ada", "phones": ["1"]}, "REV" + value, "TITLE:", "TEL;TYPE=mobile;VALUE=UNKNOWN:1")


@report("https://github.com/39aldo39/Evolution-DecSync/issues/13", "Evolution keeps a number in parts, with a comma between, as a parameter.", right="The number with its type.", before="right")
def parts_of_a_number_as_a_parameter(trial):
    expect(trial, {"phones": ["+43 1"], "phones types": [["cell"]]}, "TEL;X-EVOLUTION-E164=69918466863,\"+43\";TYPE=cell:+43 1")
