internal import Glibc

/// Finds the cards of a text one by one, by their first and last lines alone: some gigabytes a second.
package struct VCardScanner: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private let layout: VCardLayout
    /// The next line and its number.
    private var position = 0
    private var line = 1

    init(_ text: VCardText) { (bytes, layout) = (text.bytes, text.layout) }

    /// The card that is open while its lines go by.
    private struct Open {
        let start: Int
        let line: Int
        /// 1 in the card itself, more in cards nested in it.
        var depth = 1
        var isGroup = false

        func span(to end: Int, isClosed: Bool) -> VCardSpan {
            VCardSpan(bytes: start..<end, line: line, isClosed: isClosed, isGroup: isGroup)
        }
    }

    /// A card that has no end reaches to the beginning of the next one, or to the end of the text.
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
            case .begin:
                (position, line) = (start, number)
                return card.span(to: start, isClosed: false)
            case .end:
                card.depth -= 1
                if card.depth == 0 { return card.span(to: position, isClosed: true) }
            case .group where card.depth == 1: card.isGroup = true
            case .blank: continue
            case .agent, .group, .other: break
            }
            isAgentsValue = mark == .agent
            open = card
        }
        return open?.span(to: bytes.count, isClosed: false)
    }

    /// What the next line means; goes behind it.
    @inline(__always)
    private mutating func nextMark() -> VCardMark {
        let start = position
        let end = lineEnd(from: start)
        position = Swift.min(end + layout.width, bytes.count)
        line += 1
        let content = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return layout.width == 1 ? VCardMark(content) : wideMark(content)
    }

    /// No line that matters is longer.
    private func wideMark(_ line: UnsafeRawBufferPointer) -> VCardMark {
        let head = UnsafeRawBufferPointer(rebasing: line.prefix(256))
        return UTF16Text.narrowed(head, isBigEndian: layout.isBigEndian).withUnsafeBytes { VCardMark($0) }
    }

    @inline(__always)
    private func lineEnd(from start: Int) -> Int {
        guard layout.width == 1 else { return wideLineEnd(from: start) }
        guard let base = bytes.baseAddress, let found = memchr(base + start, CInt(layout.newline), bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(found) - base
    }

    private func wideLineEnd(from start: Int) -> Int {
        let high = layout.isBigEndian ? 0 : 1
        var offset = start
        while offset + 1 < bytes.count {
            if bytes[offset + high] == 0, bytes[offset + 1 - high] == layout.newline { return offset }
            offset += 2
        }
        return bytes.count
    }
}
