internal import TondoText

/// Base64 (RFC 4648 sections 4 and 5) in the variants of books: folded, padded or not, in either alphabet, with foreign
/// characters in between, and with escapes of URIs (`%2B`), HTML (`&#43;`) and JSON (`\u002B`).
enum Base64 {
    /// Skips all characters outside the alphabet, including the escapes of line ends and commas. Padding ends a group
    /// of four; a last character that has only six bits is dropped.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 8) { output, count in
            count = decode(text, into: UnsafeMutableRawBufferPointer(output))
        }
    }

    /// At most the first `count` bytes.
    static func head(_ text: UnsafeRawBufferPointer, count: Int) -> [UInt8] {
        // Enough text for folds, but much less than the whole photo.
        Array(decode(UnsafeRawBufferPointer(rebasing: text.prefix(4 * count + 64))).prefix(count))
    }

    /// Whether the text is a line of base64.
    static func isOnlyAlphabet(_ text: UnsafeRawBufferPointer) -> Bool {
        tables.withUnsafeBufferPointer { tables in
            text.allSatisfy { tables[Int($0)] < invalid || ASCII.isBlank($0) || $0 == UInt8(ascii: "=") }
        }
    }

    /// Marks a character outside the alphabet.
    private static let invalid: UInt32 = 1 << 31

    /// The contribution of each character to a group, for its four positions one after the other.
    private static let tables: [UInt32] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var tables = [UInt32](repeating: invalid, count: 4 * 256)
        for position in 0..<4 {
            let shift = UInt32(18 - 6 * position)
            for (value, letter) in letters.enumerated() {
                tables[256 * position + Int(letter)] = UInt32(value) << shift
            }
            tables[256 * position + Int(UInt8(ascii: "-"))] = 62 << shift
            tables[256 * position + Int(UInt8(ascii: "_"))] = 63 << shift
        }
        return tables
    }()

    private static func decode(_ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        tables.withUnsafeBufferPointer { tables in
            var (input, written) = (0, 0)
            while true {
                fastGroups(text, input: &input, output: output, written: &written, tables: tables)
                guard slowGroup(text, input: &input, output: output, written: &written, tables: tables) else {
                    return written
                }
            }
        }
    }

    /// Decodes groups of four adjacent characters up to the first foreign one.
    private static func fastGroups(
        _ text: UnsafeRawBufferPointer, input: inout Int, output: UnsafeMutableRawBufferPointer,
        written: inout Int, tables: UnsafeBufferPointer<UInt32>
    ) {
        var (from, to) = (input, written)
        while from + 4 <= text.count {
            let group =
                tables[Int(text[from])] | tables[256 + Int(text[from + 1])] | tables[512 + Int(text[from + 2])]
                | tables[768 + Int(text[from + 3])]
            guard group < invalid else { break }
            // Writes one byte more than the group has; the next group overwrites it, and the capacity has room for the
            // last.
            output.storeBytes(of: (group << 8).bigEndian, toByteOffset: to, as: UInt32.self)
            from += 4
            to += 3
        }
        input = from
        written = to
    }

    /// Decodes one group around foreign characters; false at the end of the text.
    private static func slowGroup(
        _ text: UnsafeRawBufferPointer, input: inout Int, output: UnsafeMutableRawBufferPointer,
        written: inout Int, tables: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        var (group, characters) = (UInt32(0), 0)
        while input < text.count, characters < 4 {
            let (character, length) = character(text, at: input)
            let value = tables[256 * characters + Int(character)]
            input += length
            if value < invalid {
                group |= value
                characters += 1
            } else if character == UInt8(ascii: "=") {
                break
            }
        }
        for index in 0..<max(characters - 1, 0) {
            output[written] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
            written += 1
        }
        return input < text.count
    }

    /// The character at `position`, or the one that an escape there means, and its length in the text.
    private static func character(_ text: UnsafeRawBufferPointer, at position: Int) -> (UInt8, length: Int) {
        let rest = UnsafeRawBufferPointer(rebasing: text[position..<min(position + 24, text.count)])
        switch rest[0] {
        case UInt8(ascii: "%"): return digits(rest, from: 1, count: 2)
        case UInt8(ascii: "\\"):
            let next = behindFold(rest, from: 1)
            guard next < rest.count else { return (0, 1) }
            switch rest[next] {
            case UInt8(ascii: "u"): return digits(rest, from: next + 1, count: 4)
            // Line ends and tabs.
            case UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "r"), UInt8(ascii: "R"), UInt8(ascii: "t"):
                return (0, next + 1)
            default: return (0, 1)
            }
        case UInt8(ascii: "&"): return entity(rest)
        default: return (rest[0], 1)
        }
    }

    /// A fold may be inside of an escape (RFC 6350 3.2): a line end and a blank.
    private static func behindFold(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end < text.count, ASCII.isBlank(text[end]) { end += 1 }
        let isFold = end > start && (text[end - 1] == UInt8(ascii: " ") || text[end - 1] == UInt8(ascii: "\t"))
        return isFold ? end : start
    }

    /// Hexadecimal digits, perhaps with a fold between them.
    private static func digits(_ text: UnsafeRawBufferPointer, from start: Int, count: Int) -> (UInt8, length: Int) {
        var (value, digits, position) = (0, 0, start)
        while digits < count, position < text.count {
            if let digit = Hex.value(of: text[position]) {
                value = 16 * value + Int(digit)
                digits += 1
            } else if !ASCII.isBlank(text[position]) {
                break
            }
            position += 1
        }
        return digits == count && value < 0x80 ? (UInt8(value), position) : (0, 1)
    }

    /// `&#43;`, `&#x2B;`, perhaps with a fold inside; others, such as `&nbsp;`, mean no character of base64.
    private static func entity(_ text: UnsafeRawBufferPointer) -> (UInt8, length: Int) {
        var (bytes, end): ([UInt8], Int) = ([], 1)
        // No further than a reference reaches: base64 may be full of ampersands.
        while end < text.count, text[end] != UInt8(ascii: ";") {
            if !ASCII.isBlank(text[end]) { bytes.append(text[end]) }
            if bytes.count > longestEntity { return (0, 1) }
            end += 1
        }
        guard end < text.count else { return (0, 1) }
        let name = bytes.withUnsafeBytes(ASCII.loweredString)
        let number = name.hasPrefix("#x") ? Int(name.dropFirst(2), radix: 16) : Int(name.dropFirst())
        return (number.map { 0..<0x80 ~= $0 ? UInt8($0) : 0 } ?? 0, end + 1)
    }

    private static let longestEntity = 8
}
