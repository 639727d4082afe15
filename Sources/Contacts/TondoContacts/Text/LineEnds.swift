/// How the lines of a text end.
enum LineEnds: Hashable, Sendable {
    /// With a line feed. Carriage returns before it belong to the line end; some writers put two.
    case lineFeed
    /// With a line feed, or with a carriage return alone, as on old Macs.
    case either

    /// The most carriage returns before a line feed that are one line end with it. Others are empty lines, so that the end
    /// of a long run is not looked for once more at each of them.
    static let mostReturns = 16

    /// The position of the first line end in a range of the bytes, which may be a carriage return before a line feed.
    @inline(__always)
    func find(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        self == .lineFeed
            ? ASCII.find(0x0A, in: bytes, within: range) : range.first { bytes[$0] == 0x0A || bytes[$0] == 0x0D }
    }

    /// The position behind the line end that `find` found.
    @inline(__always)
    func next(after end: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        guard end < bytes.count else { return bytes.count }
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
