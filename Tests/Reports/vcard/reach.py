"""Numbers and addresses as programs and people write them."""
from support import cards, contacts
from support.report import report


def expect(trial, fields, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", *lines, version=version))
    contacts.expect_contacts(trial, book, [fields])


@report("https://github.com/glific/glific/issues/4815", "https://github.com/signalapp/Signal-Android/issues/11630", "https://github.com/woocommerce/woocommerce/issues/58000",
        "A number or an address was copied with characters of no width.", right="The number and the address without them.", before="wrong")
def invisible_characters_in_numbers(trial):
    marks = ["\u202a", "\u202c", "\u2068", "\u2069", "\u200e", "\ufe0d", "\ufeff"]
    expect(trial, {"phones": ["+49 431 5501"] * len(marks), "emails": ["ada@example.org"]},
           *[f"item{index}.TEL:{mark}+49 431{mark} 5501{mark}" for index, mark in enumerate(marks)], "EMAIL:\u200bada@example.org\u200b")


@report("https://github.com/nextcloud/contacts/issues/1297", "A number ends in pauses, or has one before the digits of a code.", right="One number, as it is.", before="right")
def pauses_of_a_number(trial):
    expect(trial, {"phones": ["205246;;,;", "+49 431 550100;123456#", "0431 / 550100"]}, "TEL:205246\\;\\;\\,\\;", "TEL:+49 431 550100\\;123456#", "TEL:0431 / 550100")


@report("https://github.com/owncloud-archive/contacts/issues/818", "Two numbers stand in one property.",
        right="Two numbers: each begins as a whole number does.", before="wrong")
def two_numbers_in_one_property(trial):
    expect(trial, {"phones": ["+49 431 550100", "+49 431 550101", "0431 550102", "0171 550103"], "phones types": [["cell"]] * 2 + [["home"]] * 2},
           "TEL;TYPE=cell:+49 431 550100\\; +49 431 550101", "TEL;TYPE=home:0431 550102 / 0171 550103")


@report("https://github.com/GSConnect/gnome-shell-extension-gsconnect/issues/441", "https://github.com/GrapheneOS/os-issue-tracker/issues/8382",
        "A phone writes one number several times, once for each program that knows it.", right="The number once; other types or labels are others.", before="wrong")
def one_number_several_times(trial):
    expect(trial, {"phones": ["12345", "12345"], "phones types": [["cell"], ["home"]]}, "TEL;CELL:12345", "TEL;CELL:12345", "TEL;HOME:12345", version="2.1")


@report("https://github.com/ExchangeCalendar/exchangecalendar/issues/151", "https://github.com/Ericsson/exchangecalendar/issues/568",
        "https://github.com/the-djmaze/snappymail/pull/1454", "Exchange's addresses have their kind before them, and some are no mail addresses.",
        right="The mail addresses, without smtp:.", before="wrong")
def addresses_of_exchange(trial):
    expect(trial, {"emails": ["ada@example.org", "moe@example.org"]}, "EMAIL;TYPE=EX:/o=Werft/ou=Exchange (FYDIBOHF)/cn=Recipients/cn=ada", "EMAIL:smtp:ada@example.org",
           "EMAIL:SMTP:moe@example.org", "EMAIL:x500:/o=Werft/cn=ada", "EMAIL:SPO:SPO_1@SPO_2")


@report("https://github.com/Qowaiv/Qowaiv/pull/69", "https://github.com/djcb/mu/pull/2501", "An address has the name of its owner, fields of a message, or a separator behind it.",
        right="The address alone.", before="wrong")
def addresses_with_more(trial):
    expect(trial, {"emails": ["ada@example.org", "b@example.org", "c@example.org", "d@example.org", '"e f"@example.org', "g@example.org", "h@example.org"]},
           'EMAIL:"Ada Moe" <ada@example.org>', "EMAIL:mailto:b@example.org?subject=Boot", "EMAIL:c@example.org\\;", "EMAIL:'d@example.org'", 'EMAIL:"e f"@example.org',
           'EMAIL:"Ada Moe" g@example.org', "EMAIL:(Ada Moe) h@example.org")


@report("https://github.com/marmelroy/PhoneNumberKit/pull/332", "A number has the digits of another script.", right="As it is written, and a search in ASCII finds it.",
        before="right")
def digits_of_other_scripts(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Ada", "TEL:٠٤٣١ ٥٥٠١٠٠") + contacts.vcard("FN:Bo", "TEL:０４３１−５５０１０１"))
    contacts.expect_contacts(trial, book, [{"phones": ["٠٤٣١ ٥٥٠١٠٠"]}, {"phones": ["０４３１−５５０１０１"]}])
    for number, name in [("0431550100", "Ada"), ("0431550101", "Bo")]:
        found = trial.run("contacts", "ls", book, "--search", number).stdout.decode()
        trial.require(f"{number} finds {name} alone", name in found and found.count("\n") == 2)


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/90", "https://github.com/nextcloud/contacts/issues/1396", "https://github.com/CardBook/CardBook/issues/66",
        "Accounts have properties of their own or URIs of several forms.", right="Each account by its name, with its network.", before="wrong")
def accounts_in_many_forms(trial):
    expect(trial, {"social": ["ada@example.org", "ada.moe", "ada", "ada2", "ada3", "ada@example.org"],
                   "social types": [["sip"], ["facebook"], ["linkedin"], ["aim"], ["msn"], []]},
           "X-SIP:ada@example.org", "X-FACEBOOK:ada.moe", "X-LINKEDIN:ada", "IMPP:aim:goim?screenname=ada2", "IMPP:msnim:chat?contact=ada3", "IMPP:im:ada@example.org")


@report("https://github.com/nextcloud/contacts/issues/4009", "A group names people by phone numbers, with other punctuation than their cards.", right="The people are in the group.",
        before="wrong")
def members_by_number(trial):
    book = contacts.write(trial, "a.vcf", contacts.vcard("FN:Chor", "KIND:group", "MEMBER:tel:+49-431-550100", "MEMBER:mailto:bo@example.org", version="4.0")
                          + contacts.vcard("FN:Ada", "TEL:+49 431 550100", version="4.0") + contacts.vcard("FN:Bo", "EMAIL:bo@example.org", version="4.0"))
    contacts.expect_contacts(trial, book, [{"name": "Ada", "groups": ["Chor"]}, {"name": "Bo", "groups": ["Chor"]}])


@report("https://github.com/linkesch/medium-editor-insert-plugin/issues/501", "https://github.com/dompdf/dompdf/issues/236", "https://github.com/flutter/flutter/issues/136018",
        "Plus signs of a photo's base64 became blanks.", right="The photo: without them its last group is not whole.", before="wrong")
def photo_with_blanks_for_plus_signs(trial):
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + cards.encoded().replace("+", " ")))
    cards.expect_photo(trial, "PHOTO:data:image/png;base64," + cards.encoded().replace("+", " "), version="4.0")



@report("https://github.com/DarkHobbit/doublecontact/issues/39", "Phones write the groups of a contact as X-GROUP-MEMBERSHIP.", right="The groups.", before="wrong")
def groups_of_phones(trial):
    card = contacts.vcard("N:Moe;Ada;;;", "FN:Ada Moe", "X-GROUP-MEMBERSHIP:Friends,Family", "CATEGORIES:Friends", version="2.1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card), [{"groups": ["Friends", "Family"]}])


@report("https://github.com/nextcloud/contacts/issues/224", "A company writes PHONE.WORK and EMAIL.HOME in place of a property and its type.", right="The numbers and addresses with their types; a group of lines stays one.", before="wrong")
def kinds_in_place_of_groups(trial):
    expect(trial, {"phones": ["0704189993", "22550101"], "phones types": [["work"], []], "phones labels": [None, "Boat"], "emails": ["a@example.org"], "emails types": [["home"]]},
           "PHONE.WORK:0704189993", "EMAIL.HOME:a@example.org", "phone.TEL:22550101", "phone.X-ABLabel:Boat")
