"""Initials: what a letter is, in the scripts of the world, and what is none."""
from support import drawn
from support.drawn import expect_initials
from support.report import report


@report("https://github.com/w3c/iip/issues/116", "https://github.com/w3c/iip/issues/94", "https://github.com/w3c/iip/issues/111",
        "https://github.com/w3c/ilreq/issues/2",
        "A name begins with consonants that are written as one sign, in scripts whose clusters of Unicode end between them.",
        right="The whole sign with its vowel; a consonant whose virama is seen stands alone.", before="wrong")
def joined_consonants(trial):
    expect_initials(trial, {
        "ಶ್ರೀನಿವಾಸ ರಾವ್": "ಶ್ರೀರಾ", "ಕ್ರಿಸ್ಟಿ": "ಕ್ರಿ", "ਪ੍ਰੀਤਮ ਸਿੰਘ": "ਪ੍ਰੀਸਿੰ", "ஸ்ரீதர்": "ஸ்ரீ", "க்ஷமா": "க்ஷ", "ஸ்டாலின்": "ஸ்",
        "ශ්‍රීමා පෙරේරා": "ශ්‍රීපෙ", "ප්‍රියන්ත": "ප්‍රි", "ක්ෂිති": "ක්", "ក្មេង ស៊ី": "ក្មេស៊ី", "क्षमा वर्मा": "क्षव", "শ্রীমন্ত": "শ্রী", "શ્રીકાંત": "શ્રી",
        "ಅನಿಲ್": "ಅ"})


@report("https://github.com/block/buzz/pull/5992",
        "A Burmese name begins with a vowel around its consonant, the second part of which is a cluster of its own.",
        right="The consonant with both parts: half of the vowel is another one.", before="wrong")
def vowels_in_two_parts(trial):
    expect_initials(trial, {"မောင်မောင်": "မော", "ကျော်သူ": "ကျော်", "အောင် မင်း": "အောမ"})


@report("https://github.com/LasseRafn/ui-avatars/issues/4",
        "A Thai name begins with a vowel that is written before its consonant.",
        right="The consonant.", before="right")
def vowels_in_front(trial):
    expect_initials(trial, {"เอกชัย ใจดี": "อจ", "ไพลิน แสง": "พส", "ชิน": "ชิ"})


@report("https://github.com/w3c/eurlreq/issues/6", "https://github.com/kiesraad/e-ks/issues/1074",
        "A Dutch name begins with the letter IJ.",
        right="IJ; Ij begins names of other languages.", before="wrong")
def the_dutch_letter_ij(trial):
    expect_initials(trial, {
        "IJsbrand de Vries": "IJV", ("N:IJzerman;Lotte;;;", "FN:Lotte IJzerman"): "LIJ", "Ijeoma Obi": "IO", "IJ": "I", "Ĳsbrand": "Ĳ",
        "IJSBRAND": "I"})


@report("https://github.com/jitsi/jitsi-meet/pull/11358", "https://github.com/Automattic/gravatar/issues/300",
        "https://github.com/laravolt/avatar/issues/109", "https://github.com/laravolt/avatar/issues/58",
        "A name is in Arabic letters.",
        right="Two separate letters, and the one of the given name, a narrow alef, on the right.", before="right")
def right_to_left(trial):
    expect_initials(trial, {"أحمد خالد": "أخ", "אורי שלום": "אש"})
    ink = drawn.Ink(drawn.draw(trial, "أحمد خالد", 96))
    columns = {x for x, _ in ink.points}
    gaps = [x for x in range(ink.left, ink.right) if x not in columns]
    trial.require("a gap lies between the letters", bool(gaps))
    if gaps:
        trial.require("the narrow letter is on the right", ink.right - max(gaps) < min(gaps) - ink.left)


@report("https://github.com/WTTJ/welcome-ui/issues/839", "https://github.com/umbraco/Umbraco.Cloud.Issues/issues/143",
        "A name has letters beyond ASCII, in its middle or at its beginning.",
        right="The first letters of its words, whatever they are.", before="right")
def letters_beyond_ascii(trial):
    expect_initials(trial, {
        "Việt Nam": "VN", "Ørskov Web": "ØW", "đặng văn lâm": "ĐL", "Þóra Ýr": "ÞÝ", "ßeta": "ß", "ıraz ilhan": "Iİ", "ŉtombi": "ŉ"})


@report("https://github.com/Expensify/App/pull/96468", "https://github.com/Expensify/App/issues/29644",
        "https://github.com/matrix-org/matrix-js-sdk/issues/661", "https://github.com/element-hq/element-web/issues/6896",
        "A name is invisible, or begins with characters that nothing shows.",
        right="The letters that are seen; without one, those of the mail address.", before="wrong")
def invisible_characters(trial):
    fillers = "\u3164", "\u115f\u1160", "\uffa0", "\u200b", "\u200d", "\u2800", "\ufeff", "\u2060"
    expect_initials(trial, {f"{filler}Ada Okafor": "AO" for filler in fillers})
    expect_initials(trial, {filler: "H" for filler in fillers}, "EMAIL:hello@example.org")


@report("https://github.com/telegramdesktop/tdesktop/issues/8315", "https://github.com/element-hq/element-x-android/issues/4260",
        "https://github.com/ProtonMail/proton-contacts/issues/54", "https://github.com/element-hq/element-web/issues/18040",
        "A name is an emoji, also one of those that are shown in black without a selector.",
        right="The whole emoji.", before="wrong")
def names_of_emoji(trial):
    expect_initials(trial, {
        "❤": "❤", "❤️": "❤️", "☎": "☎", "♾ ♾": "♾", "🌹 🌵": "🌹", "🏳️‍🌈": "🏳️‍🌈", "👨‍👩‍👧‍👦": "👨‍👩‍👧‍👦", "👍🏽": "👍🏽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿": "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇨🇭🇩🇪": "🇨🇭",
        "‼": "", "1️⃣": ""})
    ink = drawn.Ink(drawn.draw(trial, "❤", 96))
    trial.require(f"the heart is in the middle: {ink.off_centre}", max(map(abs, ink.off_centre)) <= 1)


@report("https://github.com/fork-dev/TrackerWin/issues/934", "https://github.com/skyportal/skyportal/issues/1567",
        "A Korean name has a family name and a given name, with a blank or without one.",
        right="The given name: many share one family name.", before="right")
def korean_names(trial):
    expect_initials(trial, {"김지호": "지호", "김 지호": "지호", "남궁민수": "민수", ("N:김;지호;;;", "FN:김지호"): "지호"})


@report("https://github.com/moonklabs/sprintable/pull/3419",
        "A name in hangul has two words that are no family and given name.",
        right="One syllable: the first ones of both words can read as a word, and that as a rude one.", before="wrong")
def two_words_of_hangul(trial):
    expect_initials(trial, {"시스템 발행": "시", "케테 뮐러": "케", ("N:뮐러;케테;;;", "FN:케테 뮐러"): "케"})


@report("https://github.com/onyx-dot-app/onyx/pull/14401", "https://github.com/holys/initials-avatar/pull/11",
        "https://github.com/meteor-utilities/avatar/issues/52", "https://github.com/telegramdesktop/tdesktop/issues/217",
        "A Chinese or Japanese name, with a blank or without one.",
        right="The first character of the family name.", before="right")
def chinese_and_japanese_names(trial):
    expect_initials(trial, {
        "王小明": "王", "金智虎": "金", "ひととせ": "ひ", "山田 太郎": "山", ("N:佐藤;恵美;;;", "FN:恵美 佐藤"): "佐", "克特·米勒": "克米", "𠮷野 太郎": "𠮷"})


@report("https://github.com/signalapp/Signal-Android/issues/3145", "https://github.com/chatwoot/chatwoot/issues/2641",
        "https://github.com/Samuels-Development/sd-phone/issues/59", "https://github.com/signalapp/Signal-iOS/issues/1512",
        "A contact has a number and no name, or signs alone as its name.",
        right="The silhouette: a plus sign or a digit says nothing.", before="right")
def numbers_without_names(trial):
    expect_initials(trial, {"+44 7700 900123": "", "(020) 7946-0958": "", "112": "", "???": "", "--": "", "+Ada Okafor": "AO", "3M": "M"})


@report("https://github.com/perfectsense/brightspot-cms/pull/903", "A page or a mail address stands behind a name.", right="The letters of the name.", before="wrong")
def pages_behind_names(trial):
    expect_initials(trial, {f"Ada Okafor {page}": "AO" for page in ("https://example.org", "www.example.org", "ada@example.org", "<http://example.org>")})
    expect_initials(trial, {"Ada https://example.org": "A"})
