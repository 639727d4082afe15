/// Decodes the value of a line of text: unfolded, decoded, in UTF-8. Copies only if that changes anything.
struct VCardTextValue {
    /// The card.
    let bytes: UnsafeRawBufferPointer
    let form: VCardForm
    let decoder: CharsetDecoder
    /// The detected character set of the card.
    let guess: Charset
    /// It has characters in two halves, see `UTF8Text`.
    private let hasHalves: Bool
    private let softBreaks: SoftBreaks
    /// In vCard 2.1 the blank of a fold belongs to the text (section 2.1.3).
    var keepsFoldBlanks = false

    init(bytes: UnsafeRawBufferPointer, form: VCardForm, decoder: CharsetDecoder) {
        self.bytes = bytes
        self.form = form
        self.decoder = decoder
        let defect = UTF8Text.defect(bytes)
        hasHalves = defect.map { UTF8Text.isHalf(in: bytes, at: $0) } ?? false
        guess = defect == nil || hasHalves ? .utf8 : Charset.guess(bytes)
        softBreaks = SoftBreaks(card: bytes, form: form)
    }

    /// Passes on the value, including escapes.
    @inline(__always)
    func read<R>(_ line: VCardLines.Line, header: VCardHeader, body: (UnsafeRawBufferPointer) -> R) -> R {
        let start = min(header.valueStart, line.end)
        let isPlain =
            header.parameters.encoding == .none && guess == .utf8 && !hasHalves
            && header.parameters.charset ?? .utf8 == .utf8
        if isPlain, start <= line.firstEnd, !line.isFolded {
            let value = UnsafeRawBufferPointer(rebasing: bytes[start..<line.end])
            if !mayNeedWork(value, header: header) { return body(value) }
        }
        return slow(start..<line.end, header: header).withUnsafeBytes(body)
    }

    /// Some writers encode texts without declaring it.
    @inline(__always)
    private func mayNeedWork(_ value: UnsafeRawBufferPointer, header: VCardHeader) -> Bool {
        guard let field = header.field, field.isProse else { return false }
        return field.isText && ASCII.find(UInt8(ascii: "="), in: value, within: 0..<value.count) != nil
            || TextRepair.mayNeed(value)
    }

    private func slow(_ range: Range<Int>, header: VCardHeader) -> [UInt8] {
        let text = decoded(range, header: header)
        guard header.field?.isProse == true else { return text }
        return text.withUnsafeBytes { TextRepair.mayNeed($0) ? TextRepair.repaired($0, isVCard: true) : nil } ?? text
    }

    private func decoded(_ range: Range<Int>, header: VCardHeader) -> [UInt8] {
        var isQuoted = header.parameters.encoding == .quotedPrintable
        var value = unfolded(range, isQuoted: isQuoted, keepsLines: header.field?.hasLines == true).text
        if !isQuoted, header.field?.isText == true, value.contains(UInt8(ascii: "=")), !Self.hasWord(in: value) {
            let unbroken = unfolded(range, isQuoted: true, keepsLines: false)
            isQuoted = isSurelyQuoted(unbroken.text, hasSoftBreak: unbroken.hasSoftBreak, header: header)
            if isQuoted { value = unbroken.text }
        }
        if header.parameters.encoding == .base64, header.field?.isText == true { value = Self.text(ofBase64: value) }
        if isQuoted { value = Self.plainLineEnds(value.withUnsafeBytes { QuotedPrintable.decode($0) }) }
        return value.withUnsafeBytes { inUTF8($0, declared: header.parameters.charset, isQuoted: isQuoted) }
    }

    /// Whether the text of a writer who did not declare it is quoted-printable. A note may have escapes of its own, as the
    /// address of a page has them.
    private func isSurelyQuoted(_ text: [UInt8], hasSoftBreak: Bool, header: VCardHeader) -> Bool {
        text.withUnsafeBytes { text in
            let hasLines = header.field?.hasLines == true
            if hasLines, Self.hasAddress(text) { return false }
            return QuotedPrintable.isSurely(text, minimum: hasLines && !hasSoftBreak ? 3 : 2)
        }
    }

    /// Whether `=?` is in the text, as encoded words have it, see `TextRepair`.
    private static func hasWord(in text: [UInt8]) -> Bool {
        zip(text, text.dropFirst()).contains { $0 == 0x3D && $1 == 0x3F }
    }

    /// Whether `://` is in the text.
    private static func hasAddress(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while let colon = ASCII.find(UInt8(ascii: ":"), in: text, within: start..<text.count) {
            if text[colon...].starts(with: "://".utf8) { return true }
            start = colon + 1
        }
        return false
    }

    /// Text that a writer encoded like a photo; unchanged if it is not such text.
    private static func text(ofBase64 value: [UInt8]) -> [UInt8] {
        value.withUnsafeBytes { value in
            guard Base64.isOnlyAlphabet(value) else { return Array(value) }
            let text = Base64.decode(value)
            let isText = !text.isEmpty && text.allSatisfy { $0 >= 0x20 || 0x09...0x0D ~= $0 }
            return isText ? text : Array(value)
        }
    }

    /// A line end in text is CR LF in quoted-printable (RFC 2045 6.7), and a line feed everywhere else.
    private static func plainLineEnds(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(0x0D) else { return text }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            if byte != 0x0D {
                plain.append(byte)
            } else if index + 1 == text.count || text[index + 1] != 0x0A {
                plain.append(0x0A)
            }
        }
        return plain
    }

    /// Without line ends and soft line breaks, so that an escape they cut in half is whole again. `keepsLines`: a line end
    /// that is no fold is one of the text, else a blank.
    private func unfolded(
        _ range: Range<Int>, isQuoted: Bool, keepsLines: Bool
    ) -> (text: [UInt8], hasSoftBreak: Bool) {
        var text: [UInt8] = []
        var hasSoftBreak = false
        text.reserveCapacity(range.count)
        var (start, wasSoft, lineEnds) = (range.lowerBound, true, 0)
        while start < range.upperBound {
            let end = form.ends.find(in: bytes, start..<range.upperBound) ?? range.upperBound
            let isFirst = start == range.lowerBound
            let isFold = !isFirst && form.isFold(start, in: bytes)
            let from = isFirst ? start : form.start(of: start, in: bytes)
            var content = bytes[from..<max(form.ends.contentEnd(from: start, to: end, in: bytes), from)]
            start = form.ends.next(after: end, in: bytes)
            lineEnds += 1
            if content.isEmpty, !isFirst { continue }
            if isFold {
                // The text after a soft line break belongs to the value, blank or not, unless it is folded as well.
                if wasSoft && isQuoted ? softBreaks.areFolds(isOld: keepsFoldBlanks) : !keepsFoldBlanks {
                    content.removeFirst()
                }
            } else if !wasSoft {
                text += keepsLines ? [UInt8](repeating: 0x0A, count: lineEnds) : [UInt8(ascii: " ")]
            }
            lineEnds = 0
            wasSoft = isQuoted && content.last == UInt8(ascii: "=")
            if wasSoft { content.removeLast() }
            hasSoftBreak = hasSoftBreak || wasSoft
            text.append(contentsOf: content)
        }
        return (text, hasSoftBreak)
    }

    private func inUTF8(_ text: UnsafeRawBufferPointer, declared: Charset?, isQuoted: Bool) -> [UInt8] {
        switch declared {
        case .other?: return decoder.utf8(text, charset: declared ?? .utf8)
        case .utf8?, .windows1252?, nil: break
        }
        // A short value can look like UTF-8 by chance; the guess for the whole card is more reliable.
        if declared == nil, !isQuoted, guess.hasPairs { return decoder.utf8(text, charset: guess) }
        // Valid UTF-8 is UTF-8, whatever is declared.
        guard let defect = UTF8Text.defect(text) else { return Array(text) }
        if UTF8Text.isHalf(in: text, at: defect) { return UTF8Text.joiningHalves(in: text) }
        let uncut = UTF8Text.withoutCutCharacter(text)
        if uncut.count == defect, declared == .utf8 || uncut.contains(where: { $0 >= 0x80 }) { return Array(uncut) }
        switch declared {
        // Undeclared, it takes more of them: one can be there by chance.
        case .utf8? where Self.isMostlyUTF8(text, factor: 1), nil where Self.isMostlyUTF8(text, factor: 2):
            return Self.withoutBrokenEnd(decoder.utf8(text, charset: .utf8))
        case .windows1252?: return decoder.utf8(text, charset: .windows1252)
        default: return decoder.utf8(text, charset: isQuoted || guess == .utf8 ? Charset.guess(text) : guess)
        }
    }

    /// Without the replaced rest of a character whose beginning was lost by a writer.
    private static func withoutBrokenEnd(_ text: [UInt8]) -> [UInt8] {
        var text = text
        while text.suffix(3) == [0xEF, 0xBF, 0xBD] { text.removeLast(3) }
        return text
    }

    /// At least `factor` times as many characters above ASCII are intact as are broken.
    private static func isMostlyUTF8(_ text: UnsafeRawBufferPointer, factor: Int) -> Bool {
        var (whole, broken) = (0, 0)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
            if scalar == "\u{FFFD}" { broken += 1 } else { whole += 1 }
        }
        return whole > 0 && whole >= factor * broken
    }
}
