/// A property's group, name and parameters: the text before the colon (RFC 6350 3.3, vCard 2.1 section 2.1).
struct VCardHeader {
    /// The text before the dot, in lower case, as in `item1.TEL`.
    private(set) var group: String?
    /// Nil if the property is not supported.
    private(set) var field: VCardField?
    private(set) var parameters = VCardParameters()
    /// The beginning of the value, after the colon: an offset in the card.
    private(set) var valueStart = 0

    /// Moves a header that was read from a part of the card to its position there.
    mutating func move(by offset: Int) { valueStart += offset }

    /// Nil if the line has no colon, or none outside of quotes. `isWhole`: the line is complete, so an unterminated
    /// quote is an ordinary character.
    init?(_ line: UnsafeRawBufferPointer, isWhole: Bool) {
        guard var position = readName(line) else { return nil }
        while line[position] == UInt8(ascii: ";") {
            guard let end = Self.parameterEnd(line, from: position + 1, isWhole: isWhole) else { return nil }
            parameters.add(UnsafeRawBufferPointer(rebasing: line[(position + 1)..<end]))
            position = end
        }
        valueStart = position + 1
    }

    /// Whether the line has the form of a property, supported or not. Only capital letters make a property of a word that
    /// is not known: a text may have a colon behind a word, too.
    static func isProperty(_ line: UnsafeRawBufferPointer) -> Bool {
        let line = UnsafeRawBufferPointer(rebasing: line.prefix(128))
        var header = VCardHeader()
        guard let end = header.readName(line), end > 0 else { return false }
        if header.field != nil { return true }
        let name = line[..<end]
        guard name.allSatisfy({ ASCII.isLetter($0) || 0x2D...0x39 ~= $0 || $0 == UInt8(ascii: "_") }) else {
            return false
        }
        let word = UnsafeRawBufferPointer(
            rebasing: name.suffix(from: name.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0))
        let isUpper = !word.contains { ASCII.isLetter($0) && $0 >= UInt8(ascii: "a") }
        return isUpper || ASCII.has("x-", in: word) || Self.otherNames.contains(ASCII.loweredString(word))
    }

    /// Properties that are not supported (RFC 2426, RFC 6350, RFC 6715, RFC 9554), as some writers spell them.
    private static let otherNames: Set<String> = [
        "anniversary", "caladruri", "caluri", "class", "clientpidmap", "created", "expertise", "fburl", "gender", "geo",
        "hobby", "interest", "key", "label", "lang", "language", "mailer", "prodid", "profile", "pronouns", "related",
        "sort-string", "sound", "source", "tz", "xml",
    ]

    private init() {}

    /// Returns the end of the name, at a semicolon or colon.
    private mutating func readName(_ line: UnsafeRawBufferPointer) -> Int? {
        var hash = VCardField.NameHash()
        var start = 0
        for position in 0..<line.count {
            switch line[position] {
            case UInt8(ascii: ";"), UInt8(ascii: ":"):
                let name = UnsafeRawBufferPointer(rebasing: line[start..<position])
                field = VCardField(hash) ?? account(name) ?? kind(name)
                return position
            case UInt8(ascii: "."):
                group = ASCII.loweredString(UnsafeRawBufferPointer(rebasing: line[start..<position]))
                hash = VCardField.NameHash()
                start = position + 1
            // Blanks, and the byte order marks of concatenated files.
            case 0...0x20, 0x7F...0xFF: break
            default: hash.add(line[position])
            }
        }
        return nil
    }

    /// `PHONE.WORK`: the kind of a number or an address in place of a group, and its type in place of the name.
    private mutating func kind(_ name: UnsafeRawBufferPointer) -> VCardField? {
        guard let group, let field = Self.kinds[group] else { return nil }
        parameters.add(name)
        self.group = nil
        return field
    }

    private static let kinds: [String: VCardField] = [
        "phone": .phone, "tel": .phone, "email": .email, "mail": .email, "adr": .address, "address": .address,
    ]

    private mutating func account(_ name: UnsafeRawBufferPointer) -> VCardField? {
        guard let network = VCardField.network(ofProperty: String(decoding: name, as: UTF8.self)) else { return nil }
        parameters.take(network: network)
        return .account
    }

    /// The end of a parameter: the next semicolon or colon that is not quoted.
    private static func parameterEnd(_ line: UnsafeRawBufferPointer, from start: Int, isWhole: Bool) -> Int? {
        var (position, isQuoted) = (start, false)
        while position < line.count {
            switch line[position] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted, UInt8(ascii: ":") where !isQuoted: return position
            default: break
            }
            position += 1
        }
        guard isQuoted, isWhole else { return nil }
        return line[start...].firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
    }
}
