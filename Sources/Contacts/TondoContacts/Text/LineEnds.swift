/// How the lines of a text end.
enum LineEnds: Hashable, Sendable {
    /// With a line feed. Carriage returns before it belong to the line end; some writers put two.
    case lineFeed
    /// With a line feed, or with a carriage return alone, as on old Macs.
    case either
    /// With the escape of a programming language, which a program wrote as it is, and with a blank behind it or none.
    case newline, newlineAndBlank, returnAlone, returnAndBlank, both, bothAndBlank
    /// With a character of Unicode.
    case separator, paragraph, nextLine

    /// The most carriage returns before a line feed that are one line end with it. Others are empty lines, so that the end
    /// of a long run is not looked for once more at each of them.
    static let mostReturns = 16

    /// Those that are signs of a text, the longest of several that begin alike first.
    private static let signs: [(ends: LineEnds, text: StaticString)] = [
        (.bothAndBlank, "\\r\\n "), (.both, "\\r\\n"), (.newlineAndBlank, "\\n "), (.newline, "\\n"),
        (.returnAndBlank, "\\r "), (.returnAlone, "\\r"), (.separator, "\u{2028}"), (.paragraph, "\u{2029}"),
        (.nextLine, "\u{85}"),
    ]

    var isSign: Bool { self != .lineFeed && self != .either }

    private var sign: StaticString { Self.signs.first { $0.ends == self }?.text ?? "\n" }

    /// The sign that ends the line of a text at `position`, with more text behind it; nil if there is none.
    static func sign(in bytes: UnsafeRawBufferPointer, at position: Int) -> LineEnds? {
        signs.first { _, sign in
            let next = position + sign.utf8CodeUnitCount
            return isSign(sign, in: bytes, at: position) && next < bytes.count && ![0x0A, 0x0D].contains(bytes[next])
        }?.ends
    }

    private static func isSign(_ sign: StaticString, in bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
        let count = sign.utf8CodeUnitCount
        guard position + count <= bytes.count else { return false }
        // Behind a backslash, a backslash begins no escape.
        if bytes[position] == UInt8(ascii: "\\"), position > 0, bytes[position - 1] == bytes[position] { return false }
        return (0..<count).allSatisfy { bytes[position + $0] == sign.utf8Start[$0] }
    }

    /// The position of the first line end in a range of the bytes, which may be a carriage return before a line feed.
    @inline(__always)
    func find(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        switch self {
        case .lineFeed: ASCII.find(0x0A, in: bytes, within: range)
        case .either: range.first { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
        default: findSign(in: bytes, range)
        }
    }

    private func findSign(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        let sign = sign
        var start = range.lowerBound
        while let found = ASCII.find(sign.utf8Start[0], in: bytes, within: start..<range.upperBound) {
            if Self.isSign(sign, in: bytes, at: found) { return found }
            start = found + 1
        }
        return nil
    }

    /// The position behind the line end that `find` found.
    @inline(__always)
    func next(after end: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        guard end < bytes.count else { return bytes.count }
        if isSign { return min(end + sign.utf8CodeUnitCount, bytes.count) }
        guard bytes[end] == 0x0D else { return end + 1 }
        let most = min(end + Self.mostReturns, bytes.count)
        var position = end
        while position < most, bytes[position] == 0x0D { position += 1 }
        // Several carriage returns are one line end only before a line feed.
        return position < bytes.count && bytes[position] == 0x0A ? position + 1 : end + 1
    }

    /// The content of the line from `start` to the line end at `end`, without carriage returns.
    @inline(__always)
    func contentEnd(from start: Int, to end: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }
}
