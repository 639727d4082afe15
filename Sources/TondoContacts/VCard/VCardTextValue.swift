/// Decodes the value of a line of text: unfolded, decoded, in UTF-8. Copies only if that changes anything.
struct VCardTextValue {
    /// The card.
    let bytes: UnsafeRawBufferPointer
    let newline: UInt8
    let decoder: CharsetDecoder
    /// The detected character set of the card.
    let guess: Charset
    /// In vCard 2.1 the blank of a fold belongs to the text (section 2.1.3).
    var keepsFoldBlanks = false

    init(_ bytes: UnsafeRawBufferPointer, newline: UInt8, decoder: CharsetDecoder) {
        (self.bytes, self.newline, self.decoder) = (bytes, newline, decoder)
        guess = Charset.guess(bytes)
    }

    /// Passes on the value, including escapes.
    @inline(__always)
    func read<R>(_ line: VCardLines.Line, _ header: VCardHeader, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let start = min(header.valueStart, line.end)
        let isPlain =
            header.parameters.encoding != .quotedPrintable && guess == .utf8
            && header.parameters.charset ?? .utf8 == .utf8
        if isPlain, start <= line.firstEnd, !line.isFolded {
            return body(UnsafeRawBufferPointer(rebasing: bytes[start..<line.end]))
        }
        return slow(start..<line.end, header).withUnsafeBytes(body)
    }

    private func slow(_ range: Range<Int>, _ header: VCardHeader) -> [UInt8] {
        let isQuoted = header.parameters.encoding == .quotedPrintable
        var value = unfolded(range, isQuoted: isQuoted)
        if isQuoted { value = Self.plainLineEnds(value.withUnsafeBytes { QuotedPrintable.decode($0) }) }
        return value.withUnsafeBytes { inUTF8($0, declared: header.parameters.charset, isQuoted: isQuoted) }
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

    /// Without line ends and soft line breaks, so that an escape they cut in half is whole again.
    private func unfolded(_ range: Range<Int>, isQuoted: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var (start, wasSoft) = (range.lowerBound, true)
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: newline) ?? range.upperBound
            var content = bytes[start..<end]
            while content.last == 0x0D { content.removeLast() }
            // The text after a soft line break belongs to the value, blank or not.
            if !wasSoft, !keepsFoldBlanks, content.first.map(ASCII.isBlank) == true { content.removeFirst() }
            wasSoft = isQuoted && content.last == UInt8(ascii: "=")
            if wasSoft { content.removeLast() }
            text.append(contentsOf: content)
            start = end + 1
        }
        return text
    }

    private func inUTF8(_ text: UnsafeRawBufferPointer, declared: Charset?, isQuoted: Bool) -> [UInt8] {
        switch declared {
        case .other?: return decoder.utf8(text, declared ?? .utf8)
        case .utf8?, .windows1252?, nil: break
        }
        // A short value in Shift_JIS can look like UTF-8 by chance; the guess for the whole card is more reliable.
        if declared == nil, !isQuoted, guess == .shiftJIS { return decoder.utf8(text, guess) }
        // Valid UTF-8 is UTF-8, whatever is declared.
        guard let defect = UTF8Text.defect(text) else { return Array(text) }
        let uncut = UTF8Text.withoutCutCharacter(text)
        if uncut.count == defect, declared == .utf8 || uncut.contains(where: { $0 >= 0x80 }) { return Array(uncut) }
        switch declared {
        case .utf8? where Self.isMostlyUTF8(text): return Self.withoutBrokenEnd(decoder.utf8(text, .utf8))
        case .windows1252?: return decoder.utf8(text, .windows1252)
        default: return decoder.utf8(text, isQuoted || guess == .utf8 ? Charset.guess(text) : guess)
        }
    }

    /// Without the replaced rest of a character whose beginning was lost by a writer.
    private static func withoutBrokenEnd(_ text: [UInt8]) -> [UInt8] {
        var text = text
        while text.suffix(3) == [0xEF, 0xBF, 0xBD] { text.removeLast(3) }
        return text
    }

    /// At least as many characters above ASCII are intact as are broken.
    private static func isMostlyUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        var (whole, broken) = (0, 0)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
            if scalar == "\u{FFFD}" { broken += 1 } else { whole += 1 }
        }
        return whole > 0 && whole >= broken
    }
}
