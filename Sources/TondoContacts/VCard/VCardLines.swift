/// The lines of one card, including folds (RFC 6350 3.2).
struct VCardLines {
    /// A property's line: all of its physical lines.
    struct Line {
        let start: Int
        /// The end of the content of the first physical line.
        let firstEnd: Int
        /// The end of the content of the last one, without the line end.
        var end: Int

        var isFolded: Bool { end > firstEnd }
    }

    let bytes: UnsafeRawBufferPointer
    let newline: UInt8
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer, newline: UInt8) {
        (self.bytes, self.newline) = (bytes, newline)
    }

    /// The next property's line with its continuation lines: those that begin with a blank.
    mutating func next() -> Line? {
        while position < bytes.count {
            let start = position
            let end = takePhysicalLine()
            if end == start { continue }
            var line = Line(start: start, firstEnd: end, end: end)
            while position < bytes.count, isFold(bytes[position]) { line.end = takePhysicalLine() }
            return line
        }
        return nil
    }

    /// Adds the physical lines after a soft line break. Some writers end a value with one, so an empty line, or a
    /// supported property, is never added.
    mutating func extendQuotedPrintable(_ line: inout Line) {
        while endsInSoftBreak(line), position < bytes.count {
            let next = physicalLine(at: position)
            if next.count == 0 || VCardHeader(next, isWhole: true)?.field != nil { return }
            line.end = takePhysicalLine()
        }
    }

    /// Adds the continuation lines of a base64 value without a blank, as vCard 2.1 permits: up to an empty line, or to
    /// one with the colon of a property.
    mutating func extendBase64(_ line: inout Line) {
        while position < bytes.count {
            let next = physicalLine(at: position)
            guard next.count > 0, !next.contains(UInt8(ascii: ":")), !next.contains(UInt8(ascii: ";")) else { return }
            line.end = takePhysicalLine()
        }
    }

    private func endsInSoftBreak(_ line: Line) -> Bool {
        var end = line.end
        // Not beyond the last physical line: a value of many blank ones would be scanned again for each.
        while end > line.start, bytes[end - 1] != newline, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
        return end > line.start && bytes[end - 1] == UInt8(ascii: "=")
    }

    private func isFold(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Returns the end of the content, and moves behind the line end.
    private mutating func takePhysicalLine() -> Int {
        let end = physicalEnd(from: position)
        let content = contentEnd(from: position, to: end)
        position = min(end + 1, bytes.count)
        return content
    }

    private func physicalLine(at start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<contentEnd(from: start, to: physicalEnd(from: start))])
    }

    private func physicalEnd(from start: Int) -> Int {
        ASCII.find(newline, in: bytes, start..<bytes.count) ?? bytes.count
    }

    /// Without carriage returns; some writers put two.
    private func contentEnd(from start: Int, to end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }
}
