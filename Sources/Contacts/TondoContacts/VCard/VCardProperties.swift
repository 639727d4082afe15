/// The lines of a card, each with all that belongs to it and with its header. The reader and the export both read cards
/// through it, so that they cannot disagree about where a property ends.
struct VCardProperties {
    private var lines: VCardLines

    init(card: UnsafeRawBufferPointer, form: VCardForm) { lines = VCardLines(bytes: card, form: form) }

    /// The next line, which `header` completes: a result of both would be copied for each line.
    @inline(__always)
    mutating func next() -> VCardLines.Line? { lines.next() }

    /// The header of the line that `next` returned last; nil if it is not a property. Adds to the line what belongs to it.
    @inline(__always)
    mutating func header(of line: inout VCardLines.Line) -> VCardHeader? {
        guard let header = beginning(of: &line) else { return nil }
        extend(&line, header: header)
        return header
    }

    /// Adds the lines that belong to the value, though they are not indented.
    private mutating func extend(_ line: inout VCardLines.Line, header: VCardHeader) {
        switch header.parameters.encoding {
        case .quotedPrintable: lines.extendQuotedPrintable(&line)
        case .base64: lines.extendBase64(&line)
        case .none: break
        }
        guard let field = header.field else { return }
        if field.isPhoto {
            lines.extendBase64(&line)
        } else if field.isText, header.parameters.encoding != .base64 {
            lines.extendText(&line)
        }
    }

    private mutating func beginning(of line: inout VCardLines.Line) -> VCardHeader? {
        let first = UnsafeRawBufferPointer(rebasing: lines.bytes[line.start..<line.firstEnd])
        if var header = VCardHeader(first, isWhole: !line.isFolded) {
            header.move(by: line.start)
            return header
        }
        // Samsung's custom labels are quoted-printable inside of the header.
        lines.extendQuotedPrintable(&line)
        return line.isFolded ? foldedHeader(of: line) : nil
    }

    /// A header that continues after a fold, such as one with a crop rectangle.
    private func foldedHeader(of line: VCardLines.Line) -> VCardHeader? {
        let text = UnfoldedHeader(line.start..<line.end, in: lines.bytes)
        guard var header = text.bytes.withUnsafeBytes({ VCardHeader($0, isWhole: true) }) else { return nil }
        let colon = header.valueStart - 1
        header.move(by: text.origins[colon] - colon)
        return header
    }
}

/// The beginning of a property's line without folds and soft line breaks.
struct UnfoldedHeader {
    private(set) var bytes: [UInt8] = []
    /// The position of each of the bytes in the card.
    private(set) var origins: [Int] = []

    /// Headers are shorter, and a photo after it should not be copied.
    private static let most = 65_536

    init(_ range: Range<Int>, in card: UnsafeRawBufferPointer) {
        let end = min(range.upperBound, range.lowerBound + Self.most)
        var position = range.lowerBound
        var hasBracket = false
        while position < end {
            if card[position] == 0x0A || card[position] == 0x0D {
                position += 1
                guard position < end, card[position] != 0x0A, card[position] != 0x0D else { continue }
                let isIndented = card[position] == 0x20 || card[position] == 0x09
                // A soft line break, not the sign between a parameter and its value.
                if bytes.last == UInt8(ascii: "="), !isIndented || hasBracket {
                    bytes.removeLast()
                    origins.removeLast()
                }
                if isIndented { position += 1 }
                continue
            }
            hasBracket = hasBracket || card[position] == UInt8(ascii: "(")
            bytes.append(card[position])
            origins.append(position)
            position += 1
        }
    }
}
