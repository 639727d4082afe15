"""How lines of a vCard end, fold and break."""
from support import contacts
from support.report import report


@report("https://github.com/nextcloud/contacts/issues/1277", "An empty line stands behind each line.",
        right="All fields: an empty line means nothing.", before="wrong")
def empty_line_behind_each_line(trial):
    card = contacts.vcard("N:Hagen;Gesa;;;", "FN:Gesa Hagen", "TEL:+49 1", "NOTE:a long note that is folded because it", "  goes on",
                          end="\r\n\r\n")
    book = contacts.write(trial, "a.vcf", card)
    contacts.expect_contacts(trial, book, [{"name": "Gesa Hagen", "family": "Hagen", "phones": ["+49 1"],
                                            "note": "a long note that is folded because it goes on"}])
