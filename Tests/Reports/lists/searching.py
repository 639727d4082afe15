"""Searches: letters of all scripts, numbers in all spellings, and what people type around words."""
from support.report import report
from support.searches import book, expect, found

GITHUB = "https://github.com/"


@report(GITHUB + "deltachat/deltachat-core/issues/540", GITHUB + "BelledonneCommunications/linphone-android/issues/1837",
        GITHUB + "RainLoop/rainloop-webmail/issues/699", "A search is in capitals or small letters, in Latin or Cyrillic.",
        right="The contact, whatever the letter case; е finds ё.", before="right")
def letter_case_in_each_script(trial):
    path = book(trial, "Семён Ёлкин", "BJÖRN Lie", "Γιώργος")
    expect(trial, path, {("СЕМЁН", "семён", "семен", "елкин"): ["Семён Ёлкин"], ("björn", "BJÖ"): ["BJÖRN Lie"], ("ΓΙΏΡΓΟΣ", "γιωργος"): ["Γιώργος"]})


@report(GITHUB + "microsoft/vscode/issues/155930", GITHUB + "4gray/iptvnator/issues/609", GITHUB + "miteshpithadiya/SearchableSpinner/issues/113",
        "A name has İ or ı of Turkish, and the search another i.", right="The contact: keyboards of other languages have one i.", before="right")
def letters_i_of_turkish(trial):
    path = book(trial, "İnci Işık", "ISPARTA Ltd")
    expect(trial, path, {("inci", "INCI", "İNCİ", "ınci", "ışık", "IŞIK", "isik"): ["İnci Işık"], ("ısparta", "isparta", "İsparta"): ["ISPARTA Ltd"]})


@report(GITHUB + "ligi/FAST/issues/16", GITHUB + "osm-search/Nominatim/issues/2572", "Umlauts and ß are typed as ae, oe, ue and ss, or without their dots.",
        right="The contact, by each of these spellings.", before="right")
def spellings_of_umlauts(trial):
    path = book(trial, "Jürgen Größ", "Juergen Moe", "GROẞ Ltd")
    expect(trial, path, {("juergen", "jürgen"): ["Jürgen Größ", "Juergen Moe"], ("jurgen", "groess j", "gröss j", "größ j"): ["Jürgen Größ"], ("groß ltd", "gross ltd"): ["GROẞ Ltd"]})


@report(GITHUB + "krisk/Fuse/issues/804", GITHUB + "Tatoeba/tatoeba2/issues/667", GITHUB + "Crustack/NotallyX/issues/791",
        "A name has the vowel points of Hebrew or Arabic, which hardly any search has.", right="The contact, with and without points.", before="wrong")
def vowel_points(trial):
    path = book(trial, "מֹשֶׁה לֵוִי", "דוד כהן", "مُحَمَّد عَلِيّ", "حسن")
    expect(trial, path, {("משה", "לוי משה", "מֹשֶׁה"): ["מֹשֶׁה לֵוִי"], ("דוד", "דָּוִד"): ["דוד כהן"], ("محمد", "علي", "مُحَمَّد"): ["مُحَمَّد عَلِيّ"], "حَسَن": ["حسن"]})


@report(GITHUB + "MoroccoAPI/MoroccoAPI/issues/2", GITHUB + "disclosurez/Lumora/issues/6", GITHUB + "Itqan-community/RATQ/issues/287", GITHUB + "quran/quran_android/pull/883",
        "An Arabic name has an alef with hamza or madda, or other variants of letters, or those of old fonts.", right="The contact: people leave them out.", before="wrong")
def variants_of_arabic_letters(trial):
    path = book(trial, "أحمد", "إيمان", "آمنة", "ﻓﺆاد", "احلام")
    expect(trial, path, {("احمد", "أحمد", "آحمد"): ["أحمد"], ("ايمان", "ایمان"): ["إيمان"], ("امنه", "أمنة"): ["آمنة"], ("فؤاد", "فواد"): ["ﻓﺆاد"], "أحلام": ["احلام"]})


@report(GITHUB + "mvysny/aedict/issues/26", GITHUB + "MoonchildProductions/Pale-Moon/issues/379", GITHUB + "omegat-org/omegat/pull/4",
        "A name is in katakana of half width, as phones write readings, and the search in kana of full width, or the other way round.",
        right="The contact, also where voiced sounds have a mark of their own.", before="wrong")
def kana_of_half_width(trial):
    path = book(trial, "ﾀﾞｲｽｹ", "ヤマダ", ["FN:佐藤", "N:佐藤;;;;", "SORT-STRING:ｻﾄｳ"])
    expect(trial, path, {("ダイスケ", "だいすけ", "ﾀﾞｲ"): ["ﾀﾞｲｽｹ"], ("ﾔﾏﾀﾞ", "やまだ"): ["ヤマダ"], ("さとう", "サトウ", "ｻﾄｳ"): ["佐藤"]})


@report(GITHUB + "stoatchat/for-web/pull/1267", GITHUB + "ayoisaiah/f2/issues/93", GITHUB + "espeak-ng/espeak-ng/pull/2523",
        "A name is in letters of mathematics or in circles, as people make them for messengers.", right="The contact, by usual letters.", before="wrong")
def letters_of_mathematics(trial):
    path = book(trial, "𝓐𝓭𝓪 Moe", "Ⓑⓞ", "ℂy")
    expect(trial, path, {"ada": ["𝓐𝓭𝓪 Moe"], "bo": ["Ⓑⓞ"], "cy": ["ℂy"], "𝒂𝒅𝒂": ["𝓐𝓭𝓪 Moe"]})


@report(GITHUB + "signalapp/Signal-Desktop/issues/4707", GITHUB + "bcgov/entity/issues/13257", GITHUB + "ilios/frontend/issues/1450", GITHUB + "nextcloud/server/issues/27724",
        "A name has a hyphen or a dash, and the search another one, a blank or nothing there; or the other way round.", right="The contact, by each of these spellings.", before="wrong")
def hyphens_in_names(trial):
    path = book(trial, "Anne–Marie Moe", "Jean Luc Roy", ["FN:Min-su", "EMAIL:kim-min-su@example.org"])
    expect(trial, path, {("anne-marie", "annemarie", "anne marie", "Anne–Marie", "marie", "anne - marie"): ["Anne–Marie Moe"], ("jean-luc", "Jean‑Luc", "jean luc"): ["Jean Luc Roy"],
                         ("minsu", "min-su", "kim-min-su@example.org", "kim-m"): ["Min-su"], "jeanluc": ["Jean Luc Roy"]})


@report(GITHUB + "historyforge/historyforge/issues/435", GITHUB + "makeitlegit/ProperName/issues/6", GITHUB + "mysociety/yournextrepresentative/issues/862",
        "A name has an apostrophe of one kind, the search one of another kind or none.", right="The contact.", before="wrong")
def apostrophes_in_names(trial):
    path = book(trial, "Ada O'Connor", "Bo O’Connor", "Cy OConnor", "Dirk ’t Hooft")
    expect(trial, path, {("o'connor", "o’connor", "oconnor", "O`Connor"): ["Ada O'Connor", "Bo O’Connor", "Cy OConnor"], ("'t hooft", "t hooft"): ["Dirk ’t Hooft"]})


@report(GITHUB + "Neamar/KISS/issues/2353", GITHUB + "warmbly/warmbly/pull/416", GITHUB + "monicahq/monica/issues/2279", GITHUB + "mozilla-b2g/gaia/pull/6703",
        "Several words are typed in any order, or the beginning of the second one, from different fields.", right="The contact that has all of them.", before="right")
def words_in_any_order(trial):
    path = book(trial, ["FN:Ada Moe", "N:Moe;Ada;;;", "ORG:Werft"], ["FN:Ada Lie", "N:Lie;Ada;;;", "ORG:Bank"])
    expect(trial, path, {("moe ada", "ada m", "ada werft", "werft moe", "da oe"): ["Ada Moe"], "ada": ["Ada Moe", "Ada Lie"], "ada kran": []})


@report(GITHUB + "acdh-oeaw/apis-core/issues/93", GITHUB + "eprints/eprints/issues/485", GITHUB + "djcb/mu/issues/578",
        "What is typed is a name as lists have it, or a recipient: Moe, Ada; with quotes and brackets.", right="The contact: such signs are no part of a word.", before="wrong")
def commas_and_quotes_in_a_search(trial):
    path = book(trial, ["FN:Ada Moe", "EMAIL:ada@example.org"], 'Bo "Bob" Lie', "Cy (Work)")
    expect(trial, path, {("Moe, Ada", "Moe, A", "moe;ada", "“Ada”", "<ada@example.org>", '"Moe, Ada" <ada@example.org>'): ["Ada Moe"],
                         ('"bob"', "“bob” lie", '"bo'): ['Bo "Bob" Lie'], ("(work)", "cy (w"): ["Cy (Work)"], "«": [], "(": ["Cy (Work)"]})


@report(GITHUB + "FossifyOrg/Contacts/issues/11", GITHUB + "SimpleMobileTools/Simple-Contacts/issues/1049", GITHUB + "chatwoot/chatwoot/issues/4931",
        "Blanks stand before, behind or twice between the words, in the search or in the name.", right="The contact; blanks alone find all.", before="wrong")
def blanks_around_words(trial):
    path = book(trial, "Ada  Moe", "Bo\u00a0Lie")
    expect(trial, path, {("ada ", " ada", "ada   moe", "Ada\u3000Moe", "moe ada"): ["Ada  Moe"], ("bo lie", "Bo\u00a0Lie"): ["Bo\u00a0Lie"], "  ": ["Ada  Moe", "Bo\u00a0Lie"]})
    for name in ("Ada Moe", "ada  moe", "Bo Lie"):
        trial.expect(f"show {name}", trial.run("contacts", "show", path, name).returncode, 0)


@report(GITHUB + "SimpleMobileTools/Simple-Contacts/issues/764", GITHUB + "ubports/address-book-app/issues/178", GITHUB + "FossifyOrg/Contacts/issues/219",
        GITHUB + "Neamar/KISS/issues/1646", GITHUB + "signalapp/Signal-iOS/issues/4745",
        "The word that is typed is a nickname, a company, a title, a group, a town or a word of a note, or the name behind a nickname.",
        right="The contact.", before="right")
def words_of_other_fields(trial):
    path = book(trial, ["FN:Speedy", "N:Moe;Ada;Bea;;", "NICKNAME:Addi", "ORG:Werft & Sohn;Einkauf", "TITLE:Lotsin", "NOTE:met on a ferry", "CATEGORIES:Rowing", "ADR:;;Kai 5;Öheim;;12345;"], "Bo")
    expect(trial, path, {("addi", "werft", "einkauf", "lotsin", "ferry", "rowing", "öheim", "moe", "bea", "speedy moe"): ["Speedy"]})


@report(GITHUB + "apache/cordova-plugin-contacts/issues/188", GITHUB + "sultanahamer/OpenContacts/issues/20", GITHUB + "alphagov/notifications-api/pull/1745",
        GITHUB + "Intermesh/groupoffice/issues/503", "A part of a number is typed: its last digits, or some with blanks elsewhere.",
        right="The contacts with these digits in a row.", before="right")
def parts_of_numbers(trial):
    path = book(trial, ["FN:A", "TEL:04 9999 1353"], ["FN:B", "TEL:(0499) 991-353"], ["FN:C", "TEL:0499\u00a0991\u00a0354", "TEL;TYPE=fax:0111 353"])
    expect(trial, path, {("9991353", "1353 0499991353", "04-9999-1353", "0499991353"): ["A", "B"], "353": ["A", "B", "C"], "99354": [], "0499": ["A", "B", "C"]})


@report(GITHUB + "michaelkourlas/voipms-sms-client/issues/258", GITHUB + "Goodwy/Dialer/issues/46", GITHUB + "64characters/Telephone/issues/112",
        "A number has the code of a country whose national numbers begin with no zero, as in America, and is stored without it.",
        right="The contact, with the code and without it.", before="wrong")
def codes_of_countries_without_a_zero(trial):
    path = book(trial, ["FN:A", "TEL:(555) 123-4567"], ["FN:B", "TEL:+1 555 123 4567"], ["FN:C", "TEL:22 55 01 99"], ["FN:D", "TEL:(555) 123-45678"])
    expect(trial, path, {("0015551234567", "+1-555-123-4567", "+15551234567"): ["A", "B"], ("+1 555 123 4567", "555 123 4567"): ["A", "B", "D"], ("+47 22 55 01 99", "004722550199"): ["C"]})


@report(GITHUB + "openclaw/openclaw/pull/41891", GITHUB + "mautic/mautic/pull/17401", GITHUB + "taginfo/taginfo/issues/40",
        "A search has signs with a meaning to data bases and patterns: % _ * . \\ and brackets.", right="The contacts that have these signs.", before="right")
def signs_of_patterns(trial):
    path = book(trial, "100% Bio", "1000 Bars", ["FN:A", "EMAIL:ada_moe@example.org"], ["FN:B", "EMAIL:ada-moe@example.org"], "C:\\Moe", "* Taxi", "J.R. Moe")
    expect(trial, path, {"100%": ["100% Bio"], "ada_moe@": ["A"], "%": ["100% Bio"], "_": ["A"], "c:\\": ["C:\\Moe"], "*": ["* Taxi"], "j.r": ["J.R. Moe"], "j*": [], ".*": []})


@report(GITHUB + "stuxuhai/jpinyin/issues/11", GITHUB + "jkpang/PPGetAddressBook/issues/4", "A Chinese family name sounds otherwise than the character does in other words.",
        right="The contact, by the sound of the name.", before="right")
def sounds_of_family_names(trial):
    path = book(trial, "曾国藩", "沈阳", "单雄信")
    expect(trial, path, {("zengguofan", "zgf", "zeng"): ["曾国藩"], ("shenyang", "sy"): ["沈阳"], ("shanxiongxin", "shan"): ["单雄信"]})


@report(GITHUB + "bluewings/korean-regexp/pull/6", GITHUB + "telegramtalk/Telegram/issues/5", "First consonants, or a syllable that is half typed, stand for Korean names.",
        right="The contacts whose syllables begin so.", before="right")
def first_consonants_of_hangul(trial):
    path = book(trial, "홍길동", "삼성전자", "이순신")
    expect(trial, path, {("ㅎㄱㄷ", "ㅎㄱ", "홍ㄱ", "홍기", "길동"): ["홍길동"], ("ㅅㅅㅈㅈ", "삼성"): ["삼성전자"], "ㅅㅈㅅ": []})
    trial.expect("ㅅ", found(trial, path, "ㅅ"), ["삼성전자", "이순신"])


@report(GITHUB + "Neamar/KISS/issues/996", GITHUB + "sonic16x/interslavic/issues/453", "A Russian name is typed with a Latin keyboard.",
        right="The contact, in the spellings of passports and of people.", before="right")
def russian_names_in_latin_letters(trial):
    path = book(trial, "Юлия Щукина", "Сергей Хромов")
    expect(trial, path, {("yulia", "julia", "shchukina", "schukina yu"): ["Юлия Щукина"], ("sergey", "sergei", "khromov", "hromov"): ["Сергей Хромов"]})


@report(GITHUB + "textmate/text.tmbundle/pull/13", GITHUB + "unmade/shelf-back/issues/50", GITHUB + "toolscode/findinfiles/issues/9",
        "A Mac writes letters and their marks apart, or the search has them apart.", right="The contact.", before="right")
def letters_apart_from_their_marks(trial):
    path = book(trial, "Ba\u0308rbel", "И\u0306ован", "ハ\u3099ン", "Björn")
    expect(trial, path, {("bärbel", "barbel"): ["Ba\u0308rbel"], "йован": ["И\u0306ован"], ("バン", "ばん"): ["ハ\u3099ン"], "bjo\u0308rn": ["Björn"]})


@report(GITHUB + "Intermesh/groupoffice/issues/871", GITHUB + "edemaine/coauthor/issues/224", "A name has a colon, or what is typed has a word with one that means nothing to the program.",
        right="The contact with that text; a word before a colon is left out where it is the scheme of an address alone.", before="wrong")
def colons_in_searches(trial):
    path = book(trial, "Re:work", "Ada Moe", ["FN:Bo Lie", "EMAIL:bo@example.org", "TEL:+4722550101"])
    expect(trial, path, {("re:work", "work", "re"): ["Re:work"], ("foo:ada", "name:ada"): [], ("mailto:bo@example.org", "tel:+4722550101", "sip:bo@example.org"): ["Bo Lie"]})
