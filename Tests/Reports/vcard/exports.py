"""Cards as phones and services export them."""
from support import cards, contacts
from support.report import report


def expect(trial, wanted, *lines, version="3.0"):
    book = contacts.write(trial, "a.vcf", contacts.vcard(*lines, version=version))
    contacts.expect_contacts(trial, book, [wanted])


@report("https://github.com/nuovo/vCard-parser/issues/4", "https://github.com/l0b0/vcard/issues/19", "https://github.com/nuovo/vCard-parser/pull/26",
        "A card has the card of an assistant inside, escaped, as lines of its own, or as a URI.", right="One contact, with nothing of the assistant's.", before="right")
def card_of_an_agent(trial):
    for agent in (["AGENT:BEGIN:VCARD\\nFN:Bo Ek\\nTEL:2\\nEND:VCARD\\n"], ["AGENT:", "BEGIN:VCARD", "VERSION:2.1", "FN:Bo", "TEL:2", "END:VCARD"],
                  ["AGENT;VALUE=uri:CID:bo@example.org"]):
        expect(trial, {"name": "Ada Moe", "phones": ["1"]}, "FN:Ada Moe", *agent, "TEL:1", version="2.1")


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/231", "Lines of a photo's base64 begin as properties do: N, FN, TEL.", right="The photo and the number behind it.",
        before="right")
def base64_that_looks_like_properties(trial):
    lines = cards.pieces(cards.encoded(), 4)
    for end in ("\r\n", "\n"):
        cards.expect_photo(trial, "PHOTO;ENCODING=BASE64;PNG:", *lines, "", version="2.1", end=end)
        cards.expect_photo(trial, "PHOTO;ENCODING=b;TYPE=PNG:" + (end + " ").join(lines), end=end)


@report("https://github.com/mangstadt/ez-vcard/issues/33", "The padding of a photo stands on a line of its own, and an empty line behind it.", right="The photo and the number behind it.",
        before="right")
def padding_on_a_line_of_its_own(trial):
    data = cards.encoded().rstrip("=")
    cards.expect_photo(trial, cards.folded("PHOTO;ENCODING=b;TYPE=PNG:" + data), " " + "=" * (-len(data) % 4), "")
    cards.expect_photo(trial, "PHOTO;ENCODING=BASE64;PNG:", *cards.pieces(data), "=" * (-len(data) % 4), "", version="2.1")


@report("https://github.com/nextcloud/contacts/issues/4202", "https://github.com/you-apps/ConnectYou/issues/349", "https://github.com/FossifyOrg/Contacts/issues/187",
        "A Mac labels addresses in groups, and writes hashes beside the photo.", right="The labels, and the photo in its crop.", before="right")
def labels_and_hashes_of_a_mac(trial):
    expect(trial, {"name": "Ada Moe", "emails labels": ["Parzelle", "Rechnung"], "addresses": ["Weg 24\n4020 Linz"], "addresses labels": ["Rechnung"],
                   "photo": contacts.digest(cards.photo()), "avatar": "photo"},
           "N:Moe;Ada;;;", "FN:Ada Moe", "item1.EMAIL;type=INTERNET;type=pref:a@example.org", "item1.X-ABLabel:Parzelle", "item2.EMAIL;type=INTERNET:b@example.org",
           "item2.X-ABLabel:Rechnung", "item3.ADR;type=pref:;;Weg 24;Linz;;4020;", "item3.X-ABLabel:Rechnung", "X-IMAGEHASH:2+3I2Y==", "X-IMAGETYPE:PHOTO",
           "X-SHARED-PHOTO-DISPLAY-PREF:AUTOUPDATE", "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&32&32&2+3I2Y==;ENCODING=b;TYPE=PNG:" + cards.encoded())


@report("https://github.com/abdelkader/vCardEditor/issues/26", "https://github.com/pinoaffe/org-vcard/issues/42", "Groups of lines have long names, and labels begin with X-.",
        right="The numbers with their labels.", before="right")
def groups_with_long_names(trial):
    expect(trial, {"phones": ["+52 1 55 1234 5678", "0171 9876543", "030 1"], "phones labels": ["Mobil", None, "X-Boot"]},
           "FN:Ana", "ITEMTEL5215512345678.TEL:+52 1 55 1234 5678", "TEL;TYPE=VOICE,CELL:0171 9876543", "ITEMTEL5215512345678.X-ABLABEL:Mobil", "item2.TEL:030 1",
           "item2.X-ABLabel:X-Boot")


@report("https://github.com/GrapheneOS/os-issue-tracker/issues/6168", "A number is a code of a network: *123#.", right="The number with its signs.", before="right")
def codes_of_networks(trial):
    expect(trial, {"phones": ["*123#", "**21*+4943155#"]}, "FN:Kode", "TEL;CELL:*123#", "TEL;CELL:**21*+4943155#", version="2.1")


@report("https://github.com/BlueBubblesApp/bluebubbles-server/issues/614", "https://github.com/bulwarkmail/webmail/issues/224", "https://github.com/nextcloud/contacts/issues/2693",
        "A name has parts of all kinds, and no formatted name.", right="The name in the order in which people say it; the parts in their places.", before="right")
def order_of_the_parts_of_a_name(trial):
    expect(trial, {"name": "Dr. Ada James Moe, MdB", "given": "Ada", "additional": "James", "family": "Moe", "prefix": "Dr.", "suffix": "MdB"}, "N:Moe;Ada;James;Dr.;MdB")
    expect(trial, {"name": "Ada Moe", "additional": "James"}, "N:Moe;Ada;James;;", "FN:Ada Moe")


@report("https://github.com/aluxnimm/outlookcaldavsynchronizer/issues/329", "https://github.com/stalwartlabs/calcard/issues/8", "https://github.com/corona-warn-app/cwa-quick-test-frontend/issues/120",
        "A birthday is on the 29th of February, or is written in the short or the long form.", right="The day.", before="right")
def days_of_birthdays(trial):
    for value, day in [("--0229", "--02-29"), ("--02-29", "--02-29"), ("19840229", "1984-02-29"), ("1963-09-21", "1963-09-21"), ("19800625", "1980-06-25")]:
        expect(trial, {"birthday": day}, "FN:Ada", f"BDAY;VALUE=DATE:{value}")


@report("https://github.com/owncloud-archive/contacts/issues/699", "https://github.com/owncloud/contacts/issues/335", "https://github.com/nextcloud/contacts/issues/241",
        "A card has a company, and no name of a person.", right="The company by its name, with no given or family name.", before="right")
def companies_without_people(trial):
    for name in (["FN:Werft Kiel e.V."], ["FN:", "N:;;;;"], []):
        expect(trial, {"name": "Werft Kiel e.V.", "given": "", "family": "", "organisation": ["Werft Kiel e.V.", "Lager"]}, *name, "ORG;CHARSET=UTF-8:Werft Kiel e.V.;Lager")


@report("https://github.com/owncloud/core/issues/24448", "https://github.com/owncloud/contacts/issues/401", "The printed address has quotes inside of the quoted parameter.",
        right="The contact with its parts of the address.", before="right")
def quotes_inside_of_a_parameter(trial):
    expect(trial, {"name": "Ada", "phones": ["1"]}, "FN:Ada", 'ADR;LABEL="Haus "Boot"\\nKiel";TYPE=home:;;Haus "Boot";Kiel;;24103;', "TEL:1", version="4.0")
