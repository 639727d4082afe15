/// Finds the cards of a text one by one, by their first and last lines alone: some gigabytes per second. Bytes behind
/// it are released in pieces, so that neither the file nor an unterminated card has to fit into memory.
package struct VCardScanner: Sequence, IteratorProtocol {
    private let text: VCardText
    /// The next line.
    private var reader: VCardLineReader

    init(text: VCardText) {
        self.text = text
        reader = VCardLineReader(text: text)
    }

    /// The open card while its lines are scanned.
    private struct Open {
        let start: Int
        let line: Int
        let lineEnds: LineEnds
        /// 1 in the card itself, more in cards nested in it.
        var depth = 1
        var isGroup = false
        /// No line follows its BEGIN yet.
        var isEmpty = true
        /// The position after the last END, as long as nothing follows it.
        var lastEnd: Int?

        func span(to end: Int, isClosed: Bool, lacksInnerEnd: Bool = false) -> VCardSpan {
            VCardSpan(
                bytes: start..<end, line: line, isClosed: isClosed, isGroup: isGroup, lacksInnerEnd: lacksInnerEnd,
                lineEnds: lineEnds)
        }

        /// The card, truncated at `end` before its END. If an END comes right before, it was the card's own: one inside
        /// has none.
        func broken(at end: Int) -> VCardSpan {
            guard depth == 1, let lastEnd else { return span(to: end, isClosed: false) }
            return span(to: lastEnd, isClosed: true, lacksInnerEnd: true)
        }
    }

    /// An unterminated card reaches to the beginning of the next one, or to the end of the text. Lines outside of cards
    /// that look like parts of one, or like another book, are a span of their own.
    package mutating func next() -> VCardSpan? {
        var stray = Stray()
        while !reader.isAtEnd {
            let (start, number) = (reader.position, reader.line)
            let line = reader.nextLine(text.layout.sign ?? .either)
            if line.mark == .begin {
                if let span = stray.span(to: start, of: text) {
                    reader.moveBack(to: start, line: number)
                    return span
                }
                return card(from: start, line: number, endsInLineFeed: line.endsInLineFeed)
            }
            stray.note(line, at: start, line: number)
        }
        return stray.span(to: text.bytes.count, of: text)
    }

    /// Lines outside of cards.
    private struct Stray {
        /// The first line that is not empty, and its number.
        private var first: (start: Int, line: Int)?
        /// The first line behind an empty one, and its number.
        private var block: (start: Int, line: Int)?
        /// The kinds of lines of a card in the block.
        private var kinds: Set<VCardLineReader.Line.CardKind> = []
        private var isPartOfCard = false

        /// One line alone may be one of a letter around the cards: `Email: ...`.
        mutating func note(_ line: VCardLineReader.Line, at start: Int, line number: Int) {
            if isPartOfCard { return }
            if first == nil, !line.isEmpty { first = (start, number) }
            guard line.mark != .blank else {
                block = nil
                kinds = []
                return
            }
            let kind = line.cardKind
            // An END directly behind another one is superfluous; behind any text it ends a contact.
            if block == nil, kind == .end { return }
            block = block ?? (start, number)
            if let kind { kinds.insert(kind) }
            isPartOfCard = kinds.count >= 2 || kind == .version || kind == .end
        }

        /// Nil if nothing of them looks like a part of a card, nor do all of them look like a book of another format or in
        /// another encoding.
        func span(to end: Int, of text: VCardText) -> VCardSpan? {
            if isPartOfCard, let block { return .stray(block.start..<end, line: block.line) }
            guard let first else { return nil }
            let lines = UnsafeRawBufferPointer(rebasing: text.bytes[first.start..<end].prefix(VCardText.piece))
            guard case .book = BookFormat.recognise(Array(lines)) else { return nil }
            return .stray(first.start..<end, line: first.line)
        }
    }

    /// The card whose BEGIN was just read. It has line ends of its own: files of old Macs and others are concatenated.
    private mutating func card(from start: Int, line number: Int, endsInLineFeed: Bool) -> VCardSpan {
        let lineEnds = text.layout.sign ?? (endsInLineFeed ? .lineFeed : .either)
        var card = Open(start: start, line: number, lineEnds: lineEnds)
        var isAgentsValue = false
        while !reader.isAtEnd {
            if card.lineEnds == .lineFeed, reader.skipOthers() {
                card.lastEnd = nil
                card.isEmpty = false
                isAgentsValue = false
                if reader.isAtEnd { break }
            }
            let (start, number) = (reader.position, reader.line)
            let line = reader.nextLine(card.lineEnds)
            switch line.mark {
            // Some writers begin a card twice.
            case .begin where card.isEmpty: continue
            case .begin where isAgentsValue, .agentBegin: card.depth += 1
            case .begin where isInside(card.lineEnds): card.depth += 1
            // The open card has lost its END, and the next one begins here.
            case .begin:
                reader.moveBack(to: start, line: number)
                return card.broken(at: start)
            case .end where line.isIndented && isContinued(card.lineEnds): break
            case .end:
                card.depth -= 1
                if card.depth == 0 {
                    reader.finishCard(line, from: start, line: number)
                    return card.span(to: reader.position, isClosed: true)
                }
            // The KIND of a card inside says nothing about this one.
            case .group where card.depth == 1: card.isGroup = true
            case .blank: continue
            case .agent, .group, .other: break
            }
            card.isEmpty = false
            card.lastEnd = line.mark == .end ? reader.position : nil
            isAgentsValue = line.mark == .agent
        }
        return card.broken(at: text.bytes.count)
    }

    /// Whether the card that just began is inside the open one: its END is followed by another one. Else the open one
    /// is unterminated. Scans no further than the second END or the next BEGIN, so that every line is scanned at most
    /// twice.
    private func isInside(_ ends: LineEnds) -> Bool {
        var ahead = reader.ahead
        var found = 0
        while !ahead.isAtEnd, ahead.position - reader.position <= text.limits.cardBytes {
            switch ahead.nextLine(ends).mark {
            case .begin, .agentBegin: return false
            case .end:
                found += 1
                if found == 2 { return true }
            default: break
            }
        }
        return false
    }

    /// Whether an indented END is only a word of a folded text: the card goes on to an END of its own.
    private func isContinued(_ ends: LineEnds) -> Bool {
        var ahead = reader.ahead
        while !ahead.isAtEnd, ahead.position - reader.position <= text.limits.cardBytes {
            let line = ahead.nextLine(ends)
            switch line.mark {
            case .begin, .agentBegin: return false
            case .end: return !line.isIndented
            default: break
            }
        }
        return false
    }
}
