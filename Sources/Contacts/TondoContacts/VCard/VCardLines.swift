/// The lines of one card, including folds (RFC 6350 3.2), and what writers make of them.
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
    let form: VCardForm
    private var position = 0

    init(bytes: UnsafeRawBufferPointer, form: VCardForm) {
        self.bytes = bytes
        self.form = form
    }

    /// The next property's line with its continuation lines: those that begin with a blank.
    mutating func next() -> Line? {
        if position == 0, let beginning = takeJoinedBeginning() { return beginning }
        while position < bytes.count {
            let start = form.start(of: position, in: bytes)
            let end = takePhysicalLine()
            if end <= start { continue }
            var line = Line(start: start, firstEnd: end, end: end)
            // The first character of most lines.
            if form.indent > 0 || position < bytes.count && bytes[position] <= 0x20 { extendFolds(&line) }
            return line
        }
        return nil
    }

    /// The card's BEGIN, if its line end is lost and a property follows on the line.
    private mutating func takeJoinedBeginning() -> Line? {
        guard let length = VCardMark.propertyBehindBegin(in: physicalLine(at: 0)) else { return nil }
        let start = form.start(of: 0, in: bytes)
        position = start + length
        return Line(start: start, firstEnd: position, end: position)
    }

    private mutating func extendFolds(_ line: inout Line) {
        while position < bytes.count {
            if form.indent == 0, bytes[position] > 0x20 { return }
            if let fold = form.folds(from: position, in: bytes) {
                line.end = fold.contentEnd
                position = fold.next
            } else if form.isFold(position, in: bytes) {
                if isIndentedEnd() { return }
                line.end = takePhysicalLine()
            } else if let fold = foldBehindEmptyLines() {
                position = fold
            } else {
                return
            }
        }
    }

    /// The card's last line, with blanks before it, is no part of a text.
    private func isIndentedEnd() -> Bool {
        guard bytes.count - position < VCardForm.longestEnd else { return false }
        let end = form.ends.find(in: bytes, position..<bytes.count) ?? bytes.count
        return form.ends.next(after: end, in: bytes) == bytes.count && VCardMark(physicalLine(at: position)) == .end
    }

    /// Some writers put an empty line behind each line, also behind those of a fold. An indented property is none.
    private func foldBehindEmptyLines() -> Int? {
        guard bytes[position] == 0x0D || bytes[position] == 0x0A, let next = nextFilled(), form.isFold(next, in: bytes)
        else { return nil }
        let content = physicalLine(at: next)
        guard Invisible.skip(content) < content.count else { return nil }
        return VCardHeader(content, isWhole: true)?.field == nil ? next : nil
    }

    /// Adds the physical lines after a soft line break. Some writers end a value with one, so a supported property is
    /// never added, and behind an empty line, nothing that could be a property.
    mutating func extendQuotedPrintable(_ line: inout Line) {
        while endsInSoftBreak(line), let next = nextFilled() {
            let content = physicalLine(at: next)
            if VCardHeader(content, isWhole: true)?.field != nil { return }
            if next > position, VCardHeader.isProperty(content) { return }
            position = next
            line.end = takePhysicalLine()
        }
    }

    /// Adds the continuation lines of a base64 value without a blank, as vCard 2.1 permits: up to one with the colon of a
    /// property, and up to an empty line, unless base64 goes on behind it.
    mutating func extendBase64(_ line: inout Line) {
        while let next = nextFilled() {
            let content = physicalLine(at: next)
            guard !content.contains(UInt8(ascii: ":")), !content.contains(UInt8(ascii: ";")) else { return }
            if next > position, !Base64.isOnlyAlphabet(content) { return }
            position = next
            line.end = takePhysicalLine()
        }
    }

    /// Adds what can be no property: the rest of a text that a writer broke without folding it.
    mutating func extendText(_ line: inout Line) {
        if isAtPlainProperty { return }
        while let next = nextFilled() {
            let content = physicalLine(at: next)
            let isText = content.contains { ASCII.isLetter($0) || $0 >= 0x80 } || content.first == UInt8(ascii: "=")
            guard isText, content.count > 1, !isProperty(content, at: next) else { return }
            position = next
            line.end = takePhysicalLine()
            extendFolds(&line)
        }
    }

    /// Whether the next line is a property by its first word of capital letters. Most are, and the end of the line is then
    /// not searched.
    private var isAtPlainProperty: Bool {
        var end = position
        while end < bytes.count, 0x41...0x5A ~= bytes[end] { end += 1 }
        return end > position && end < bytes.count && (bytes[end] == 0x3A || bytes[end] == 0x3B)
    }

    /// Whether a property begins at `start`, where the line has this content; its name may go on behind a fold.
    private func isProperty(_ content: UnsafeRawBufferPointer, at start: Int) -> Bool {
        // Most properties, without their names being looked up.
        if let end = content.first(where: { !(0x41...0x5A ~= $0) }), end == 0x3A || end == 0x3B,
            0x41...0x5A ~= content[0]
        {
            return true
        }
        if VCardHeader.isProperty(content) { return true }
        var lines = self
        lines.position = start
        guard content.count < 128, let line = lines.next(), line.isFolded else { return false }
        let folded = bytes[line.start..<min(line.end, line.start + 256)]
        return folded.filter { !ASCII.isBlank($0) }.withUnsafeBytes { VCardHeader.isProperty($0) }
    }

    private func endsInSoftBreak(_ line: Line) -> Bool {
        var end = line.end
        // Not beyond the last physical line: a value of many blank ones would be scanned again for each.
        while end > line.start, bytes[end - 1] != 0x0A, bytes[end - 1] != 0x0D, ASCII.isBlank(bytes[end - 1]) {
            end -= 1
        }
        return end > line.start && bytes[end - 1] == UInt8(ascii: "=")
    }

    /// The beginning of the next line that is not empty.
    private func nextFilled() -> Int? {
        var next = position
        while next < bytes.count, bytes[next] == 0x0D || bytes[next] == 0x0A { next += 1 }
        return next < bytes.count ? next : nil
    }

    /// Returns the end of the content, and moves behind the line end.
    @inline(__always)
    private mutating func takePhysicalLine() -> Int {
        let start = position
        let end = form.ends.find(in: bytes, start..<bytes.count) ?? bytes.count
        position = form.ends == .lineFeed ? min(end + 1, bytes.count) : form.ends.next(after: end, in: bytes)
        return form.ends.contentEnd(from: start, to: end, in: bytes)
    }

    private func physicalLine(at start: Int) -> UnsafeRawBufferPointer {
        let end = form.ends.find(in: bytes, start..<bytes.count) ?? bytes.count
        let content = form.start(of: start, in: bytes)
        return UnsafeRawBufferPointer(
            rebasing: bytes[content..<max(form.ends.contentEnd(from: start, to: end, in: bytes), content)])
    }
}

/// How the lines of one card are laid out.
struct VCardForm {
    let ends: LineEnds
    /// Blanks before each line, as in a card that was copied from an indented text.
    let indent: Int

    /// `card`: its bytes, from its first line on.
    init(ends: LineEnds, card: UnsafeRawBufferPointer) {
        self.ends = ends
        guard let first = card.first, Self.isBlank(first) else {
            indent = 0
            return
        }
        let blanks = card.prefix { Self.isBlank($0) }.count
        let second = ends.find(in: card, 0..<card.count).map { ends.next(after: $0, in: card) } ?? card.count
        indent = card[second...].prefix(blanks).allSatisfy(Self.isBlank) ? blanks : 0
    }

    /// A card's last line is shorter.
    static let longestEnd = 64

    /// Lines of a fold, one behind the other, as a photo has them by the hundred: the end of the last one's content, and the
    /// beginning of the next line. Only line feeds are searched. Nil if there are none, and for the last bytes of a card and
    /// rare forms, whose lines are judged one by one.
    @inline(__always)
    func folds(from start: Int, in bytes: UnsafeRawBufferPointer) -> (contentEnd: Int, next: Int)? {
        guard indent == 0, ends == .lineFeed else { return nil }
        var (last, next) = (start, start)
        while bytes.count - next >= Self.longestEnd, Self.isBlank(bytes[next]),
            let end = ASCII.find(0x0A, in: bytes, within: next..<bytes.count)
        {
            last = next
            next = end + 1
        }
        return next == start ? nil : (ends.contentEnd(from: last, to: next - 1, in: bytes), next)
    }

    /// A line that continues the one before.
    @inline(__always)
    func isFold(_ position: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        if indent == 0 { return Self.isBlank(bytes[position]) }
        let start = start(of: position, in: bytes)
        return start == position + indent && start < bytes.count && Self.isBlank(bytes[start])
    }

    /// The beginning of a line without its indentation.
    @inline(__always)
    func start(of position: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        indent == 0 ? position : position + bytes[position...].prefix(indent).prefix { Self.isBlank($0) }.count
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
