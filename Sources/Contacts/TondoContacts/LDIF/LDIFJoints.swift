/// Finds the names of entries inside of lines: a file's last line had no end, and another file was put behind it.
///
/// A value may contain such a text, too: `description: memberdn: cn=Ada`. So an entry must be on both sides: an attribute
/// that an entry has in one place of its lines stands before and behind the name. Where none stands before, the first file
/// ended early in its last entry.
struct LDIFJoints {
    private static let marks: [StaticString] = [
        "objectclass", "cn", "sn", "uid", "displayname", "givenname", "mail", "jpegphoto",
    ]

    /// The marks in the lines of a record so far, so that each line is looked at once however many names its values hold.
    private var before = (record: 0, lines: 0, marks: Set<Int>())
    /// The rest of a record behind a name, and the last line of each mark in it.
    private var behind = (range: 0..<0, lines: [Int: Int]())

    /// Where the name of an entry, `dn:` or `dn::`, begins in the line at `start`. Characters that no attribute's name has
    /// may stand before it, such as a byte order mark or a quote. A `#` before it makes it a remark only if the next line
    /// is none that belongs to an entry.
    static func name(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        var name = start
        while name < bytes.count, name < start + mostForeign, isForeign(bytes[name]) { name += 1 }
        guard name + 2 < bytes.count, bytes[name + 2] == UInt8(ascii: ":"), isDN(bytes, at: name) else { return nil }
        if name == start { return name }
        // A fold begins with a blank.
        guard bytes[start] != UInt8(ascii: " "), isDistinguished(bytes, behind: name + 2) else { return nil }
        guard bytes[start] == UInt8(ascii: "#") else { return name }
        let next = lineEnd(bytes, from: name)
        return name == start + 1 && next < bytes.count && ASCII.isLetter(bytes[next])
            && Self.name(bytes, at: next) == nil ? name : nil
    }

    /// Whether the line at `start` goes on with the one before. Some programs write a tab in place of the blank (RFC 2849); but before a
    /// name, it is no fold.
    static func isFold(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") && name(bytes, at: start) == nil
    }

    /// More bytes than stand before a name by accident.
    private static let mostForeign = 16

    private static func isForeign(_ byte: UInt8) -> Bool {
        !ASCII.isLetter(byte) && !isDigit(byte) && byte != 0x0A && byte != UInt8(ascii: "-")
            && byte != UInt8(ascii: ":") && byte != UInt8(ascii: ";")
    }

    /// Whether the `dn:` that ends with this colon begins another file inside a line: directly behind a character of a
    /// value, and before a distinguished name. `start`: of the line; `record`: the lines before.
    mutating func isName(
        _ bytes: UnsafeBufferPointer<UInt8>, colon: Int, in start: Int, behind record: LDIFRecords.Record?
    ) -> Bool {
        guard Self.isJoined(bytes, colon: colon, in: start) else { return false }
        take(record, of: bytes)
        var marks = before.marks
        if let mark = Self.mark(bytes, at: start) { marks.insert(mark) }
        lookAhead(bytes, from: colon)
        let found = Self.marks.indices.filter { behind.lines[$0].map { $0 > colon } ?? false }
        return marks.isEmpty ? !found.isEmpty : found.contains(where: marks.contains)
    }

    private static func isJoined(_ bytes: UnsafeBufferPointer<UInt8>, colon: Int, in start: Int) -> Bool {
        guard colon - 3 > start, isDN(bytes, at: colon - 2) else { return false }
        var before = colon - 3
        // The blank of a fold, which was the empty line before the name, or a damaged line end.
        if bytes[before] == UInt8(ascii: " "), bytes[before - 1] == 0x0A { before -= 1 }
        while before > start, bytes[before] < UInt8(ascii: " ") { before -= 1 }
        return !ASCII.isBlank(bytes[before]) && bytes[before] != UInt8(ascii: ":")
            && isDistinguished(bytes, behind: colon)
    }

    /// Whether the type of a distinguished name's first attribute (RFC 4514), or base64, stands behind the colon of `dn:`.
    private static func isDistinguished(_ bytes: UnsafeBufferPointer<UInt8>, behind colon: Int) -> Bool {
        var next = colon + 1
        let isBase64 = next < bytes.count && bytes[next] == UInt8(ascii: ":")
        if isBase64 { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: " ") else { return false }
        next += 1
        let type = next
        while next < bytes.count, ASCII.isLetter(bytes[next]) || isDigit(bytes[next]) { next += 1 }
        return next > type && (isBase64 || next < bytes.count && bytes[next] == UInt8(ascii: "="))
    }

    private static func isDN(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        ASCII.lowered(bytes[start]) == UInt8(ascii: "d") && ASCII.lowered(bytes[start + 1]) == UInt8(ascii: "n")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private mutating func take(_ record: LDIFRecords.Record?, of bytes: UnsafeBufferPointer<UInt8>) {
        let lines = record?.lines ?? []
        let start = record?.range.lowerBound ?? 0
        if before.record != start || before.lines > lines.count { before = (start, 0, []) }
        for line in lines[before.lines...] {
            if let mark = Self.mark(bytes, at: line.name.lowerBound) { before.marks.insert(mark) }
        }
        before.lines = lines.count
    }

    /// Notes the lines up to an empty one or the next name; nothing if they were noted from an earlier name on.
    private mutating func lookAhead(_ bytes: UnsafeBufferPointer<UInt8>, from colon: Int) {
        if behind.range.contains(colon) { return }
        var (position, lines) = (Self.lineEnd(bytes, from: colon), [Int: Int]())
        while position < bytes.count, Self.name(bytes, at: position) == nil {
            let end = Self.lineEnd(bytes, from: position)
            if bytes[position..<end].allSatisfy(ASCII.isBlank) { break }
            if let mark = Self.mark(bytes, at: position) { lines[mark] = position }
            position = end
        }
        behind = (colon..<position, lines)
    }

    /// Behind the line feed.
    private static func lineEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        ASCII.find(0x0A, in: UnsafeRawBufferPointer(bytes), within: start..<bytes.count).map { $0 + 1 } ?? bytes.count
    }

    /// The index of the line's attribute among the marks; it may have options.
    private static func mark(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        let line = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...])
        return marks.firstIndex { mark in
            guard ASCII.has(mark, in: line), mark.utf8CodeUnitCount < line.count else { return false }
            let next = line[mark.utf8CodeUnitCount]
            return next == UInt8(ascii: ":") || next == UInt8(ascii: ";")
        }
    }
}
