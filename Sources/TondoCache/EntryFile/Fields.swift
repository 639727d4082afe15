/// `name=value` pairs as one line of text; a name may occur several times. Blanks, `%` and everything except printable
/// ASCII are written as `%` and two hexadecimal digits per byte (RFC 3986 section 2.1).
struct Fields {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    /// Words that are not pairs are skipped.
    init(_ text: some StringProtocol) {
        pairs = Pairs.of(text) { pairs in pairs.map { ($0.name, Self.decoded($0.value)) } }
    }

    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    var text: String { pairs.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: " ") }

    private static func encoded(_ value: String) -> String {
        guard value.utf8.contains(where: isSpecial) else { return value }
        return value.utf8.map { byte in
            guard isSpecial(byte) else { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }

    static func decoded(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "%")) else { return value }
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isSpecial(_ byte: UInt8) -> Bool { !(0x21...0x7E).contains(byte) || byte == UInt8(ascii: "%") }
}
