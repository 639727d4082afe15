/// Base64 (RFC 4648 sections 4 and 5) in the variants of books: folded, padded or not, in either alphabet, with foreign
/// characters in between.
enum Base64 {
    /// Skips all characters outside the alphabet, including the escapes of line feeds and commas. Padding ends a group
    /// of four; a last character that has only six bits is dropped.
    static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 8) { output, count in
            count = decode(text, into: UnsafeMutableRawBufferPointer(output))
        }
    }

    /// At most the first `count` bytes.
    static func head(_ text: UnsafeRawBufferPointer, count: Int) -> [UInt8] {
        // Enough text for folds, but much less than the whole photo.
        Array(decode(UnsafeRawBufferPointer(rebasing: text.prefix(2 * count + 64))).prefix(count))
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
                fastGroups(text, &input, output, &written, tables)
                guard slowGroup(text, &input, output, &written, tables) else { return written }
            }
        }
    }

    /// Decodes groups of four adjacent characters up to the first foreign one.
    private static func fastGroups(
        _ text: UnsafeRawBufferPointer, _ input: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int, _ tables: UnsafeBufferPointer<UInt32>
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
        (input, written) = (from, to)
    }

    /// Decodes one group around foreign characters; false at the end of the text.
    private static func slowGroup(
        _ text: UnsafeRawBufferPointer, _ input: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int, _ tables: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        var (group, characters) = (UInt32(0), 0)
        while input < text.count, characters < 4 {
            let character = text[input]
            let value = tables[256 * characters + Int(character)]
            input += 1
            if value < invalid {
                group |= value
                characters += 1
            } else if character == UInt8(ascii: "=") {
                break
            } else if character == UInt8(ascii: "\\"), input < text.count,
                text[input] | 0x20 == UInt8(ascii: "n")
            {
                input += 1
            }
        }
        for index in 0..<max(characters - 1, 0) {
            output[written] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
            written += 1
        }
        return input < text.count
    }
}
