/// The role of a line for finding cards.
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
        switch first {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): self = .other
        case UInt8(ascii: "B"), UInt8(ascii: "b"), UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "A"),
            UInt8(ascii: "a"), UInt8(ascii: "K"), UInt8(ascii: "k"), UInt8(ascii: "X"), UInt8(ascii: "x"), 0xEF, 0xFF,
            0x0D:
            self = Self.closer(line)
        default: self = .other
        }
    }

    private static func closer(_ line: UnsafeRawBufferPointer) -> VCardMark {
        var line = line
        // Concatenated files keep their byte order marks; 0xFF stands for one of UTF-16.
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = UnsafeRawBufferPointer(rebasing: line[3...]) }
        if line.first == 0xFF { line = UnsafeRawBufferPointer(rebasing: line[1...]) }
        line = ASCII.trimmed(line)
        guard let first = line.first else { return .blank }
        switch ASCII.lowered(first) {
        case UInt8(ascii: "b"): return matches(line, "begin", "vcard") ? .begin : .other
        case UInt8(ascii: "e"): return matches(line, "end", "vcard") ? .end : .other
        case UInt8(ascii: "k"): return matches(line, "kind", "group") ? .group : .other
        case UInt8(ascii: "x"): return matches(line, "x-addressbookserver-kind", "group") ? .group : .other
        default: return agent(line)
        }
    }

    /// `NAME:VALUE`, with optional parameters and blanks around the value.
    private static func matches(_ line: UnsafeRawBufferPointer, _ name: StaticString, _ value: StaticString) -> Bool {
        self.value(line, of: name).map { ASCII.equals($0, value) } ?? false
    }

    private static func value(_ line: UnsafeRawBufferPointer, of name: StaticString) -> UnsafeRawBufferPointer? {
        guard ASCII.has(name, in: line), line.count > name.utf8CodeUnitCount else { return nil }
        let next = line[name.utf8CodeUnitCount]
        guard next == UInt8(ascii: ":") || next == UInt8(ascii: ";") || next == UInt8(ascii: " "),
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return ASCII.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    }

    private static func agent(_ line: UnsafeRawBufferPointer) -> VCardMark {
        guard let value = value(line, of: "agent") else { return .other }
        if value.count == 0 { return .agent }
        return matches(value, "begin", "vcard") ? .agentBegin : .other
    }
}
