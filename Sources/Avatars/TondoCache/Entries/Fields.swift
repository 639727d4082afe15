internal import TondoText

/// `name=value` pairs as one line of text; a name may occur several times. Blanks, `%` and everything except printable
/// ASCII are written as `%` and two hexadecimal digits per byte (RFC 3986 section 2.1).
struct Fields {
    private(set) var pairs: [(name: String, value: String)] = []

    init() {}

    /// Words that are not pairs are skipped.
    init(_ text: some StringProtocol) {
        pairs = Pairs.of(text) { pairs in pairs.map { ($0.name, PercentEncoding.decode($0.value)) } }
    }

    mutating func add(_ name: String, value: String) { pairs.append((name, value)) }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    var text: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value, as: .word))" }.joined(separator: " ")
    }
}

/// The `name=value` words of a line, one by one; others are skipped. Works on bytes, since characters would take ten
/// times as long.
struct Pairs: Sequence, IteratorProtocol {
    /// A word at its place in the line.
    struct Pair {
        let word: UnsafeBufferPointer<UInt8>
        fileprivate let equal: Int

        var name: String { String(decoding: word[..<equal], as: UTF8.self) }
        var value: String { String(decoding: word[(equal + 1)...], as: UTF8.self) }

        func isNamed(_ name: String) -> Bool { word[..<equal].elementsEqual(name.utf8) }
    }

    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// `body` must not keep its argument.
    static func of<Result>(_ line: some StringProtocol, body: (Pairs) -> Result) -> Result {
        var line = String(line)
        return line.withUTF8 { body(Pairs(rest: $0[...])) }
    }

    mutating func next() -> Pair? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
            let word = UnsafeBufferPointer(rebasing: rest[..<end])
            rest = rest[end...].dropFirst()
            if let equal = word.firstIndex(of: UInt8(ascii: "=")) { return Pair(word: word, equal: equal) }
        }
        return nil
    }
}
