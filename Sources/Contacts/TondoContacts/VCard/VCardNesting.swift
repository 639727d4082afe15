/// Which lines belong to a card itself, and which to a card or another object inside it.
struct VCardNesting: ~Copyable {
    private let card: UnsafeRawBufferPointer
    private let form: VCardForm
    /// A nested card is unterminated: the lines after its beginning then count as the outer one's, so that nothing is
    /// lost.
    private let lacksInnerEnd: Bool
    /// Names of the open objects, the card first.
    private var open: [[UInt8]] = []
    /// The position of the last END of each name; computed when a `BEGIN` of something else than a card needs it.
    private var lastEnds: [[UInt8]: Int]?

    /// The end of the line that began the card, and of others that began it again.
    private var beginning: Int?

    /// More than any card needs.
    private static let deepest = 64

    init(card: UnsafeRawBufferPointer, form: VCardForm, lacksInnerEnd: Bool) {
        self.card = card
        self.form = form
        self.lacksInnerEnd = lacksInnerEnd
    }

    /// The lines belong to the card itself.
    var isOutside: Bool { open.count == 1 }

    /// `line`: BEGIN, END or AGENT.
    mutating func take(_ line: VCardLines.Line) {
        let text = UnsafeRawBufferPointer(rebasing: card[line.start..<line.firstEnd])
        switch VCardMark(text) {
        case .begin where isRepeated(line): beginning = line.end
        case .begin, .agentBegin:
            if open.isEmpty { beginning = line.end }
            if open.isEmpty || !lacksInnerEnd { begin(Self.card) }
        case .end: if !lacksInnerEnd { end(Self.card) }
        default: takeOther(text, at: line.start)
        }
    }

    /// `BEGIN:VNOTE` and similar. An unterminated one is only a line without a meaning.
    private mutating func takeOther(_ text: UnsafeRawBufferPointer, at start: Int) {
        guard let (isBegin, name) = Self.object(text), name != Self.card, !open.isEmpty else { return }
        if !isBegin { return end(name) }
        let ends = lastEnds ?? findEnds()
        lastEnds = ends
        if let last = ends[name], last > start { begin(name) }
    }

    /// Nothing stands between it and the card's own BEGIN.
    private mutating func isRepeated(_ line: VCardLines.Line) -> Bool {
        guard isOutside, let start = beginning, start <= line.start else { return false }
        if card[start..<line.start].allSatisfy({ $0 == 0x0A || $0 == 0x0D || ASCII.isBlank($0) }) { return true }
        // No later line can be one: blanks are passed once, however many lines begin something.
        beginning = nil
        return false
    }

    private mutating func begin(_ name: [UInt8]) { if open.count < Self.deepest { open.append(name) } }

    /// Also ends objects that began inside of it.
    private mutating func end(_ name: [UInt8]) {
        guard let index = open.lastIndex(of: name) else { return }
        open.removeSubrange(index...)
    }

    private func findEnds() -> [[UInt8]: Int] {
        var ends: [[UInt8]: Int] = [:]
        var start = 0
        while start < card.count {
            let end = form.ends.find(in: card, start..<card.count) ?? card.count
            let first = min(form.start(of: start, in: card), card.count - 1)
            if card[first] | 0x20 == UInt8(ascii: "e"),
                let (isBegin, name) = Self.object(UnsafeRawBufferPointer(rebasing: card[start..<end])), !isBegin
            {
                ends[name] = start
            }
            start = form.ends.next(after: end, in: card)
        }
        return ends
    }

    private static let card = Array("vcard".utf8)

    /// The name, in lower case, after `BEGIN:` or `END:`.
    private static func object(_ line: UnsafeRawBufferPointer) -> (isBegin: Bool, name: [UInt8])? {
        let line = ASCII.trimmed(line)
        let isBegin = ASCII.has("begin:", in: line)
        guard isBegin || ASCII.has("end:", in: line) else { return nil }
        let name = ASCII.trimmed(UnsafeRawBufferPointer(rebasing: line[(isBegin ? 6 : 4)...].prefix(64)))
        return (isBegin, name.map(ASCII.lowered))
    }
}
