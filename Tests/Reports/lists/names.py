"""What is shown of a contact, and its birthday."""
from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def book(trial, *cards, version="3.0"):
    return contacts.write(trial, "a.vcf", "".join(contacts.vcard(*card, version=version) for card in cards))


@report(GITHUB + "bitfireAT/davx5-ose/issues/2537", GITHUB + "cyrusimap/cyrus-imapd/pull/6091", GITHUB + "bitfireAT/vcard4android/issues/32",
        "A server writes a formatted name because one is required: No Name, marked by DERIVED=TRUE, or as older versions without the mark.",
        right="What the card has otherwise: the company, the nickname or the address.", before="wrong")
def names_that_a_server_made(trial):
    mark = "FN;DERIVED=TRUE:No Name"
    path = book(trial, ["ORG:Werft & Co", mark], ["NICKNAME:Addi", mark], ["EMAIL:ada@example.org", mark], ["FN:No Name", "ORG:Aker"],
                ["N:Moe;Ada;;;", "FN;DERIVED=TRUE:Moe Ada"], [mark, "NOTE:nothing else"], ["FN:Ada No Name", "ORG:Aker"], version="4.0")
    contacts.expect_contacts(trial, path, [{"name": "Werft & Co", "initials": "W"}, {"name": "Addi"}, {"name": "ada@example.org"}, {"name": "Aker"},
                                           {"name": "Moe Ada", "family": "Moe"}, {"name": "No Name"}, {"name": "Ada No Name"}])


@report(GITHUB + "mstilkerich/rcmcarddav/issues/53", GITHUB + "jobisoft/TbSync/issues/378", "A company or a person has a formatted name that is longer than the organisation.",
        right="The formatted name.", before="right")
def formatted_names_beside_companies(trial):
    path = book(trial, ["ORG:Aker;Sales", "FN:Aker Sales Desk", "X-ABSHOWAS:COMPANY"], ["ORG:Aker", "FN:Ada Moe", "N:Moe;Ada;;;"])
    contacts.expect_contacts(trial, path, [{"name": "Aker Sales Desk", "kind": "organisation", "organisation": ["Aker", "Sales"]}, {"name": "Ada Moe"}])


@report(GITHUB + "roundcube/roundcubemail/issues/6157", GITHUB + "telegramdesktop/tdesktop/issues/217", GITHUB + "zhukov/webogram/issues/896",
        "Names in Han, kana or hangul have parts and no formatted name; those of Hungary have one, in their own order.",
        right="The family name first, without a blank; the formatted name as it is.", before="right")
def family_names_first(trial):
    path = book(trial, ["N:山田;太郎;;;"], ["N:김;민수;;;"], ["N:王;小明;;;"], ["N:Kovács;Ádám;;;", "FN:Kovács Ádám"], ["N:Yamada;Taro;;;"])
    contacts.expect_contacts(trial, path, [{"name": "山田太郎"}, {"name": "김민수"}, {"name": "王小明"}, {"name": "Kovács Ádám", "initials": "KÁ"}, {"name": "Taro Yamada"}])


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/522", GITHUB + "nextcloud/contacts/issues/516", "A name has commas: Kinder-, Jugend- und Elterntelefon; or several titles behind it.",
        right="The whole name, with its commas.", before="right")
def commas_inside_of_names(trial):
    path = book(trial, ["FN:Kinder-\\, Jugend- und Elterntelefon", "N:;Kinder-\\, Jugend- und Elterntelefon;;;"], ["FN:Ada Moe, Jr., Ph.D.", "N:Moe;Ada;;;Jr.,Ph.D."], ["N:Moe;Bo;;Dr.,Prof.;MSc,Jr."])
    contacts.expect_contacts(trial, path, [{"name": "Kinder-, Jugend- und Elterntelefon", "given": "Kinder-, Jugend- und Elterntelefon"},
                                           {"name": "Ada Moe, Jr., Ph.D.", "suffix": "Jr., Ph.D."}, {"name": "Dr. Prof. Bo Moe, MSc, Jr."}])


@report(GITHUB + "owncloud-archive/contacts/issues/779", GITHUB + "nextcloud/contacts/issues/2911", GITHUB + "rsjtdrjgfuzkfg/thunderbird-birthdaycalendar/issues/13",
        GITHUB + "nextcloud/contacts/issues/241", "A contact has no name: a company with a number, an address alone, a number alone, or blanks as a name.",
        right="The company, the address, the number: never a blank line or a question mark.", before="right")
def contacts_without_a_name(trial):
    path = book(trial, ["FN:", "N:;;;;", "ORG:Aker", "TEL:22"], ["FN: ", "N: ; ;;;", "EMAIL:ada@example.org"], ["TEL:+47 22 55 01 99"], ["FN:\u200b", "ORG:\u200b;", "X-WHATSAPP:+4722550199"])
    contacts.expect_contacts(trial, path, [{"name": "Aker", "initials": "A"}, {"name": "ada@example.org", "initials": "A"}, {"name": "+47 22 55 01 99"}, {"name": "+4722550199"}])
    shown = trial.run("contacts", "ls", path).stdout.decode().splitlines()[1:]
    trial.expect("the list", [line.split("\t")[0] for line in shown], ["Aker", "ada@example.org", "+47 22 55 01 99", "+4722550199"])


@report(GITHUB + "lucc/khard/issues/134", GITHUB + "sabre-io/vobject/issues/98", GITHUB + "nextcloud/server/pull/11832",
        "The parameter that says that a year is not known names another one than 1604: X-APPLE-OMIT-YEAR=1900:1900-02-29.", right="Month and day alone.", before="wrong")
def other_years_that_are_not_known(trial):
    days = {"BDAY;X-APPLE-OMIT-YEAR=1900:1900-02-29": "--02-29", "BDAY;VALUE=DATE;X-APPLE-OMIT-YEAR=2000:20000415": "--04-15", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29": "--02-29",
            "BDAY;X-APPLE-OMIT-YEAR=1604:1960-04-15": "1960-04-15", "BDAY:1900-04-15": "1900-04-15", "BDAY;X-APPLE-OMIT-YEAR=1900:--04-15": "--04-15"}
    path = book(trial, *[[f"FN:{number}", line] for number, line in enumerate(days)], ["FN:wedding", "ANNIVERSARY;X-APPLE-OMIT-YEAR=1900:1900-06-07"])
    contacts.expect_contacts(trial, path, [{"birthday": day} for day in days.values()] + [{"anniversary": "--06-07"}])


@report(GITHUB + "pimutils/khal/issues/597", GITHUB + "krtek/Birthday-widget/issues/8", GITHUB + "lucc/khard/issues/335", "A birthday is on the 29th of February, of no year, or of one that has no such day.",
        right="The day as it is: a program that shows birthdays decides when it is.", before="right")
def leap_days(trial):
    days = {"--02-29": "--02-29", "--0229": "--02-29", "2000-02-29": "2000-02-29", "19970229": "1997-02-29"}
    contacts.expect_contacts(trial, book(trial, *[["FN:Ada", f"BDAY:{day}"] for day in days]), [{"birthday": day} for day in days.values()])
