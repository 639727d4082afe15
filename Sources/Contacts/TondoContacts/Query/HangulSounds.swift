private import Foundation

/// Hangul in Latin letters by the rules of South Korea (2000), syllable by syllable as names are written; family names also as their
/// bearers spell them. And the first consonants, by which Koreans search.
enum HangulSounds {
    /// Nil for a word with other characters.
    static func readings(of word: String) -> [SearchSounds.Reading]? {
        let scalars = word.precomposedStringWithCanonicalMapping.unicodeScalars
        guard scalars.allSatisfy(HangulLetter.isSyllable) else { return nil }
        let sounds = scalars.map(sound)
        var readings = [SearchSounds.Reading(syllables: sounds)]
        if let first = scalars.first, let family = families[first] {
            readings.append(SearchSounds.Reading(syllables: [family] + sounds.dropFirst()))
        }
        return readings + [SearchSounds.Reading(syllables: scalars.map { consonants[Int($0.value - 0xAC00) / 588] })]
    }

    private static func sound(of syllable: Unicode.Scalar) -> String {
        let number = Int(syllable.value - 0xAC00)
        return first[number / 588] + vowels[number / 28 % 21] + last[number % 28]
    }

    private static func parts(_ text: String) -> [String] {
        text.split(separator: " ").map { $0 == "-" ? "" : String($0) }
    }

    /// The beginning of a syllable with this consonant; nil for other scalars.
    static func beginning(of consonant: Unicode.Scalar) -> Unicode.Scalar? {
        guard 0x3131...0x314E ~= consonant.value, let index = consonants.firstIndex(of: String(consonant)) else {
            return nil
        }
        return Unicode.Scalar(0x1100 + UInt32(index))
    }

    private static let consonants = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".map { String($0) }
    private static let first = parts("g kk n d tt r m b pp s ss - j jj ch k t p h")
    private static let vowels = parts("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
    private static let last = parts("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")

    /// The usual spelling of the most frequent family names, where it differs from the rules.
    private static let families: [Unicode.Scalar: String] = [
        "김": "kim", "이": "lee", "박": "park", "최": "choi", "정": "jung", "강": "kang", "조": "cho", "윤": "yoon",
        "임": "lim", "신": "shin", "오": "oh", "서": "seo", "권": "kwon", "안": "ahn", "유": "yoo", "전": "jun", "고": "ko",
        "문": "moon", "손": "sohn", "배": "bae", "백": "baek", "허": "huh", "노": "roh", "심": "shim", "곽": "kwak",
        "성": "sung",
        "주": "joo", "우": "woo", "구": "koo", "류": "ryu", "국": "kook", "금": "keum", "길": "kil",
    ]
}

extension SearchSounds.Reading {
    /// `syllables`: one for each character of the word.
    init(syllables: [String]) {
        self.init(text: syllables.joined())
        var end = 0
        for syllable in syllables {
            parts.append(end..<end + syllable.utf8.count)
            end += syllable.utf8.count
        }
    }
}
