/// A postal address in parts (RFC 6350 6.3.1).
struct PostalAddress: ExpressibleByDictionaryLiteral {
    /// In the order of a vCard.
    enum Part: CaseIterable {
        case box
        /// An apartment, a floor.
        case extended
        case street, city, region, code, country
        /// All lines as the book prints them; the other parts do not count then.
        case formatted
    }

    private var texts: [Part: String] = [:]

    init(dictionaryLiteral texts: (Part, String?)...) { for (part, text) in texts { self[part] = text ?? "" } }

    /// Empty if the book does not have it.
    subscript(part: Part) -> String {
        get { texts[part] ?? "" }
        set { texts[part] = newValue.trimmed }
    }

    /// The lines as they are written on a letter. Countries differ in the order of code, city and region, and books do
    /// not state whose order is meant: a postal code before the city is understood everywhere.
    var text: String {
        let lines =
            self[.formatted].isEmpty
            ? [self[.street], self[.extended], self[.box], town, self[.region], self[.country]]
            : self[.formatted].split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var town: String { [self[.code], self[.city]].filter { !$0.isEmpty }.joined(separator: " ") }
}
