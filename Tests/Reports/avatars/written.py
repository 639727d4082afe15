"""Initials: how people and programs write names."""
import unicodedata

from support.drawn import expect_initials
from support.report import report

GITHUB = "https://github.com/"


@report(GITHUB + "stoatchat/for-web/pull/1267", GITHUB + "nvaccess/nvda/pull/19608", GITHUB + "ayoisaiah/f2/issues/93",
        "A name is written in letters of other styles: of full width, of mathematics, in circles or squares, or joined ones.",
        right="The usual letters: few fonts have the others, and they mean the same.", before="wrong")
def letters_of_other_styles(trial):
    expect_initials(trial, {
        "\uff21\uff44\uff41 \uff2f\uff4b\uff41\uff46\uff4f\uff52": "AO", "\uff41\uff44\uff41\u3000\uff4f\uff4b\uff41": "AO", "𝓐𝓭𝓪 𝓞𝓴𝓪𝓯𝓸𝓻": "AO", "𝔸𝕕𝕒 𝕆𝕜𝕒𝕗𝕠𝕣": "AO", "𝐚𝐝𝐚": "A",
        "ⒶⒹⒶ ⓞⓚⓐ": "AO", "🅰🅳🅰 🅾🅺🅰": "AO", "🅐🅓🅐 🅞🅚🅐": "AO", "ℋ𝑎𝑛𝑠 ℬ𝑒𝑟𝑔": "HB", "ﬁona Smith": "FS", ("N:\uff2f\uff4b\uff41;\uff21\uff44\uff41;;;", "FN:\uff21\uff44\uff41 \uff2f\uff4b\uff41"): "AO",
        ("N:𝓞𝓴𝓪;𝓐𝓭𝓪;;;", "FN:𝓐𝓭𝓪 𝓞𝓴𝓪"): "AO"})


@report(GITHUB + "RateGravity/parse-full-name/issues/19", GITHUB + "uber/baseweb/pull/2518",
        "A remark stands behind a name, with a sign between them that stands alone: a dash, a bar, a slash or an at sign.",
        right="The letters of the name. A dash between two names alone separates no remark.", before="wrong")
def remarks_behind_signs(trial):
    expect_initials(trial, {
        "Ada Okafor - Acme": "AO", "Ada Okafor – Plumber": "AO", "Ada Okafor — DDS": "AO", "Ada Okafor | Acme": "AO", "Ada Okafor / Sales": "AO",
        "Ada Okafor @ Acme": "AO", "Ada Okafor • Acme Corp": "AO", "Dr. Okafor - Dentist": "O", "Ada Okafor -- out of office": "AO",
        "Ada & Bo Okafor": "AO", "Ana - Maria Pop": "AP", "Smith - Jones, Ada": "AS", "Anne-Marie Berg": "AB", "- Ada Okafor -": "AO",
        ("KIND:org", "FN:Acme West - Oslo"): "AO"})


@report(GITHUB + "iliaal/nameparser/issues/4", GITHUB + "derek73/python-nameparser/pull/173", GITHUB + "datamade/probablepeople/issues/117",
        "A card is one of a couple, whose titles are joined: Mr. and Mrs. Okafor, Herr und Frau Berg.",
        right="The letters of the name that follows.", before="wrong")
def titles_of_couples(trial):
    expect_initials(trial, {
        "Mr. and Mrs. Okafor": "O", "Mr and Mrs Bo Berg": "BB", "Mr. & Mrs. Okafor": "O", "Dr. and Dr. Chen": "C", "Herr und Frau Berg": "B",
        "Señor y Señora García": "G", "Monsieur et Madame Dupont": "D", "Mr. and Mrs. Berg, Bo": "BB", "Ada and Bo Okafor": "AO",
        "Andrea Okafor": "AO", "Mr. Andrea Okafor": "AO"})


@report(GITHUB + "skyhook-io/radar/pull/577", GITHUB + "exoplatform/chat-application/issues/21",
        "The only name of a person is that of an account, whose parts are joined by a dot or an underscore.",
        right="The letters of the first and the last part, as for the same account in a mail address.", before="wrong")
def names_of_accounts(trial):
    expect_initials(trial, {
        "ada.okafor": "AO", "ada_okafor": "AO", "Ada.Okafor": "AO", "A.Okafor": "AO", "ada.m.okafor": "AO", "_ada_": "A", "ada": "A", "ada.": "A",
        "Ada_1": "A", "Dr.Okafor": "O", "ada.okafor@example.org": "AO", "www.example.org": "W", ("KIND:org", "FN:Example.org"): "E"})


@report(GITHUB + "berkmancenter/namae/issues/45",
        "Pronouns stand behind a name, in brackets or without them.", right="The letters of the name.", before="wrong")
def pronouns_behind_names(trial):
    expect_initials(trial, {
        "Ada Okafor (she/her)": "AO", "Ada Okafor she/her": "AO", "Max Berg er/ihm": "MB", "Kim Lie (they/them)": "KL", "Kim Lie They/Them/Theirs": "KL",
        "Ada Okafor, she/her": "AO", "Bo She": "BS", "Acme/Oslo": "A"})


@report(GITHUB + "derek73/python-nameparser/issues/43", GITHUB + "derek73/python-nameparser/issues/325",
        "A degree behind a name has a blank inside: Ph. D., M. D.",
        right="The letters of the name. Two single letters in front of a family name, or behind one name, are given names.", before="wrong")
def degrees_with_blanks(trial):
    expect_initials(trial, {
        "Ada Okafor Ph. D.": "AO", "Ada Okafor, Ph. D.": "AO", "Ada Okafor M. D.": "AO", "Ada Okafor, M. D.": "AO", "Ada Okafor, B. A.": "AO",
        "Ada Okafor Jr., Ph. D.": "AO", "Okafor, M. D.": "MO", "M. D. Okafor": "MO", "Ada Okafor Ph.D.": "AO"})


@report(GITHUB + "derek73/python-nameparser/issues/343", GITHUB + "derek73/python-nameparser/issues/344",
        "Titles of Bengali and Hindi are abbreviated, or whole words that are borrowed from English.",
        right="The letters of the name. What may be a name as well stays one.", before="wrong")
def more_titles_of_india_and_bangladesh(trial):
    expect_initials(trial, {
        "অধ্যাপক রফিক হাসান": "রহা", "মোঃ রফিক হাসান": "রহা", "ডাক্তার রফিক হাসান": "রহা", "পণ্ডিত রফিক হাসান": "পহা",
        "प्रोफेसर अनिल वर्मा": "अव", "डा. अनिल वर्मा": "अव", "पं. अनिल वर्मा": "अव", "पंडित अनिल वर्मा": "अव", "श्रीमान अनिल वर्मा": "अव", "कुमारी वर्मा": "कुव"})


@report(GITHUB + "DemocracyOS/democracyos/issues/718", GITHUB + "tkrajina/10000sentences/issues/11",
        "A Turkish name is written in small letters, and begins with an i, whose capital has a dot.",
        right="İ, where other letters of the name show that it is Turkish; I for names of other languages.", before="wrong")
def turkish_names_in_small_letters(trial):
    expect_initials(trial, {
        "ilker yıldız": "İY", "İbrahim Işık": "İI", "ılgın ışık": "II", "ayşe ipekçioğlu": "Aİ", "ian smith": "IS", "Ian Yıldız": "IY",
        ("N:ışık;idris;;;", "FN:idris ışık"): "İI", ("N:iğdeli;ada;;;", "FN:ada iğdeli"): "Aİ", "łucja igła": "ŁI"})


@report(GITHUB + "appwrite/appwrite/issues/8042", GITHUB + "perfectsense/brightspot-cms/pull/903", GITHUB + "open-metadata/OpenMetadata/pull/23499",
        "A name begins with a sign, has one in its middle, or is one.",
        right="The first letters; the silhouette where there is none.", before="right")
def signs_in_front_of_names(trial):
    expect_initials(trial, {
        "@ada": "A", "#ada": "A", "~Ada~ Okafor": "AO", "★ Ada Okafor ★": "AO", "P!nk": "P", "*ada*": "A", "$ada Okafor": "AO", "...Ada": "A", "@": "",
        "-": "", "??? ada": "A", "3M Company": "MC"})


@report(GITHUB + "Mininglamp-OSS/octo-server/pull/494", GITHUB + "permissionlesstech/bitchat/issues/214",
        "Letters of a name are taken apart into a base and its marks, as macOS does with names of files.",
        right="The letters with their marks, as for the same name in one piece.", before="right")
def letters_that_are_taken_apart(trial):
    names = {"École Élan": "ÉÉ", "Åse Østby": "ÅØ", "Đặng Ắn": "ĐẮ", "ñandú ñu": "ÑÑ", "김철수": "철수", "Йода Ёжик": "ЙЁ", "αγγέλα Ώρα": "ΑΏ"}
    expect_initials(trial, {unicodedata.normalize("NFD", name): letters for name, letters in names.items()})


@report(GITHUB + "derek73/python-nameparser/issues/346", GITHUB + "derek73/python-nameparser/issues/514",
        "A title of a monk, a nun or a priest stands before the given name: Swami, Lama, Tulku, Sister, Father.",
        right="The letters of the name. What is a given name as well, such as Guru, stays one.", before="wrong")
def titles_of_monks_and_nuns(trial):
    expect_initials(trial, {
        "Swami Vivekananda": "V", "Lama Zopa": "Z", "Tulku Urgyen": "U", "Khenpo Bo Berg": "BB", "Geshe Sopa": "S", "Sister Mary": "M", "Father Bo Berg": "BB",
        "Brother Klaus": "K", "Mother Teresa": "T", "स्वामी अनिल वर्मा": "अव", "Guru Dutt": "GD", "Ada Lama": "AL", "Sister": "S"})


@report(GITHUB + "datamade/probablepeople/issues/73",
        "A name has the one of the person behind it who takes the letters: Ada Moe c/o Bo Berg.",
        right="The letters of the first name.", before="wrong")
def names_in_care_of_others(trial):
    expect_initials(trial, {
        "Ada Moe c/o Bo Berg": "AM", "Ada Moe C/O Miss Lie": "AM", "Mr Bo Berg c/- Ada Moe": "BB", "Ada Moe ℅ Bo Berg": "AM", "Ada Moe (c/o Bo Berg)": "AM",
        "c/o Bo Berg": "CB"})


@report(GITHUB + "derek73/python-nameparser/issues/79", GITHUB + "derek73/python-nameparser/issues/461", GITHUB + "derek73/python-nameparser/pull/536",
        "Names are joined by and, y, i or e: those of two people, or two family names.",
        right="The letters of the first and the last name; the word between them gives none.", before="right")
def words_between_names(trial):
    expect_initials(trial, {
        "Rob And Beth Edmunds": "RE", "Ada & Bo Okafor": "AO", "Juan Velasquez y Garcia": "JG", "Josep Carod i Rovira": "JR", "Ana Lima e Silva": "AS",
        "John E. Smith": "JS", "Juan y Garcia": "JG", "Jan Kowalski i Nowak": "JN"})
