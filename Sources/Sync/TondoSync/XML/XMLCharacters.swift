/// The characters of XML 1.0 section 2.2, and their bytes.
enum XMLCharacters {
    static func isPermitted(_ number: UInt32) -> Bool {
        switch number {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    static func utf8(_ number: UInt32) -> [UInt8] {
        Unicode.Scalar(number).map { Array(String(Character($0)).utf8) } ?? []
    }

    /// A character beyond ASCII. A byte that is none of UTF-8 is one of Windows-1252: servers send such cards in answers that claim to
    /// be UTF-8, and so it does not matter what a document declares.
    static func step(at rest: UnsafeRawBufferPointer, _ isEnd: Bool) -> XMLRepair.Step {
        let count = length(rest[0])
        for position in 1..<max(count, 1) {
            if position >= rest.count { return isEnd ? foreign(rest[0]) : .incomplete }
            if rest[position] & 0xC0 != 0x80 { return foreign(rest[0]) }
        }
        guard count > 1 else { return foreign(rest[0]) }
        var number = UInt32(rest[0]) & (count == 2 ? 0x1F : count == 3 ? 0x0F : 0x07)
        for position in 1..<count { number = number << 6 | UInt32(rest[position] & 0x3F) }
        // Overlong forms and numbers beyond Unicode are no characters.
        guard number >= [0, 0, 0x80, 0x800, 0x1_0000][count], number <= 0x10_FFFF else { return foreign(rest[0]) }
        return isPermitted(number) ? .kept(count) : .replaced([], count)
    }

    private static func length(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// 0x80 to 0x9F; a zero stands for the control character with this number.
    private static let windows1252: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    private static func foreign(_ byte: UInt8) -> XMLRepair.Step {
        let named = byte < 0xA0 ? windows1252[Int(byte) - 0x80] : 0
        return .replaced(utf8(named == 0 ? UInt32(byte) : named), 1)
    }
}
