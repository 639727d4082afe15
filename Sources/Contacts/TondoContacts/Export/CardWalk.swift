/// The lines of one card, one after the other, in UTF-8 or an 8-bit character set, as the reader of vCards divides them.
struct CardWalk {
    /// A property with all of its physical lines.
    struct Step {
        let line: VCardLines.Line
        /// Nil for a line that is not a property.
        let header: VCardHeader?
        /// It belongs to an object inside the card.
        let isInner: Bool
        /// It begins or ends the card.
        fileprivate(set) var isFrame: Bool
    }

    let card: UnsafeRawBufferPointer
    private(set) var values: VCardTextValue
    private(set) var steps: [Step] = []
    var form: VCardForm { values.form }

    init(card: UnsafeRawBufferPointer, span: VCardSpan) {
        self.card = card
        let form = VCardForm(ends: span.lineEnds, card: card)
        values = VCardTextValue(bytes: card, form: form, decoder: CharsetDecoder())
        var nesting = VCardNesting(card: card, form: form, lacksInnerEnd: span.lacksInnerEnd)
        var properties = VCardProperties(card: card, form: form)
        while var line = properties.next() {
            let header = properties.header(of: &line)
            add(line, header: header, nesting: &nesting)
        }
        // Where an object inside has no end, the last one is the card's own.
        if span.lacksInnerEnd, let last = steps.indices.last, steps[last].header?.field == .end {
            steps[last].isFrame = true
        }
    }

    private mutating func add(_ line: VCardLines.Line, header: VCardHeader?, nesting: inout VCardNesting) {
        let wasOutside = nesting.isOutside
        if [.begin, .end, .agent].contains(header?.field) { nesting.take(line) }
        let (isOutside, isFirst) = (nesting.isOutside, steps.isEmpty)
        let isLast = wasOutside && !isOutside && header?.field == .end
        let isInner = !isFirst && !isLast && !(wasOutside && isOutside)
        steps.append(Step(line: line, header: header, isInner: isInner, isFrame: isFirst || isLast))
        guard header?.field == .version, isOutside, let header else { return }
        values.keepsFoldBlanks = values.read(line, header: header, body: VCardValue.text) == "2.1"
    }
}

/// Parts of a line as text.
extension CardWalk {
    typealias Part = Slice<UnsafeRawBufferPointer>

    /// The physical lines without line ends, empty ones and the blanks before each line of an indented card.
    func parts(of line: VCardLines.Line) -> [Part] {
        var parts: [Part] = []
        var start = line.start
        while start < line.end {
            let next = form.ends.find(in: card, start..<line.end) ?? line.end
            let end = form.ends.contentEnd(from: start, to: next, in: card)
            let first = parts.isEmpty ? start : min(form.start(of: start, in: card), end)
            if end > first { parts.append(card[first..<end]) }
            start = form.ends.next(after: next, in: card)
        }
        return parts
    }

    /// A line end of the value that is neither a fold nor a soft line break: a writer forgot to encode it.
    func hasBareLineEnd(_ step: Step) -> Bool {
        guard let header = step.header, header.field?.isText == true, header.parameters.encoding == .none else {
            return false
        }
        return parts(of: step.line).dropFirst().contains { $0.first != 0x20 && $0.first != 0x09 }
    }

    /// `keepsBase64`: also the parameters that say how many bits the characters of the text have.
    func property(_ line: VCardLines.Line, header: VCardHeader, keepsBase64: Bool) -> CardProperty {
        let head = text(UnfoldedHeader(line.start..<(header.valueStart - 1), in: card).bytes)
        if isData(line, header: header) { return CardProperty(head: head, value: data(line, header: header)) }
        // In one line, with its escapes.
        let value = values.read(line, header: header) { String(decoding: $0, as: UTF8.self) }
            .replacing("\r\n", with: "\\n").replacing("\n", with: "\\n")
        return CardProperty(head: head, value: value).withoutEncoding(keepsBase64: keepsBase64)
    }

    /// The value is no text: it stays encoded.
    private func isData(_ line: VCardLines.Line, header: VCardHeader) -> Bool {
        if header.parameters.encoding == .base64 { return true }
        guard header.field?.isPhoto == true,
            let photo = VCardPhotoLine(line: line, header: header, card: card, text: values),
            case .encoded = photo.value
        else { return false }
        return true
    }

    /// Without line ends, soft ones included, and blanks; quoted-printable may contain blanks.
    private func data(_ line: VCardLines.Line, header: VCardHeader) -> String {
        var data: [UInt8] = []
        let isQuoted = header.parameters.encoding == .quotedPrintable
        var isAtStart = false
        for byte in card[min(header.valueStart, line.end)..<line.end] {
            if byte == 0x0A || byte == 0x0D {
                if isQuoted, data.last == UInt8(ascii: "=") { data.removeLast() }
                isAtStart = true
                continue
            }
            if byte > 0x20 || isQuoted && !isAtStart { data.append(byte) }
            isAtStart = false
        }
        return text(data)
    }

    /// Bytes of any character set.
    func text(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { bytes in
            if UTF8Text.defect(bytes) == nil { return String(decoding: bytes, as: UTF8.self) }
            let charset = values.guess == .utf8 ? Charset.guess(bytes) : values.guess
            return String(decoding: values.decoder.utf8(bytes, charset: charset), as: UTF8.self)
        }
    }

    /// The line can go out as it came: it is text in UTF-8 already.
    func isPlain(_ step: Step) -> Bool {
        if hasBareLineEnd(step) { return false }
        let parameters = step.header?.parameters
        guard parts(of: step.line).allSatisfy({ UTF8Text.defect(UnsafeRawBufferPointer(rebasing: $0)) == nil }) else {
            return false
        }
        if parameters?.encoding == .quotedPrintable { return true }
        switch parameters?.charset {
        case .other?: return UTF8Text.isASCII(UnsafeRawBufferPointer(rebasing: card[step.line.start..<step.line.end]))
        case nil: return !values.guess.hasPairs
        default: return true
        }
    }
}
