/// The text of an object inside a card, such as an agent's card, before it goes out in another one: only a whole object
/// leaves the lines behind it to the card itself.
struct InnerObject {
    /// The names of the open objects.
    private var open: [Substring] = []
    private var isEnded = false

    /// Those with which a card is still one card, for readers that count lines and for Tondo's own.
    static func allowed(_ properties: [CardProperty]) -> [CardProperty] {
        let allowed = properties.filter(isAllowed)
        return isOneCard(allowed) ? allowed : allowed.filter { !isObject($0) }
    }

    /// A card has an END and a VERSION of its own.
    private static func isAllowed(_ property: CardProperty) -> Bool {
        if property.name == "END" || property.name == "VERSION" { return false }
        guard isObject(property) else { return true }
        var object = InnerObject()
        let name = property.name == "BEGIN" ? "BEGIN:" : ""
        return property.group == nil && object.takes(name + property.value)
    }

    /// An agent may also be named by a text or an address.
    private static func isObject(_ property: CardProperty) -> Bool {
        if property.name == "BEGIN" { return true }
        guard property.name == "AGENT" else { return false }
        let lines = lines(of: property.value)
        // A card in one line has its line ends as escapes.
        return lines.count > 1 || lines.contains { mark(of: $0).map { !$0.name.contains("\\") } ?? false }
    }

    private static func isOneCard(_ properties: [CardProperty]) -> Bool {
        guard properties.contains(where: isObject) else { return true }
        let frame = ["BEGIN:VCARD\r\nVERSION:4.0\r\n", "END:VCARD\r\n"].map { Array($0.utf8) }
        let card = frame[0] + properties.flatMap { CardWalk.text(of: $0, isOld: false) } + frame[1]
        return card.withUnsafeBytes { bytes in
            var cards = (try? VCardText(bytes))?.cards
            let first = cards?.next()
            return first?.bytes == 0..<card.count && first?.isClosed == true && first?.lacksInnerEnd == false
        }
    }

    /// Whether the text is one object with its BEGIN and its END, and nothing else.
    private mutating func takes(_ text: String) -> Bool {
        for line in Self.unfolded(text) where !line.isEmpty {
            if isEnded || !takes(line[...]) { return false }
        }
        return isEnded
    }

    private mutating func takes(_ line: Substring) -> Bool {
        guard let (isBegin, name) = Self.mark(of: line) else { return !open.isEmpty }
        // With invisible characters, readers disagree.
        guard line.utf8.allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x09 }) else { return false }
        if isBegin {
            open.append(name)
            return true
        }
        guard open.popLast() == name else { return false }
        isEnded = open.isEmpty
        return true
    }

    /// Without the line ends of folds. A fold that looks like a BEGIN or END is a line, since some readers take it for one.
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String] = []
        for line in self.lines(of: text) {
            let isFold = line.first == " " || line.first == "\t"
            if isFold, !lines.isEmpty, mark(of: line) == nil {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(String(line))
            }
        }
        return lines
    }

    /// A carriage return alone is a line end for some readers.
    private static func lines(of text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
    }

    /// The name behind `BEGIN:` or `END:`, in lower case, with the line's group; nil for other lines. Parameters may be before
    /// the colon.
    private static func mark(of line: Substring) -> (isBegin: Bool, name: Substring)? {
        let head = line.utf8.prefix(256).filter { 0x21...0x7E ~= $0 }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let word = text.prefix { $0 != ":" && $0 != ";" }.split(separator: ".", omittingEmptySubsequences: false)
        guard word.last == "begin" || word.last == "end", let colon = text.firstIndex(of: ":") else { return nil }
        return (word.last == "begin", word.dropLast().joined() + text[text.index(after: colon)...])
    }
}
