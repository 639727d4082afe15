internal import TondoText

/// Reads the records of LDIF text one by one (RFC 2849), with their positions.
struct LDIFRecords: Sequence, IteratorProtocol {
    struct Record {
        /// From its first line that is not a comment to the end of its last line.
        var range: Range<Int>
        var lines: [Line]
        /// The position of the first line without a colon.
        var defect: Int?
        /// It has more lines than are kept.
        var isCut = false
    }

    struct Line {
        enum Value { case plain, base64, url }

        /// With options, as in `cn;lang-en`.
        var name: Range<Int>
        var kind: Value
        /// Without the blanks before it, including folds.
        var value: Range<Int>
    }

    private let text: SourceText
    private var offset = 0
    private var passed: ReadBytes

    /// The maximum number of lines of a record: enough for the largest groups, and few enough to fit into memory.
    private static let mostLines = 1_000_000

    init(_ text: SourceText) {
        self.text = text
        passed = ReadBytes(text.bytes)
    }

    /// `version: 1` alone is not a record.
    mutating func next() -> Record? {
        text.bytes.withUnsafeBufferPointer { bytes in
            while offset < bytes.count {
                if let record = record(bytes), !isVersion(record, bytes) { return record }
            }
            return nil
        }
    }

    /// The lines up to the next empty one; nil if they are all comments.
    private mutating func record(_ bytes: UnsafeBufferPointer<UInt8>) -> Record? {
        var record: Record?
        while offset < bytes.count {
            let start = offset
            let end = line(bytes)
            if end == start { break }
            if bytes[start] == UInt8(ascii: "#") { continue }
            var known = record ?? Record(range: start..<offset, lines: [])
            known.range = known.range.lowerBound..<offset
            if let line = Self.split(bytes, start..<end) {
                // The version may come before the first record without an empty line in between.
                if known.lines.count == 1, isVersion(known, bytes) {
                    known = Record(range: start..<offset, lines: [])
                }
                if known.lines.count < Self.mostLines { known.lines.append(line) } else { known.isCut = true }
            } else if known.defect == nil {
                known.defect = start
            }
            record = known
        }
        return record
    }

    /// Moves behind the line at `offset` and its folds; returns the end of its content.
    private mutating func line(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        while true {
            while offset < bytes.count, bytes[offset] != 0x0A {
                offset += 1
                if offset & (FileBytes.piece - 1) == 0 { passed.passed(offset) }
            }
            passed.passed(offset)
            let end = offset > 0 && offset <= bytes.count && bytes[offset - 1] == 0x0D ? offset - 1 : offset
            offset = Swift.min(offset + 1, bytes.count)
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: " "), !isEmptyLine(bytes, endingAt: end) else {
                return end
            }
        }
    }

    /// A blank at the start of a line does not continue an empty line.
    private func isEmptyLine(_ bytes: UnsafeBufferPointer<UInt8>, endingAt end: Int) -> Bool {
        end == 0 || bytes[end - 1] == 0x0A
    }

    private func isVersion(_ record: Record, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard record.lines.count == 1 else { return false }
        let name = UnsafeRawBufferPointer(bytes)[record.lines[0].name]
        return ASCII.equals(UnsafeRawBufferPointer(rebasing: name), "version")
    }

    private static func split(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Line? {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound else { return nil }
        var (start, kind) = (colon + 1, Line.Value.plain)
        if start < line.upperBound, bytes[start] == UInt8(ascii: ":") { kind = .base64 }
        if start < line.upperBound, bytes[start] == UInt8(ascii: "<") { kind = .url }
        if kind != .plain { start += 1 }
        while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
        return Line(name: line.lowerBound..<colon, kind: kind, value: start..<line.upperBound)
    }
}
