"""Character sets of countries and systems that no line of a card declares."""
from support import contacts
from support.report import report


@report("https://github.com/SimpleMobileTools/Simple-Contacts/issues/524", "https://github.com/SimpleMobileTools/Simple-Contacts/issues/62",
        "https://github.com/owncloud-archive/contacts/issues/689", "Cards are in the character set of a country or a system, and do not say in which.",
        right="The names as people wrote them; Western and Russian texts stay what they are.", before="wrong")
def character_sets_of_cards(trial):
    names = {"cp1250": ("Dvořák", "Jiří"), "iso-8859-2": ("Wąsik", "Paweł"), "koi8-r": ("Иванова", "Мария"), "cp866": ("Иванова", "Мария"),
             "cp1253": ("Παπαδόπουλος", "Γιώργος"), "cp1254": ("Yıldız", "Işıl"), "cp1255": ("פרידמן", "איתי"), "cp1256": ("القحطاني", "فاطمة"),
             "cp874": ("ใจดี", "สมชาย"), "gbk": ("王", "大明"), "big5": ("陳", "小明"), "euc-kr": ("김", "철수"), "euc-jp": ("田中", "さくら"),
             "mac-roman": ("Müller", "José"), "cp850": ("Müller", "Jörg"), "cp1252": ("O’Brien", "Zoë"), "cp1251": ("Щёголева", "Вера")}
    for charset, (family, given) in names.items():
        card = contacts.vcard(f"N:{family};{given};;;", f"FN:{given} {family}", "TEL:1")
        path = contacts.write(trial, f"{charset}.vcf", card.encode(charset))
        contacts.expect_contacts(trial, path, [{"name": f"{given} {family}", "family": family, "given": given, "phones": ["1"]}])


@report("https://github.com/wizayala/Hashavsheva/issues/92", "https://github.com/UgnisSoftware/react-spreadsheet-import/issues/129", "A card says that it is in the Hebrew set of Windows.", right="Each word with its last letter.", before="wrong")
def last_letters_of_hebrew(trial):
    card = contacts.vcard("N;CHARSET=windows-1255:כהן;דוד;;;", "FN;CHARSET=windows-1255:דוד כהן", version="2.1")
    contacts.expect_contacts(trial, contacts.write(trial, "a.vcf", card.encode("cp1255")), [{"name": "דוד כהן", "family": "כהן", "given": "דוד"}])
