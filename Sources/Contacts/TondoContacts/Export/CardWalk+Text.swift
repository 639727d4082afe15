/// The card as a text that another program reads: UTF-8, with CR LF.
extension CardWalk {
    var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(card.count + steps.count)
        for step in steps {
            text += isPlain(step) ? plain(step) : converted(step)
            if isBeforeEmptyLine(step.line) { text += Self.lineEnd }
        }
        return text
    }

    static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// As it came, but the parts of a photo without blanks get one: in vCard 2.1 they have none, elsewhere they need it.
    private func plain(_ step: Step) -> [UInt8] {
        var text: [UInt8] = []
        let needsBlanks = step.header?.field?.isPhoto == true || step.header?.parameters.encoding == .base64
        for (index, part) in parts(of: step.line).enumerated() {
            var part = part
            // Behind an empty line a property may be indented; elsewhere it would be a fold.
            if index == 0 { part = part.drop(while: ASCII.isBlank) }
            if index == 0, step.isFrame, part.starts(with: [0xEF, 0xBB, 0xBF]) { part = part.dropFirst(3) }
            if index > 0, needsBlanks, part.first.map(ASCII.isBlank) != true { text.append(0x20) }
            text.append(contentsOf: part)
            text += Self.lineEnd
        }
        return text
    }

    private func converted(_ step: Step) -> [UInt8] {
        guard let header = step.header else {
            return Self.folded(text(parts(of: step.line).flatMap(\.self)), isOld: values.keepsFoldBlanks)
        }
        var property = property(step.line, header: header, keepsBase64: true)
        let isDeclared = header.parameters.charset != nil
        if isDeclared, values.keepsFoldBlanks { property.parameters.append("CHARSET=UTF-8") }
        return Self.text(of: property, isOld: values.keepsFoldBlanks)
    }

    /// `isOld`: vCard 2.1, where the blank of a fold belongs to the text, so that there is no place for one.
    static func text(of property: CardProperty, isOld: Bool) -> [UInt8] {
        var text = property.head + property.value
        // Only an object inside a card has lines of its own; elsewhere a line end would begin another property.
        let isObject = ["AGENT", "BEGIN"].contains(property.name)
        if !isObject {
            text = text.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\n")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.flatMap { folded(String($0), isOld: isOld || lines.count > 1) }
    }

    /// At most 75 bytes in a line (RFC 6350 3.2), and no character in two. No line ends in an equals sign, which could be
    /// read as a soft line break.
    static func folded(_ line: String, isOld: Bool) -> [UInt8] {
        let bytes = Array(line.utf8)
        if isOld || bytes.count <= 75 { return bytes + lineEnd }
        var (text, start, width) = ([UInt8](), 0, 75)
        while bytes.count - start > width {
            var end = start + width
            while end > start + 1, bytes[end] & 0xC0 == 0x80 || bytes[end - 1] == UInt8(ascii: "=") { end -= 1 }
            text += bytes[start..<end] + lineEnd + [0x20]
            start = end
            width = 74
        }
        return text + bytes[start...] + lineEnd
    }

    /// It ends the value of a photo, or one with a soft line break.
    private func isBeforeEmptyLine(_ line: VCardLines.Line) -> Bool {
        guard let end = form.ends.find(in: card, line.end..<card.count) else { return false }
        let next = form.ends.next(after: end, in: card)
        return next < card.count && (card[next] == 0x0A || card[next] == 0x0D)
    }
}
