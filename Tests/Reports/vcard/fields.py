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
