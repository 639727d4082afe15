/// The parts of a Korean name: a family name of one syllable, rarely of two, and a given name of one or two.
struct HangulName {
    /// The given name; both syllables of a name of two, since that may be a given name alone. Nil: the words are no such
    /// name, such as a foreign one in hangul.
    let given: String?

    init(words: [Substring]) {
        let parts = words.map { InitialLetter.all(of: $0) }
        guard let family = parts.first, let last = parts.last, parts.allSatisfy({ $0.allSatisfy(\.isHangul) }) else {
            given = nil
            return
        }
        if parts.count == 2 {
            let isName = (family.count == 1 || Self.longFamilies.contains(String(family))) && last.count <= 2
            given = isName ? String(last) : nil
            return
        }
        let isLong = family.count > 2 && Self.longFamilies.contains(String(family.prefix(2)))
        let rest = family.count == 2 ? family[...] : family.dropFirst(isLong ? 2 : 1)
        given = parts.count == 1 && 1...2 ~= rest.count && family.count > 1 ? String(rest) : nil
    }

    /// Family names of two syllables in the census of South Korea of 2015, without those of a few families.
    private static let longFamilies: Set<String> = ["남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방"]
}
