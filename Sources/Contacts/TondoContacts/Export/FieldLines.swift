internal import SystemPackage

/// The lines of a card that were made from fields, and properties of the original card that replace them.
///
/// A line is read once and then found by what it says: a contact may have as many numbers as its card has properties.
struct FieldLines {
    /// Nil where a line was removed.
    private var lines: [CardProperty?]
    /// The lines by their names, until a property with the name comes.
    private var unread: [String: [Int]]
    /// The lines that no property has replaced yet, the first one last.
    private var free: [Key: [Int]] = [:]
    private var isReplaced: [Bool]
    /// The lines with a label, by their group.
    private let labels: [String: [Int]]

    private enum Key: Hashable {
        /// There is one.
        case id
        case value(name: String, String)
        /// What is read from the line: it may be written in several ways.
        case point(name: String, [String])
    }

    init(lines: [CardProperty]) {
        self.lines = lines
        isReplaced = lines.map { _ in false }
        unread = Dictionary(grouping: lines.indices) { lines[$0].name }
        labels = Dictionary(grouping: lines.indices.filter { lines[$0].name == "X-ABLABEL" }) { lines[$0].group ?? "" }
    }

    var all: [CardProperty] { lines.compactMap(\.self) }

    /// A property that has a field, too, comes back as it was: it replaces the line of the field and its label. Others come
    /// behind all lines.
    mutating func replace(with property: CardProperty) {
        for index in unread.removeValue(forKey: property.name)?.reversed() ?? [] {
            for key in lines[index].map(Self.keys) ?? [] { free[key, default: []].append(index) }
        }
        guard let index = Self.keys(of: property).compactMap({ firstFree($0) }).min() else {
            return lines.append(property)
        }
        let former = lines[index]?.group
        lines[index] = property
        if property.name != "UID" { isReplaced[index] = true }
        guard let former, former != property.group else { return }
        for label in labels[former] ?? [] where lines[label]?.group == former { lines[label] = nil }
    }

    private mutating func firstFree(_ key: Key) -> Int? {
        while let index = free[key]?.last {
            if !isReplaced[index] { return index }
            free[key]?.removeLast()
        }
        return nil
    }

    private static func keys(of line: CardProperty) -> [Key] {
        if line.name == "UID" { return [.id] }
        let value = Key.value(name: line.name, line.value)
        return point(line).map { [value, .point(name: line.name, $0)] } ?? [value]
    }

    /// The name, number or address of a line.
    private static func point(_ line: CardProperty) -> [String]? {
        guard ["N", "TEL", "EMAIL", "ADR", "URL"].contains(line.name) else { return nil }
        let frame = ["BEGIN:VCARD\r\n", "END:VCARD\r\n"].map { Array($0.utf8) }
        let card = frame[0] + CardWalk.text(of: line, isOld: false) + frame[1]
        // By the reader itself, so that both agree about what a line says.
        guard let contact = try? BookFormat.vCard.read(card, name: "book").contacts.first else { return nil }
        let name = contact.name
        return [name.family, name.given, name.additional, name.prefix, name.suffix]
            + (contact.phones + contact.emails + contact.addresses + contact.websites).map(\.value)
    }
}
