internal import Glibc

/// Converts text of any known character set to UTF-8. Keeps the C library's converters open; for one thread at a time.
final class CharsetDecoder {
    private var converters: [String: iconv_t] = [:]

    deinit {
        for converter in converters.values { iconv_close(converter) }
    }

    /// Invalid bytes become U+FFFD.
    func utf8(_ bytes: UnsafeRawBufferPointer, charset: Charset) -> [UInt8] {
        switch charset {
        case .utf8: Array(String(decoding: bytes, as: UTF8.self).utf8)
        case .windows1252: Self.fromWindows1252(bytes)
        case .other(let other):
            converter(other.name).map { Self.convert(bytes, with: $0) } ?? Self.fromWindows1252(bytes)
        }
    }

    /// 0x80 to 0x9F; a zero stands for the control character with the same number.
    private static let windows1252: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// The byte of a character; nil if the set lacks it. Programs also take the set for Latin-1, whose controls it has.
    static func windows1252(of scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return windows1252.firstIndex { UInt32($0) == scalar.value }.map { 0x80 + UInt8($0) }
    }

    private static func fromWindows1252(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        for byte in bytes {
            guard byte >= 0x80 else {
                text.append(byte)
                continue
            }
            let named = byte < 0xA0 ? windows1252[Int(byte - 0x80)] : 0
            let scalar = named == 0 ? Unicode.Scalar(byte) : Unicode.Scalar(named) ?? "\u{FFFD}"
            text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        }
        return text
    }

    /// Nil if the C library does not have it.
    private func converter(_ name: String) -> iconv_t? {
        if let open = converters[name] { return open }
        let opened = Self.open(name)
        converters[name] = opened
        return opened
    }

    private static func open(_ name: String) -> iconv_t? {
        let opened = iconv_open("UTF-8", name)
        return opened == iconv_t(bitPattern: -1) ? nil : opened
    }

    /// The characters of the text that have two bytes in this set.
    static func pairs(of text: String, in charset: Charset) -> Set<UInt16> {
        guard case .other(let other) = charset, let converter = iconv_open(other.name, "UTF-8"),
            converter != iconv_t(bitPattern: -1)
        else { return [] }
        defer { iconv_close(converter) }
        return text.reduce(into: []) { pairs, character in
            let code = Array(character.utf8).withUnsafeBytes { convert($0, with: converter) }
            if code.count == 2 { pairs.insert(UInt16(code[0]) << 8 | UInt16(code[1])) }
        }
    }

    private static func convert(_ bytes: UnsafeRawBufferPointer, with converter: iconv_t) -> [UInt8] {
        // Back to the first shift state.
        iconv(converter, nil, nil, nil, nil)
        // No converter of the list makes more than four bytes of one.
        return [UInt8](unsafeUninitializedCapacity: 4 * bytes.count + 16) { output, count in
            var input = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var inputLeft = bytes.count
            var free = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var freeLeft = output.count
            while inputLeft > 0 {
                if iconv(converter, &input, &inputLeft, &free, &freeLeft) != Int(bitPattern: UInt.max) { break }
                guard errno == EILSEQ, freeLeft >= 3, let place = free else { break }
                for (index, byte) in "\u{FFFD}".utf8.enumerated() { place[index] = CChar(bitPattern: byte) }
                free = place + 3
                freeLeft -= 3
                input = input.map { $0 + 1 }
                inputLeft -= 1
            }
            // Hebrew and Vietnamese sets keep the last letter back, since a mark upon it may follow.
            iconv(converter, nil, nil, &free, &freeLeft)
            count = output.count - freeLeft
        }
    }
}
