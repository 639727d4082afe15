/// The names of a card, which may be those of one person or of two.
struct NamesOfCard {
    /// The first ones.
    var formatted: NameOfCard?
    var name: NameOfCard?
    /// Other formatted names, behind data.
    private var others: [NameOfCard] = []
    /// There are more than are compared.
    private var hasMore = false

    /// More names than any person has.
    private static let most = 8

    /// No other name was added.
    var isEmpty: Bool { others.isEmpty }

    mutating func add(_ other: NameOfCard) {
        if others.count < Self.most { others.append(other) } else { hasMore = true }
    }

    /// Each of the other names fits the first one, or all fit the one structured name.
    var areOfOnePerson: Bool {
        if others.isEmpty { return true }
        if hasMore { return false }
        guard let formatted else { return false }
        let fitName = name.map { name in ([formatted] + others).allSatisfy { $0.fits(name) } }
        return fitName == true || others.allSatisfy { $0.fits(formatted) }
    }
}

/// A name as words, to be compared with another one of the card or entry.
struct NameOfCard {
    /// Without letter case, accents and punctuation.
    private let words: Set<String>

    /// More bytes than any name has.
    private static let most = 512

    /// `value`: as it is in the card, without blanks around it.
    init(value: UnsafeRawBufferPointer, encoding: VCardParameters.Encoding) {
        let part = UnsafeRawBufferPointer(rebasing: value.prefix(Self.most))
        let text = encoding == .quotedPrintable ? QuotedPrintable.decode(part) : Array(part)
        self.init(String(decoding: text, as: UTF8.self))
    }

    init(_ text: String) {
        let folded = ContactSearch.folded(text)
        words = Set(folded.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// Whether one of them has all words of the other one: `Moe, Ada` and `Ada M. Moe`.
    func fits(_ other: NameOfCard) -> Bool {
        let (short, long) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
        return !short.isEmpty && short.isSubset(of: long)
    }
}
