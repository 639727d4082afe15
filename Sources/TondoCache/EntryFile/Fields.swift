internal import TondoText

/// `name=value` pairs as one line of text; a name may occur several times. Blanks, `%` and everything except printable
/// ASCII are written as `%` and two hexadecimal digits per byte (RFC 3986 section 2.1).
struct Fields {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    /// Words that are not pairs are skipped.
    init(_ text: some StringProtocol) {
        pairs = Pairs.of(text) { pairs in pairs.map { ($0.name, PercentEncoding.decode($0.value)) } }
    }

    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    var text: String {
        pairs.map { "\($0.name)=\(PercentEncoding.encode($0.value, as: .word))" }.joined(separator: " ")
    }
}
