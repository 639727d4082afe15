/// A property's group, name and parameters: what stands before the colon (RFC 6350 3.3, vCard 2.1 section 2.1).
struct VCardHeader {
    /// Before the dot, in lower case, as in `item1.TEL`.
    private(set) var group: String?
    /// Nil when the property is none that is read.
    private(set) var field: VCardField?
    private(set) var parameters = VCardParameters()
    /// Where the value begins: behind the colon, an offset in the card.
    private(set) var valueStart = 0

    /// Moves a header that was read from a part of the card to its place there.
    mutating func move(by offset: Int) { valueStart += offset }

    /// Nil when the line has no colon, or none outside of quotes. `isWhole`: no more of the line follows, so a quote
    /// that does not end is an ordinary character.
    init?(_ line: UnsafeRawBufferPointer, isWhole: Bool) {
        guard var position = readName(line) else { return nil }
        while line[position] == UInt8(ascii: ";") {
            guard let end = Self.parameterEnd(line, from: position + 1, isWhole: isWhole) else { return nil }
            parameters.add(UnsafeRawBufferPointer(rebasing: line[(position + 1)..<end]))
            position = end
        }
        valueStart = position + 1
    }

    /// Returns where the name ends, at a semicolon or colon.
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
            // Blanks, and the byte order marks of files that were put one behind the other.
            case 0...0x20, 0x80...0xFF: break
            default: hash.add(line[position])
            }
        }
        return nil
    }

    /// Where a parameter ends: at the next semicolon or colon that is not quoted.
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
