/// Words around names that give no initials.
enum NameParts {
    /// "Dr.", "Prof.", "Dipl.-Ing.", in front of a name.
    static func isTitle(_ word: Substring) -> Bool {
        // Most words are names.
        if word.utf8.count > 18, word.utf8.last != UInt8(ascii: ".") { return false }
        let lower = word.lowercased()
        if titles.contains(lower) { return true }
        guard lower.last == "." else { return false }
        let parts = lower.split { $0 == "." || $0 == "-" }.map(String.init)
        return !parts.isEmpty && parts.allSatisfy { titles.contains($0) || abbreviatedTitles.contains($0) }
    }

    /// "Jr.", "III", "PhD", "さん", behind a name, and legal forms that are no names: books have companies as people.
    static func isSuffix(_ word: Substring) -> Bool {
        if word.utf8.first.map({ $0 >= 0x80 }) == true, word.first.map({ $0.isHanOrKana || $0.isHangul }) == true {
            return honorifics.contains(String(word))
        }
        return suffixes.contains(plain(word))
    }

    /// Degrees that could be names, too: they count behind a comma only.
    static func isDegree(_ word: Substring) -> Bool { degrees.contains(plain(word)) }

    /// "von", "de", "bin", in lower case: "Van" with a capital is a part of the name.
    static func isParticle(_ word: Substring) -> Bool { particles.contains(String(word)) }

    /// A word that is no name in front of others.
    static func isLeftOutInFront(_ word: Substring) -> Bool { isTitle(word) || isParticle(word) }

    static func isArticle(_ word: Substring) -> Bool { plain(word) == "the" }

    /// "GmbH", "Inc.", behind the name of a company.
    static func isLegalForm(_ word: Substring) -> Bool { legalForms.contains(plain(word)) }

    /// In lower case, without full stops.
    private static func plain(_ word: Substring) -> String {
        let lower = word.lowercased()
        return lower.utf8.contains(UInt8(ascii: ".")) ? lower.filter { $0 != "." } : lower
    }

    private static let titles: Set<String> = [
        "dr", "prof", "professor", "doctor", "mr", "mrs", "ms", "mx", "sir", "dame", "herr", "frau", "mme", "mlle",
        "monsieur", "madame", "señor", "señora", "sra", "srta", "dott", "dipl", "д-р", "г-н", "г-жа",
    ]

    /// Titles with a full stop; without one they are names.
    private static let abbreviatedTitles: Set<String> = [
        "ing", "mag", "hon", "rev", "fr", "hr", "med", "rer", "nat", "phil", "jur", "h", "c", "univ", "pd", "priv",
        "doz",
        "sr", "dra", "eng", "проф",
    ]

    private static let suffixes: Set<String> = [
        "jr", "sr", "ii", "iii", "iv", "phd", "md", "esq", "dds", "mba", "msc", "gmbh", "inc", "ltd", "llc", "llp",
        "corp",
    ]

    private static let degrees: Set<String> = [
        "ma", "ba", "bsc", "bs", "ms", "llm", "llb", "rn", "cpa", "pe", "v", "vi", "jun", "sen", "dr", "mag",
        "dipl-ing",
    ]

    private static let honorifics: Set<String> = ["さん", "様", "先生", "씨", "님", "女士", "小姐"]

    private static let particles: Set<String> = [
        "van", "von", "vom", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "do", "la", "le",
        "las",
        "los", "el", "al", "bin", "bint", "ibn", "ben", "zu", "zur", "zum", "ter", "ten", "af", "av",
    ]

    private static let legalForms: Set<String> = [
        "gmbh", "ag", "kg", "ohg", "ug", "ev", "eg", "se", "inc", "ltd", "llc", "llp", "plc", "corp", "co", "sa", "sas",
        "sarl", "srl", "spa", "bv", "nv", "ab", "oy", "aps", "pty", "ltda",
    ]
}
