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

    /// Returns the end of the name, at a semicolon or colon.
    private mutating func readName(_ line: UnsafeRawBufferPointer) -> Int? {
        var hash = VCardField.NameHash()
        var start = 0
        for position in 0..<line.count {
            switch line[position] {
            case UInt8(ascii: ";"), UInt8(ascii: ":"):
                field = VCardField(hash)
                return position
            case UInt8(ascii: "."):
                group = ASCII.loweredString(UnsafeRawBufferPointer(rebasing: line[start..<position]))
                hash = VCardField.NameHash()
                start = position + 1
            // Blanks, and the byte order marks of concatenated files.
            case 0...0x20, 0x80...0xFF: break
            default: hash.add(line[position])
            }
        }
        return nil
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
