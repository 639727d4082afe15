/// Finds the cards of a text one by one, by their first and last lines alone: some gigabytes per second. Bytes behind
/// it are released in pieces, so that neither the file nor an unterminated card has to fit into memory.
package struct VCardScanner: Sequence, IteratorProtocol {
    private let text: VCardText
    private let bytes: UnsafeRawBufferPointer
    private let layout: VCardLayout
    /// The next line and its number.
    private var position = 0
    private var line = 1
    /// The bytes before this were released.
    private var released = 0

    /// The number of bytes of a line that are examined.
    private static let head = 1024

    init(_ text: VCardText) { (self.text, bytes, layout) = (text, text.bytes, text.layout) }

    /// The open card while its lines are scanned.
    private struct Open {
        let start: Int
        let line: Int
        /// 1 in the card itself, more in cards nested in it.
        var depth = 1
        var isGroup = false
        /// The position after the last END, as long as nothing follows it.
        var lastEnd: Int?

        func span(to end: Int, isClosed: Bool, lacksInnerEnd: Bool = false) -> VCardSpan {
            VCardSpan(
                bytes: start..<end, line: line, isClosed: isClosed, isGroup: isGroup, lacksInnerEnd: lacksInnerEnd)
        }

        /// The card, truncated at `end` before its END. If an END comes right before, it was the card's own: one inside
        /// has none.
        func broken(at end: Int) -> VCardSpan {
            guard depth == 1, let lastEnd else { return span(to: end, isClosed: false) }
            return span(to: lastEnd, isClosed: true, lacksInnerEnd: true)
        }
    }

    /// An unterminated card reaches to the beginning of the next one, or to the end of the text.
    package mutating func next() -> VCardSpan? {
        var open: Open?
        var isAgentsValue = false
        while position < bytes.count {
            let (start, number) = (position, line)
            let mark = nextMark()
            guard var card = open else {
                if mark == .begin { open = Open(start: start, line: number) }
                continue
            }
            switch mark {
            case .begin where isAgentsValue, .agentBegin: card.depth += 1
            case .begin where isInside(): card.depth += 1
            case .begin:
                (position, line) = (start, number)
                return card.broken(at: start)
            case .end:
                card.depth -= 1
                if card.depth == 0 { return card.span(to: position, isClosed: true) }
            case .group where card.depth == 1: card.isGroup = true
            case .blank: continue
            case .agent, .group, .other: break
            }
            card.lastEnd = mark == .end ? position : nil
            isAgentsValue = mark == .agent
            open = card
        }
        return open?.broken(at: bytes.count)
    }

    /// Whether the card that just began is inside the open one: its END is followed by another one. Else the open one
    /// is unterminated. Scans no further than the second END or the next BEGIN, so that every line is scanned at most
    /// twice.
    private func isInside() -> Bool {
        var ahead = self
        ahead.released = .max
        var ends = 0
        while ahead.position < bytes.count, ahead.position - position <= text.limits.cardBytes {
            switch ahead.nextMark() {
            case .begin, .agentBegin: return false
            case .end:
                ends += 1
                if ends == 2 { return true }
            default: break
            }
        }
        return false
    }

    /// The role of the next line; moves behind it.
    @inline(__always)
    private mutating func nextMark() -> VCardMark {
        let start = position
        let end = lineEnd(from: start)
        position = Swift.min(end + layout.width, bytes.count)
        line += 1
        // Relevant lines are shorter.
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<Swift.min(end, start + Self.head)])
        return layout.width == 1 ? VCardMark(content) : wideMark(content)
    }

    private func wideMark(_ line: UnsafeRawBufferPointer) -> VCardMark {
        UTF16Text.narrowed(line, isBigEndian: layout.isBigEndian).withUnsafeBytes { VCardMark($0) }
    }

    @inline(__always)
    private mutating func lineEnd(from start: Int) -> Int {
        var start = start
        while start < bytes.count {
            let end = Swift.min(start + VCardText.piece, bytes.count)
            if let found = newline(in: start..<end) {
                release(before: found)
                return found
            }
            release(before: end)
            start = end
        }
        return bytes.count
    }

    @inline(__always)
    private mutating func release(before end: Int) {
        if end - released >= VCardText.piece {
            text.release(released..<end)
            released = end
        }
    }

    @inline(__always)
    private func newline(in range: Range<Int>) -> Int? {
        layout.width == 1 ? ASCII.find(layout.newline, in: bytes, range) : wideNewline(in: range)
    }

    private func wideNewline(in range: Range<Int>) -> Int? {
        let high = layout.isBigEndian ? 0 : 1
        var offset = range.lowerBound
        while offset + 1 < range.upperBound {
            if bytes[offset + high] == 0, bytes[offset + 1 - high] == layout.newline { return offset }
            offset += 2
        }
        return nil
    }
}
