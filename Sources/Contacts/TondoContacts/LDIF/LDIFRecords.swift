internal import TondoText

/// Reads the records of LDIF text one by one (RFC 2849), with their positions.
///
/// A record ends at an empty line, or before a line that begins with `dn:`: an entry has one name, and some writers leave
/// empty lines out. A `dn:` directly behind a value or a foreign character may begin a record, too, see `LDIFJoints`.
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
    private var joints = LDIFJoints()

    /// The maximum number of lines of a record: enough for the largest groups, and few enough to fit into memory.
    private static let mostLines = 1_000_000

    /// `text`: lines end with a line feed, see `SourceText.withLineFeeds`.
    init(_ text: SourceText) {
        self.text = text
        passed = ReadBytes(text.bytes)
    }

    /// `version: 1` alone is not a record.
    mutating func next() -> Record? {
        text.bytes.withUnsafeBufferPointer { bytes in
            while offset < bytes.count {
                if let record = record(bytes), !isVersion(record, in: bytes) { return record }
            }
            return nil
        }
    }

    /// The lines up to the next empty one or the next name of an entry; nil if they are all comments.
    private mutating func record(_ bytes: UnsafeBufferPointer<UInt8>) -> Record? {
        var record: Record?
        var name: Name?
        while offset < bytes.count {
            let start = offset
            let named = LDIFJoints.name(bytes, at: start)
            if let named {
                // The version may come before the first record without an empty line in between.
                if let known = record, isVersion(known, in: bytes) { record = nil }
                if let record, name != nil || !hasClass(record, in: bytes) {
                    return whole(record, named: name, in: bytes)
                }
                name = Name(offset: start, line: record?.lines.count ?? 0)
                offset = named
            }
            let first = offset
            let end = line(bytes, behind: record)
            if Self.isBlank(bytes, line: first..<end) { break }
            if bytes[first] == UInt8(ascii: "#") { continue }
            var known = record ?? Record(range: start..<offset, lines: [])
            known.range = known.range.lowerBound..<offset
            take(first..<end, of: bytes, into: &known)
            record = known
        }
        return record.flatMap { whole($0, named: name, in: bytes) }
    }

    /// Where a record has the name of its entry.
    private struct Name {
        /// Where the line's first byte is.
        let offset: Int
        /// The number of lines before it.
        let line: Int
    }

    /// Some writers sort the attributes, and the name comes among them. But if an attribute stands before and behind the
    /// name, the lines before it are those of another entry, whose own name is missing.
    private mutating func whole(_ record: Record, named name: Name?, in bytes: UnsafeBufferPointer<UInt8>) -> Record {
        guard let name, name.line > 0, name.line < record.lines.count else { return record }
        let types = record.lines.map { Self.type(of: $0, bytes) }
        guard !Set(types[..<name.line]).isDisjoint(with: types[(name.line + 1)...]) else { return record }
        offset = name.offset
        var before = record
        before.lines.removeSubrange(name.line...)
        before.range = record.range.lowerBound..<name.offset
        return before
    }

    /// Without options, in lower case.
    private static func type(of line: Line, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[line.name])
        return ASCII.loweredString(UnsafeRawBufferPointer(rebasing: name.prefix { $0 != UInt8(ascii: ";") }))
    }

    /// Every entry has a class (RFC 4512 section 2.4): without one, the lines are no whole record.
    private func hasClass(_ record: Record, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        record.lines.contains { line in
            line.name.count == 11 && Self.type(of: line, bytes) == "objectclass"
        }
    }

    private func take(_ line: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, into record: inout Record) {
        guard let line = Self.split(bytes, line: line) else {
            if let last = record.lines.last, Self.isRest(bytes, line: line, of: last) {
                record.lines[record.lines.count - 1].value = last.value.lowerBound..<line.upperBound
            } else if record.defect == nil {
                record.defect = line.lowerBound
            }
            return
        }
        if isVersion(record, in: bytes) { record = Record(range: line.name.lowerBound..<offset, lines: []) }
        if record.lines.count < Self.mostLines { record.lines.append(line) } else { record.isCut = true }
    }

    /// Whether a line without a colon is the value of the one before, which has none, or goes on with base64 whose folds have lost their
    /// blanks.
    private static func isRest(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>, of last: Line) -> Bool {
        if last.kind == .plain { return last.value.allSatisfy { ASCII.isBlank(bytes[$0]) } }
        guard last.kind == .base64, bytes[last.value].last != UInt8(ascii: "=") else { return false }
        return bytes[line].allSatisfy { ASCII.isLetter($0) || $0 &- 0x30 < 10 || "+/= \r\n".utf8.contains($0) }
    }

    /// Moves behind the line at `offset` and its folds; returns the end of its content.
    private mutating func line(_ bytes: UnsafeBufferPointer<UInt8>, behind record: Record?) -> Int {
        let start = offset
        var (hasColon, hasText) = (false, false)
        while true {
            while offset < bytes.count, bytes[offset] != 0x0A {
                if bytes[offset] == UInt8(ascii: ":") {
                    if hasColon, joints.isName(bytes, colon: offset, in: start, behind: record) {
                        offset -= 2
                        return offset
                    }
                    hasColon = true
                }
                offset += 1
                if offset & (FileBytes.piece - 1) == 0 { passed.passed(offset) }
            }
            passed.passed(offset)
            let end = offset > 0 && offset <= bytes.count && bytes[offset - 1] == 0x0D ? offset - 1 : offset
            offset = Swift.min(offset + 1, bytes.count)
            guard offset < bytes.count, LDIFJoints.isFold(bytes, at: offset) else { return end }
            // Only before the first fold: one behind it has text before it, however many follow.
            hasText = hasText || !Self.isBlank(bytes, line: start..<end)
            guard hasText else { return end }
            // Blanks alone look like a fold, and are the empty line that an editor left them in.
            if Self.isBlankLine(bytes, at: offset) { return end }
        }
    }

    /// Nothing but blanks, or controls as at the end of a file of DOS. A line with a name ends the search at its first byte.
    private static func isBlank(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Bool {
        bytes[line].allSatisfy { $0 <= UInt8(ascii: " ") }
    }

    /// Whether the line at `start` has nothing but blanks, and no fold follows it.
    private static func isBlankLine(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var next = start
        while next < bytes.count, bytes[next] != 0x0A {
            guard ASCII.isBlank(bytes[next]) else { return false }
            next += 1
        }
        return next + 1 >= bytes.count || !LDIFJoints.isFold(bytes, at: next + 1)
    }

    private func isVersion(_ record: Record, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard record.lines.count == 1 else { return false }
        let name = UnsafeRawBufferPointer(bytes)[record.lines[0].name]
        return ASCII.equals(UnsafeRawBufferPointer(rebasing: name), "version")
    }

    private static func split(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Line? {
        guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound else { return nil }
        var (start, kind) = (colon + 1, Line.Value.plain)
        if start < line.upperBound, bytes[start] == UInt8(ascii: ":") { kind = .base64 }
        if start < line.upperBound, bytes[start] == UInt8(ascii: "<") { kind = .url }
        if kind != .plain { start += 1 }
        while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
        return Line(name: line.lowerBound..<colon, kind: kind, value: start..<line.upperBound)
    }
}
