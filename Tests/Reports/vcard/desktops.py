"""Properties that programs of desktops have for themselves."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, *lines, **fields):
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", *lines)
    contacts.expect_contacts(trial, contacts.write(trial, "ada.vcf", card), [{"name": "Ada Moe", **fields}])


@report(GITHUB + "mstilkerich/rcmcarddav/blob/v4.1.0/doc/devdoc/IMPP.md", "KAddressBook writes accounts of messengers as X-messaging/xmpp-All, with a slash in the name, and highrisehq.com as X-GOOGLE TALK, with a blank.",
        right="Each account with its network.", before="wrong")
def names_with_slashes_and_blanks(trial):
    expect(trial, "X-messaging/xmpp-All:ada@xmpp.example.org", "X-messaging/icq-All:12345", "X-messaging/skype-All:ada.moe", "X-GOOGLE TALK:ada@talk.example.org",
           social=["ada@xmpp.example.org", "12345", "ada.moe", "ada@talk.example.org"], **{"social types": [["xmpp"], ["icq"], ["skype"], ["gtalk"]]})


@report("https://en.wikipedia.org/wiki/VCard", GITHUB + "nextcloud/contacts/issues/3705", "Evolution and KAddressBook have blogs in properties of their own, and KAddressBook one account without a network.",
        right="The pages and the account, with the others.", before="wrong")
def pages_and_accounts_of_desktops(trial):
    expect(trial, "X-EVOLUTION-BLOG-URL:https://blog.example.org", "X-KADDRESSBOOK-BlogFeed:https://feed.example.org",
           "URL:https://ada.example.org", "X-KADDRESSBOOK-X-IMAddress:ada@im.example.org",
           websites=["https://blog.example.org", "https://feed.example.org", "https://ada.example.org"], social=["ada@im.example.org"])


@report(GITHUB + "libical/libical/issues/339", "Outlook writes the name of a spouse as X-MS-SPOUSE;N:.", right="The spouse, and no relation of the kind n.", before="wrong")
def spouse_of_outlook(trial):
    expect(trial, "X-MS-SPOUSE;N:Bo Lie", related=["Bo Lie"], **{"related types": [["spouse"]]})
