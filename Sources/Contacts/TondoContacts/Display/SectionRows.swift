/// Index letters of hangul: the fourteen plain consonants. A double consonant stands with its plain one, behind which it is sorted.
enum HangulLetter {
    static func isSyllable(_ scalar: Unicode.Scalar) -> Bool { 0xAC00...0xD7A3 ~= scalar.value }

    /// The vowel or the end of a syllable, which is none without its consonant.
    static func isVowel(_ scalar: Unicode.Scalar) -> Bool { 0x1160...0x11FF ~= scalar.value }

    /// The consonant of a syllable of 588 for each first consonant, or of such a consonant alone; nil for vowels and other scripts.
    static func title(of scalar: Unicode.Scalar) -> String? {
        if isSyllable(scalar) { return titles[Int(scalar.value - 0xAC00) / 588] }
        if 0x1100...0x1112 ~= scalar.value { return titles[Int(scalar.value - 0x1100)] }
        return nil
    }

    /// By the first consonants, in the order of Unicode.
    private static let titles = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ".map { String($0) }
}

/// Index letters of kana: the ten rows of the table of sounds. Hiragana and katakana, voiced and small ones are sorted among each
/// other.
enum KanaRow {
    /// Nil for other scripts.
    static func title(of scalar: Unicode.Scalar) -> String? {
        var value = scalar.value
        if 0x30A1...0x30F6 ~= value { value -= 0x60 }
        guard 0x3041...0x3096 ~= value else { return nil }
        return rows.last { $0.first <= value }?.title
    }

    /// The first scalar of each row, with the small letters before it.
    private static let rows: [(first: UInt32, title: String)] = [
        (0x3041, "あ"), (0x304B, "か"), (0x3055, "さ"), (0x305F, "た"), (0x306A, "な"), (0x306F, "は"), (0x307E, "ま"),
        (0x3083, "や"), (0x3089, "ら"), (0x308E, "わ"), (0x3094, "あ"), (0x3095, "か"),
    ]
}
