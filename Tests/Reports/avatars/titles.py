"""Initials: what stands before and behind a name."""
from support.drawn import expect_initials
from support.report import report


@report("https://github.com/microsoft/fluentui/issues/19460", "https://github.com/ChurchCRM/CRM/issues/2203",
        "https://github.com/derek73/python-nameparser/pull/196", "https://github.com/derek73/python-nameparser/issues/41",
        "A title stands in front: of an office, a degree or a rank, also without a blank behind it.",
        right="The letters of the name: a word of several letters with a full stop in front of a name is a title.", before="wrong")
def titles_in_front(trial):
    expect_initials(trial, {
        "Dr. Ada Okafor": "AO", "Prof. Dr.-Ing. Ada Okafor": "AO", "Dr. med. dent. Ada Okafor": "AO", "Miss Ada Okafor": "AO",
        "Capt. Ada Okafor": "AO", "Lt. Col. Bo Berg": "BB", "Sgt Bo Berg": "BB", "MUDr. Jan Novák": "JN", "Doç. Dr. Ayşe Kaya": "AK",
        "Dr.Ada Okafor": "AO", "Prof.Dr.Ada Okafor": "AO", ("N:Okafor;Dr.Ada;;;", "FN:Dr.Ada Okafor"): "AO", "Dept. of Parks": "DP",
        "Dr.": "D", "Chr. Møller": "CM"})


@report("https://github.com/umbraco/Umbraco.UI/issues/1216", "https://github.com/derek73/python-nameparser/issues/490",
        "Given names are single letters with full stops, some of which are a part of a title elsewhere.",
        right="They are letters of the name; \"h. c.\" behind a title is none.", before="wrong")
def given_names_of_one_letter(trial):
    expect_initials(trial, {
        "H. C. Andersen": "HA", "H.C. Andersen": "HA", "C. S. Lewis": "CL", "C. Okafor": "CO", "E.T. Smith": "ES",
        "Dr. C. Okafor": "CO", "Dr. h. c. Ada Okafor": "AO", "Dr. h.c. Ada Okafor": "AO", "Dr.-Ing. E. h. Bo Berg": "BB"})


@report("https://github.com/signalapp/Signal-Desktop/issues/5831", "https://github.com/derek73/python-nameparser/issues/36",
        "https://github.com/RateGravity/parse-full-name/issues/19", "https://github.com/derek73/python-nameparser/issues/316",
        "A generation, a degree or a title stands behind the name, with a comma or without one.",
        right="The letters of the name.", before="wrong")
def what_follows_a_name(trial):
    expect_initials(trial, {
        "Bo Berg III": "BB", "Bo Berg Jr.": "BB", "Bo Berg Junior": "BB", "Bo Berg 2nd": "BB", "Bo Berg sen.": "BB", "Ada Okafor DVM": "AO",
        "Ada Okafor DDS": "AO", "Ada Okafor, CPA, PMP": "AO", "Ada Okafor Prof.": "AO", "Ing. Jan Novák, CSc.": "JN", "Jack Ma": "JM",
        "Anna V.": "AV"})


@report("https://github.com/derek73/python-nameparser/issues/269", "https://github.com/derek73/python-nameparser/issues/343",
        "https://github.com/derek73/python-nameparser/issues/344",
        "Titles are in Hebrew, Arabic, Persian, Hindi, Bengali, Tamil or Cyrillic letters.",
        right="The letters of the name, as with titles in Latin letters.", before="wrong")
def titles_of_other_scripts(trial):
    expect_initials(trial, {
        "ד\"ר שרה כהן": "שכ", "פרופ' דוד לוי": "דל", "د. أحمد خالد": "أخ", "أ.د. أحمد خالد": "أخ", "دکتر رضا کریمی": "رک", "مهندس علی رضایی": "عر", "श्री राम कुमार": "राकु",
        "डॉ. अनिल वर्मा": "अव", "ড. রফিক হাসান": "রহা", "திரு நிலா குமார்": "நிகு", "проф. Иван Петров": "ИП", "пан Іван Франко": "ІФ",
        "श्री": "श्री"})


@report("https://github.com/derek73/python-nameparser/issues/317", "https://github.com/electinth/politician-directory/pull/177",
        "Thai titles are written together with the given name.",
        right="The first consonant of the name; a name that begins as a title does is whole.", before="wrong")
def titles_written_together_with_thai_names(trial):
    expect_initials(trial, {
        "นายสมชาย ใจดี": "สจ", "นางสาวสุดา ใจดี": "สุจ", "นาย สมชาย ใจดี": "สจ", "ดร.มานะ ดีใจ": "มดี", "นายเอกชัย ดี": "อดี", "คุณากร ดีใจ": "คุดี"})


@report("https://github.com/derek73/python-nameparser/issues/308", "https://github.com/derek73/python-nameparser/issues/307",
        "https://github.com/maziyarpanahi/openmed/issues/488",
        "Korean, Japanese and Chinese names have titles behind them, with a blank or without one.",
        right="The letters of the name alone: the given name of a Korean, the family name of others.", before="wrong")
def titles_behind_names_of_east_asia(trial):
    expect_initials(trial, {
        "김철수님": "철수", "김민준씨": "민준", "김민준 씨": "민준", "박영희 선생님": "영희", "김철수 부장": "철수", "이미경 교수님": "미경", "김부장": "김",
        "田中さん": "田", "山田太郎様": "山", "王小明 先生": "王", "김대리": "김"})


@report("https://github.com/signalapp/Signal-Android/issues/8293",
        "Family names have particles in small letters, as in the Netherlands.",
        right="The letter of the family name itself.", before="right")
def particles_of_family_names(trial):
    expect_initials(trial, {
        "Lotte van der Berg": "LB", "Pim de Vries": "PV", ("N:van Dijk;Wim;;;", "FN:Wim van Dijk"): "WD", "Van Morrison": "VM",
        "Ana María de la Cruz": "AC", "Salim al-Hakim": "SH"})


@report("https://github.com/box/box-ui-elements/pull/2170", "https://github.com/filamentphp/filament/issues/20384",
        "https://github.com/ambassify/react-avatar/issues/81", "https://github.com/jitsi/jitsi-meet/pull/16594",
        "https://github.com/SchwarzIT/onyx/pull/3308",
        "A remark in brackets or a nickname in quotation marks stands before, in or behind a name.",
        right="The letters of the name; never a bracket.", before="right")
def remarks_in_brackets(trial):
    expect_initials(trial, {
        "Ada Okafor (Lab)": "AO", "[SYSTEM] Admin": "A", "Bo (Bobby) Berg": "BB", "Bo \"Bobby\" Berg": "BB", "Ada Okafor [Team] {Org}": "AO",
        "Åsa Öberg (Asa Oberg)": "ÅÖ", "(Ada)": "A", "Ada Okafor（部門）": "AO"})


@report("https://github.com/igniterealtime/openfire-pade-plugin/pull/28", "https://github.com/rune-org/rune/issues/510",
        "https://github.com/monicahq/monica/issues/4678", "https://github.com/roundcube/roundcubemail/issues/6157",
        "A name is in the order of a directory, with a comma, or has many words.",
        right="Two letters, in the order in which the name is spoken; names in Han and hangul are spoken family name first.",
        before="wrong")
def order_of_a_directory(trial):
    expect_initials(trial, {
        "Jäger, Guido": "GJ", "Okafor, Ada, PhD": "AO", "Ada Bea Cleo Dora Okafor": "AO", "王，小明": "王", "김, 철수": "철수", "山田, 太郎": "山"})


@report("https://github.com/thunderbird/thunderbird-android/issues/3241", "https://github.com/nextcloud/ios/issues/1703",
        "https://github.com/asm-helpful/helpful-web/pull/172",
        "A mail address is the name, or a part of it.",
        right="The letters of the name; of an address alone those before its @.", before="wrong")
def addresses_in_names(trial):
    expect_initials(trial, {
        "Ada Okafor ada@example.org": "AO", "Cinema - info@example.org": "C", "Ada Okafor <ada@example.org>": "AO", "mail@example.org": "M",
        "ada.okafor@example.org": "AO", "linus (@linus)": "L"})


@report("https://github.com/psolin/cleanco/issues/79", "https://github.com/neologd/mecab-ipadic-neologd/issues/10",
        "https://github.com/Sage-Bionetworks/sage-monorepo/pull/1515",
        "The legal form of a company stands in front of its name, also without a blank.",
        right="The letters of the name: companies of a country would have one letter otherwise.", before="wrong")
def legal_forms_in_front(trial):
    expect_initials(trial, {
        "株式会社山田": "山", "(株)山田": "山", "株式会社 青木": "青", "ООО «Ромашка»": "Р", "주식회사 한빛": "한빛",
        ("KIND:org", "FN:LLC Acme Tools"): "AT", ("KIND:org", "FN:ООО Ромашка"): "Р", ("ORG:株式会社山田",): "山",
        ("KIND:org", "FN:University of Washington"): "UW", ("KIND:org", "FN:The Acme Tools GmbH"): "AT"})
