"""The order of lists and their index letters."""
import json
import random

from support import contacts
from support.report import report

GITHUB = "https://github.com/"


def listed(trial, cards, *options, locale="en_US.UTF-8"):
    """The contacts of `contacts ls` of a book of these cards, each lines or the name alone, in any order."""
    lines = [[f"FN:{card}"] if isinstance(card, str) else card for card in cards]
    random.Random(len(lines)).shuffle(lines)
    path = contacts.write(trial, "a.vcf", "".join(contacts.vcard(*card) for card in lines))
    trial.environment["LC_ALL"] = locale
    out = trial.run("contacts", "ls", path, "--json", *options).stdout.decode()
    return [json.loads(line) for line in out.splitlines()]


def names(listed):
    return [contact["displayName"] for contact in listed]


def sections(listed):
    return [(contact["section"], contact["displayName"]) for contact in listed]


def person(given, family):
    return [f"N:{family};{given};;;", f"FN:{given} {family}".strip()]


@report(GITHUB + "odoo/odoo/issues/22511", GITHUB + "fisharebest/webtrees/issues/2172", GITHUB + "fisharebest/webtrees/issues/2153",
        GITHUB + "fisharebest/webtrees/issues/694", GITHUB + "select2/select2/issues/429", "Names begin with letters that stand behind Z in one language, and are accented ones in others.",
        right="The order of the user's language, and one index letter for each of its letters.", before="right")
def letters_behind_z(trial):
    families = {"sv_SE": "A:Aalto M:Myers M:Mäntylä M:Mårtensson M:Möller Z:Zander Å:Ålund Ä:Ängel Ö:Öberg",
                "nb_NO": "A:Aker Z:Zander Æ:Ærø Ø:Østby Å:Ålund", "fi_FI": "A:Aalto O:Oja Z:Zeni Å:Åberg Ä:Äijö Ö:Öhman",
                "en_US": "A:Aalto A:Ålund A:Ängel M:Mårtensson O:Öberg O:Østby Z:Zander", "pl_PL": "L:Lis Ł:Łuk S:Sowa Ś:Śliwa Z:Zając Ż:Żak"}
    for locale, right in families.items():
        wanted = [tuple(word.split(":")) for word in right.split()]
        if locale == "sv_SE":
            wanted[2:4] = [wanted[3], wanted[2]]
        got = listed(trial, [person("", family) for _, family in wanted], "--sort", "family", locale=f"{locale}.UTF-8")
        trial.expect(locale, sections(got), wanted)


@report(GITHUB + "libasys/contactsplus/issues/89", GITHUB + "cozy/cozy-contacts-v2/issues/205", GITHUB + "telegramdesktop/tdesktop/issues/6965", GITHUB + "tgalal/wazapp/issues/291",
        GITHUB + "vayun-mathur/Modern-Apps/issues/329", "Names begin with accented letters, or have some inside.",
        right="Each index letter once, and no name behind Z or under #.", before="right")
def accented_letters(trial):
    right = [("A", "Álvaro"), ("A", "Ann"), ("E", "Éva"), ("E", "Ewa"), ("L", "Lena"), ("L", "Łuk"), ("L", "Luz"), ("S", "Sara"), ("S", "Śliwa"), ("S", "Sten"),
             ("V", "Vera"), ("V", "Véronique"), ("V", "Victor"), ("Z", "Żak"), ("Z", "Zoe")]
    trial.expect("order", sections(listed(trial, [name for _, name in right], "--sort", "given")), right)


@report(GITHUB + "Intermesh/groupoffice/issues/294", GITHUB + "tgalal/wazapp/issues/35", GITHUB + "lavab/web/issues/890", "Some names begin with small letters.",
        right="Among those with capitals, under one index letter.", before="right")
def small_and_capital_letters(trial):
    right = [("A", "ada"), ("A", "Ada B"), ("A", "adam"), ("A", "AXEL"), ("B", "Bo"), ("C", "carl"), ("C", "Cy"), ("Д", "дина"), ("Д", "Дмитрий")]
    trial.expect("order", sections(listed(trial, [name for _, name in right], "--sort", "given")), right)


@report(GITHUB + "cozy/cozy-contacts-v2/issues/99", GITHUB + "Chooloo/koler/issues/299", GITHUB + "nextcloud/contacts/pull/2040", GITHUB + "dragosrobertn/KNContactsPicker/pull/13",
        "People have no family name or no given name, and some have a title before it.", right="Each by the name that there is, without the title.", before="right")
def people_with_one_name(trial):
    cards = [person("Ada", "Moe"), person("Cher", ""), person("", "Nobel"), ["N:Bye;Juta;;Dr.;", "FN:Dr. Juta Bye"], ["FN:Dr. Bob Lie", "N:Lie;Bob;;Dr.;"], person("Zoe", "Aas")]
    trial.expect("by given names", sections(listed(trial, cards, "--sort", "given")),
                 [("A", "Ada Moe"), ("B", "Dr. Bob Lie"), ("C", "Cher"), ("J", "Dr. Juta Bye"), ("N", "Nobel"), ("Z", "Zoe Aas")])
    trial.expect("by family names", sections(listed(trial, cards, "--sort", "family")),
                 [("A", "Zoe Aas"), ("B", "Dr. Juta Bye"), ("C", "Cher"), ("L", "Dr. Bob Lie"), ("M", "Ada Moe"), ("N", "Nobel")])


@report(GITHUB + "nextcloud/contacts/issues/1795", GITHUB + "FossifyOrg/Contacts/issues/405", GITHUB + "lucc/khard/pull/47", "Many people share a family name or a given name.",
        right="Among them, the other name decides, forwards and backwards.", before="right")
def people_with_equal_names(trial):
    cards = [person(given, family) for given in ("Conrad", "Andy", "Lisa") for family in ("Moe", "Lie")]
    trial.expect("family", names(listed(trial, cards, "--sort", "family")), ["Andy Lie", "Conrad Lie", "Lisa Lie", "Andy Moe", "Conrad Moe", "Lisa Moe"])
    trial.expect("given", names(listed(trial, cards, "--sort", "given-desc")), ["Lisa Moe", "Lisa Lie", "Conrad Moe", "Conrad Lie", "Andy Moe", "Andy Lie"])


@report(GITHUB + "nextcloud/contacts/issues/547", GITHUB + "FossifyOrg/Contacts/issues/219", GITHUB + "owncloud/contacts/issues/457", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/647",
        "A contact has only a company or a nickname; others have a name and a company.", right="Each stands by the name that is shown of it.", before="wrong")
def companies_and_nicknames_alone(trial):
    cards = [["ORG:Mill Ltd;Sales", "FN:", "N:;;;;"], ["NICKNAME:Nick", "N:;;;;"], person("Ada", "Zander") + ["ORG:Bank"], person("Zoe", "Aas"), ["EMAIL:bo@example.org"], ["TEL:+47 22 55 01 99"]]
    for sort, right in {"given": [("A", "Ada Zander"), ("M", "Mill Ltd"), ("N", "Nick"), ("Z", "Zoe Aas")],
                        "family": [("A", "Zoe Aas"), ("M", "Mill Ltd"), ("N", "Nick"), ("Z", "Ada Zander")]}.items():
        got = sections(listed(trial, cards, "--sort", sort))
        trial.expect(sort, got[:4], right)
        trial.expect(f"{sort}: without a name", sorted(got[4:]), [("#", "+47 22 55 01 99"), ("#", "bo@example.org")])


@report(GITHUB + "libasys/contactsplus/issues/26", GITHUB + "Goodwy/Contacts/issues/3", GITHUB + "FossifyOrg/Contacts/issues/130", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/641",
        GITHUB + "CaliOpen/Caliopen/issues/1398", GITHUB + "signalapp/Signal-iOS/issues/40", "Names begin with digits, signs or emoji.",
        right="All of them are there, together under #, before the letters.", before="right")
def digits_signs_and_emoji_first(trial):
    signs = ["* Taxi", "@home", "+Ada", "»Bo", "(Cy)", "112", "🎸 Bob", "❤️ Lena", "_x"]
    got = sections(listed(trial, [*signs, "Ada", "Zoe", "Анна"], "--sort", "given"))
    trial.expect("signs", sorted(got[:9]), sorted(("#", name) for name in signs))
    trial.expect("letters", got[9:], [("A", "Ada"), ("Z", "Zoe"), ("А", "Анна")])


@report(GITHUB + "signalapp/Signal-Android/issues/5208", GITHUB + "iAugux/Phonetic/pull/9", "Chinese names stand among Latin ones.",
        right="By their sounds (pinyin): in a Chinese list under Latin letters, in others behind all letters.", before="right")
def chinese_names_by_sound(trial):
    cards = ["王小明", "Bob", "李雷", "艾伦", "Wendy", "赵敏"]
    got = listed(trial, cards, "--sort", "given", locale="zh_CN.UTF-8")
    trial.expect("zh", {name: section for section, name in sections(got) if len(name) < 4 and name != "Bob"}, {"艾伦": "A", "李雷": "L", "王小明": "W", "赵敏": "Z"})
    trial.expect("zh: order", [name for name in names(got) if name not in ("Bob", "Wendy")], ["艾伦", "李雷", "王小明", "赵敏"])
    trial.expect("en", names(listed(trial, cards, "--sort", "given")), ["Bob", "Wendy", "艾伦", "李雷", "王小明", "赵敏"])


@report(GITHUB + "Juris-M/citeproc-js/issues/226", GITHUB + "zotero-chinese/styles/issues/479", GITHUB + "netease-im/NIM_iOS_SDK/issues/3", GITHUB + "YoKeyword/IndexableRecyclerView/issues/63",
        GITHUB + "hushidong/biblatex-gb7714-2015/issues/157", "A Chinese family name sounds otherwise than the character does in other words: 曾 is Zeng, 沈 Shen, 单 Shan.",
        right="The name stands by the sound of the family name.", before="wrong")
def sounds_of_chinese_family_names(trial):
    right = [("B", "白某"), ("Q", "仇英"), ("S", "单雄信"), ("S", "沈阳"), ("W", "王某"), ("X", "解珍"), ("Z", "曾国藩"), ("Z", "翟某")]
    cards = [[f"N:{name[0]};{name[1:]};;;", f"FN:{name}"] for _, name in right]
    for sort in ("family", "given"):
        got = sections(listed(trial, cards if sort == "family" else [name for _, name in right], "--sort", sort, locale="zh_CN.UTF-8"))
        trial.expect(sort, [name for _, name in got if name != "翟某"], [name for _, name in right if name != "翟某"])
        trial.expect(f"{sort}: letters", sorted(got), sorted(right))


@report(GITHUB + "IsThereAnyDeal/IsThereAnyDeal-Issues/issues/436", GITHUB + "Sjeiti/TinySort/pull/43", GITHUB + "fisharebest/webtrees/issues/2153",
        "Two letters are one in a language (Ch in Czech, Aa in Danish), or a letter stands among another one's (Æ in Swedish, Y in Lithuanian).",
        right="Each index letter once, where its names are.", before="wrong")
def letters_among_others(trial):
    lists = {"cs_CZ": "C:Cibulka Č:Čapek H:Hora CH:Chalupa CH:Chytil I:Iva", "da_DK": "A:Abel Z:Zeb Æ:Ærø Ø:Öberg Ø:Østby Å:Aagaard Å:Åse",
             "sv_SE": "A:Aalto Z:Zander Å:Ås Ä:Ängel Ä:Ærø Ö:Öberg Ö:Østby", "lt_LT": "I:Ieva I:Yra I:Ivas J:Jonas", "zh_TW": "李:李某 王:王某"}
    for locale, right in lists.items():
        wanted = [tuple(word.split(":")) for word in right.split()]
        got = sections(listed(trial, [name for _, name in wanted], "--sort", "given", locale=f"{locale}.UTF-8"))
        trial.expect(f"{locale}: letters", sorted(got), sorted(wanted))
        titles = [title for number, (title, _) in enumerate(got) if number == 0 or got[number - 1][0] != title]
        trial.expect(f"{locale}: once", len(titles), len(set(titles)))


@report(GITHUB + "owncloud/contacts/issues/458", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/647", GITHUB + "FossifyOrg/Contacts/issues/235",
        "A company says what it is sorted by: ORG;SORT-AS=Beatles:The Beatles.", right="There, under that letter; a person stays where its own name is.", before="wrong")
def companies_with_a_name_to_sort_by(trial):
    cards = [["FN:The Beatles", 'ORG;SORT-AS="Beatles":The Beatles'], ["ORG;SORT-AS=Oslo:Universitetet i Oslo"], person("Ada", "Moe") + ['ORG;SORT-AS="Beatles":The Beatles'], person("Cy", "Caan")]
    for order in ("given", "family"):
        right = [("B", "The Beatles"), ("O", "Universitetet i Oslo")]
        right += [("A", "Ada Moe"), ("C", "Cy Caan")] if order == "given" else [("C", "Cy Caan"), ("M", "Ada Moe")]
        trial.expect(order, sections(listed(trial, cards, "--sort", order)), sorted(right))


@report(GITHUB + "JosefNemec/Playnite/issues/1490", GITHUB + "stashapp/stash/issues/4695", GITHUB + "yeriomin/DumbphoneAssistant/issues/13", "Names have numbers: rooms, flights, the places of a team.",
        right="By the numbers: 2 before 10.", before="wrong")
def numbers_in_names(trial):
    right = ["1. Etage", "2. Etage", "10. Etage", "Room 1", "Room 2", "Room 10", "Room 10a", "Room 010b", "Room 11", "U9", "U10"]
    trial.expect("order", names(listed(trial, right, "--sort", "given")), right)
    trial.expect("backwards", names(listed(trial, right, "--sort", "given-desc")), right[::-1])
