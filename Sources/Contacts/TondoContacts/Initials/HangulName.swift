/// The parts of a Korean name: a family name of one syllable, rarely of two, and a given name of one or two.
struct HangulName {
    /// The given name; both syllables of a name of two, since that may be a given name alone. Nil: the words are no such
    /// name, such as a foreign one in hangul.
    let given: String?

    init(words: [Substring]) {
        let parts = words.map { InitialLetter.all(of: Self.withoutHonorific($0)) }
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
        let isName =
            parts.count == 1 && 1...2 ~= rest.count && family.count > 1 && !Self.isTitle(Substring(String(rest)))
        given = isName ? String(rest) : nil
    }

    /// "철수" of "철수씨" and "철수님".
    static func withoutHonorific(_ word: Substring) -> Substring {
        word.count > 2 && (word.last == "씨" || word.last == "님") ? word.dropLast() : word
    }

    /// What stands behind a name: "씨", "부장", "교수님".
    static func isTitle(_ word: Substring) -> Bool { titles.contains(String(withoutHonorific(word))) }

    private static let titles: Set<String> = [
        "회장", "사장", "부사장", "대표", "전무", "상무", "이사", "본부장", "부장", "차장", "과장", "팀장", "실장", "대리", "주임",
        "사원", "원장", "교수", "박사", "선생", "변호사", "기사", "목사", "씨", "님",
    ]

    /// Family names of two syllables in the census of South Korea of 2015, without those of a few families.
    private static let longFamilies: Set<String> = ["남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방"]
}
