/// The role of a line for finding cards. Invisible characters around it mean nothing.
enum VCardMark {
    case begin, end
    /// `AGENT:`, whose card may follow (RFC 2426 3.5.4).
    case agent
    /// `AGENT:BEGIN:VCARD`.
    case agentBegin
    /// The card is a group.
    case group
    case blank
    case other

    /// `line`: without its line feed.
    @inline(__always)
    init(_ line: UnsafeRawBufferPointer) {
        guard let first = line.first else {
            self = .blank
            return
        }
        // The first letters of BEGIN, END, AGENT, KIND and X-ADDRESSBOOKSERVER-KIND: no other line needs a closer look.
        switch first {
        case UInt8(ascii: "B"), UInt8(ascii: "b"), UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "A"),
            UInt8(ascii: "a"), UInt8(ascii: "K"), UInt8(ascii: "k"), UInt8(ascii: "X"), UInt8(ascii: "x"):
            self = Self.closer(line)
        case 0x21...0x7E: self = .other
        case UInt8(ascii: " ") where line.count > 1 && 0x21...0x7E ~= line[1] && !Self.mayBegin(line[1]):
            // Most lines of a folded photo.
            self = .other
        default: self = Self.hidden(line)
        }
    }

    /// Whether a line that begins with these bytes is `other` without a look at the rest: most properties, and the lines of
    /// a folded photo.
    @inline(__always)
    static func isSurelyOther(first: UInt8, second: UInt8) -> Bool {
        if first == UInt8(ascii: " ") { return 0x21...0x7E ~= second && !mayBegin(second) }
        guard 0x21...0x7E ~= first else { return false }
        switch first | 0x20 {
        case UInt8(ascii: "b"): return second | 0x20 != UInt8(ascii: "e")
        case UInt8(ascii: "e"): return second | 0x20 != UInt8(ascii: "n")
        case UInt8(ascii: "a"): return second | 0x20 != UInt8(ascii: "g")
        case UInt8(ascii: "k"): return second | 0x20 != UInt8(ascii: "i")
        case UInt8(ascii: "x"): return second != UInt8(ascii: "-")
        default: return true
        }
    }

    @inline(__always)
    private static func mayBegin(_ byte: UInt8) -> Bool {
        byte | 0x20 == UInt8(ascii: "b") || byte | 0x20 == UInt8(ascii: "e")
    }

    /// A line that begins with something invisible. Among these, continuation lines have no other role.
    private static func hidden(_ line: UnsafeRawBufferPointer) -> VCardMark {
        let start = Invisible.skip(line)
        guard start < line.count else { return .blank }
        let mark = closer(UnsafeRawBufferPointer(rebasing: line[start...]))
        let isContinuation = line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t")
        return isContinuation && mark != .begin && mark != .end ? .other : mark
    }

    private static func closer(_ line: UnsafeRawBufferPointer) -> VCardMark {
        switch ASCII.lowered(line[0]) {
        case UInt8(ascii: "b"): return behindCard(line, name: "begin") == nil ? .other : .begin
        case UInt8(ascii: "e"): return behindCard(line, name: "end") == nil ? .other : .end
        case UInt8(ascii: "k"): return isGroup(line, named: "kind") ? .group : .other
        case UInt8(ascii: "x"):
            let isList = isGroup(line, named: "x-evolution-list", word: "true")
            return isList || isGroup(line, named: "x-addressbookserver-kind") ? .group : .other
        case UInt8(ascii: "a"): return agent(line)
        default: return .other
        }
    }

    /// Where the line of an END ends: behind its line end, which may be another one than the text's, or before the next
    /// card's BEGIN on the same line, as in files that were joined without a last line end. Nil if that is the line's own
    /// end.
    static func endOfCard(in line: UnsafeRawBufferPointer) -> Int? {
        let start = Invisible.skip(line)
        let rest = UnsafeRawBufferPointer(rebasing: line[start...])
        guard let behind = behindCard(rest, name: "end"), let end = tail(rest, from: behind), end < rest.count else {
            return nil
        }
        guard rest[end] == 0x0D || rest[end] == 0x0A else { return start + end }
        // Carriage returns at the end belong to the line end itself.
        return rest[end...].allSatisfy { $0 == 0x0D } ? nil : start + LineEnds.either.next(after: end, in: rest)
    }

    /// Where the first property of a card begins in the line of its BEGIN, the line end between them being lost. Nil if
    /// none does.
    static func propertyBehindBegin(in line: UnsafeRawBufferPointer) -> Int? {
        guard line.count > 11 else { return nil }
        let start = Invisible.skip(line)
        let rest = UnsafeRawBufferPointer(rebasing: line[start...])
        guard let behind = behindCard(rest, name: "begin"), tail(rest, from: behind) == nil else { return nil }
        return start + behind
    }

    /// The position behind `NAME:VCARD`, with optional parameters and blanks; nil for another line. A property may stand
    /// directly behind a BEGIN.
    private static func behindCard(_ line: UnsafeRawBufferPointer, name: StaticString) -> Int? {
        guard let start = value(line, of: name) else { return nil }
        let card = UnsafeRawBufferPointer(rebasing: line[start...])
        guard ASCII.has("vcard", in: card) else { return nil }
        if tail(line, from: start + 5) != nil { return start + 5 }
        let isJoined =
            ASCII.has("b", in: line)
            && VCardHeader.isProperty(
                UnsafeRawBufferPointer(rebasing: line[(start + 5)...]))
        return isJoined ? start + 5 : nil
    }

    /// The first line end, next BEGIN, or else the end, if nothing but invisible characters and punctuation is before it.
    private static func tail(_ line: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var position = start
        while position < line.count {
            let byte = line[position]
            if byte == 0x0D || byte == 0x0A { return position }
            if ASCII.isLetter(byte) || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") {
                let rest = UnsafeRawBufferPointer(rebasing: line[position...])
                return ASCII.has("begin:", in: rest) ? position : nil
            }
            // Text of 8 bits behind a card in UTF-16 looks like characters of other scripts.
            if byte == 0xFF, line[position...].prefix(4).count(where: { $0 == 0xFF }) == 4 { return position }
            let length = Invisible.length(line, at: position)
            if length == 0, byte >= 0x80 { return nil }
            position += max(length, 1)
        }
        return position
    }

    /// The beginning of the value of `NAME:`, without invisible characters.
    private static func value(_ line: UnsafeRawBufferPointer, of name: StaticString) -> Int? {
        guard ASCII.has(name, in: line), line.count > name.utf8CodeUnitCount else { return nil }
        let next = line[name.utf8CodeUnitCount]
        guard
            next == UInt8(ascii: ":") || next == UInt8(ascii: ";")
                || Invisible.length(line, at: name.utf8CodeUnitCount) > 0,
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return Invisible.skip(line, from: colon + 1)
    }

    private static func isGroup(
        _ line: UnsafeRawBufferPointer, named name: StaticString, word: StaticString = "group"
    ) -> Bool {
        guard let start = value(line, of: name) else { return false }
        return ASCII.equals(ASCII.trimmed(UnsafeRawBufferPointer(rebasing: line[start...])), word)
    }

    private static func agent(_ line: UnsafeRawBufferPointer) -> VCardMark {
        guard let start = value(line, of: "agent") else { return .other }
        if start == line.count { return .agent }
        return behindCard(UnsafeRawBufferPointer(rebasing: line[start...]), name: "begin") == nil ? .other : .agentBegin
    }
}
