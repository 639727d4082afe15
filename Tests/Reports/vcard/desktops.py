"""Properties that programs of desktops have for themselves."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def expect(trial, *lines, **fields):
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", *lines)
    contacts.expect_contacts(trial, contacts.write(trial, "ada.vcf", card), [{"name": "Ada Moe", **fields}])


@report(GITHUB + "mstilkerich/rcmcarddav/blob/v4.1.0/doc/devdoc/IMPP.md", "KAddressBook writes accounts of messengers as X-messaging/xmpp-All, with a slash in the name, several with a sign between them, and highrisehq.com as X-GOOGLE TALK, with a blank.",
        right="Each account with its network.", before="wrong")
def names_with_slashes_and_blanks(trial):
    expect(trial, "X-messaging/xmpp-All:ada@xmpp.example.org", "X-messaging/icq-All:12345", "X-messaging/skype-All:ada.moe", "X-GOOGLE TALK:ada@talk.example.org",
           social=["ada@xmpp.example.org", "12345", "ada.moe", "ada@talk.example.org"], **{"social types": [["xmpp"], ["icq"], ["skype"], ["gtalk"]]})
    networks = ["aim", "msn", "yahoo", "gadu", "meanwhile", "irc"]
    expect(trial, *[f"X-messaging/{network}-All:ada" for network in networks], "X-messaging/jabber-All:one@example.org\ue000two@example.org",
           social=["ada"] * 6 + ["one@example.org", "two@example.org"],
           **{"social types": [["aim"], ["msn"], ["yahoo"], ["gadugadu"], ["meanwhile"], ["irc"], ["jabber"], ["jabber"]]})


@report("https://en.wikipedia.org/wiki/VCard", GITHUB + "nextcloud/contacts/issues/3705", "Evolution and KAddressBook have blogs in properties of their own, and KAddressBook one account without a network.",
        right="The pages and the account, with the others.", before="wrong")
def pages_and_accounts_of_desktops(trial):
    expect(trial, "X-EVOLUTION-BLOG-URL:https://blog.example.org", "X-KADDRESSBOOK-BlogFeed:https://feed.example.org",
           "URL:https://ada.example.org", "X-KADDRESSBOOK-X-IMAddress:ada@im.example.org",
           websites=["https://blog.example.org", "https://feed.example.org", "https://ada.example.org"], social=["ada@im.example.org"])


@report(GITHUB + "libical/libical/issues/339", "Outlook writes the name of a spouse as X-MS-SPOUSE;N:.", right="The spouse, and no relation of the kind n.", before="wrong")
def spouse_of_outlook(trial):
    expect(trial, "X-MS-SPOUSE;N:Bo Lie", related=["Bo Lie"], **{"related types": [["spouse"]]})


@report(GITHUB + "DarkHobbit/doublecontact/issues/41", "Nicknames are in X-NICKNAME, also in a vCard 3.0, and in X-EPOCSECONDNAME of Nokia.", right="The nicknames.", before="wrong")
def nicknames_of_phones(trial):
    expect(trial, "X-NICKNAME:Addie", "X-EPOCSECONDNAME:Ad", nicknames=["Addie", "Ad"])


@report(GITHUB + "joonhocho/vcard-generator/issues/3", GITHUB + "jens-maus/carddav2fb/pull/51", "A number, a mail address and a page have a LABEL, as vCard 4 gives it to postal addresses.",
        right="The label, as that of a group; types in it are types.", before="wrong")
def labels_of_numbers(trial):
    expect(trial, 'TEL;LABEL="Summer house":1', "TEL;LABEL=WORK:2", "EMAIL;LABEL=Club:ada@example.org", "URL;LABEL=Shop:https://example.org",
           phones=["1", "2"], emails=["ada@example.org"], **{"phones labels": ["Summer house", None], "phones types": [[], ["work"]],
                                                            "emails labels": ["Club"], "websites labels": ["Shop"]})


@report(GITHUB + "nextcloud/talk-desktop/issues/1421", GITHUB + "maltaisn/another-notes-app/issues/141", "The address of a page has angle brackets around it, as in a text.",
        right="The address, also in a table, without the brackets.", before="wrong")
def pages_in_brackets(trial):
    expect(trial, "URL:<https://example.org/a>", "URL:<URL:https://example.org/b>", "X-SOCIALPROFILE;TYPE=mastodon:<https://social.example/@ada>",
           websites=["https://example.org/a", "https://example.org/b"], social=["https://social.example/@ada"])
    table = contacts.write(trial, "book.csv", "Name,Email,Website\nAda,ada@example.org,<https://example.org>\n")
    contacts.expect_contacts(trial, table, [{"websites": ["https://example.org"]}])
