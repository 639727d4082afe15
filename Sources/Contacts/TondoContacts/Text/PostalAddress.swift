/// A postal address in parts (RFC 6350 6.3.1).
struct PostalAddress: ExpressibleByDictionaryLiteral {
    /// In the order of a vCard.
    enum Part: Int, CaseIterable {
        case box
        /// An apartment, a floor.
        case extended
        case street, city, region, code, country
        /// All lines as the book prints them; the other parts do not count then.
        case formatted
    }

    /// By the numbers of their parts.
    private var texts = [String](repeating: "", count: Part.formatted.rawValue + 1)

    init() {}

    init(dictionaryLiteral texts: (Part, String?)...) { for (part, text) in texts { self[part] = text ?? "" } }

    /// Empty if the book does not have it, or has a sign alone because something is required.
    subscript(part: Part) -> String {
        get { texts[part.rawValue] }
        set { texts[part.rawValue] = newValue.contains { $0.isLetter || $0.isNumber } ? newValue.trimmed : "" }
    }

    /// The lines as they are written on a letter. Countries differ in the order of code, city and region, and books do
    /// not state whose order is meant: a postal code before the city is understood everywhere.
    var text: String {
        // A writer that does not keep to the parts begins with the first one: without code and country, their order is right.
        let isWritten = !self[.box].isEmpty && self[.code].isEmpty && self[.country].isEmpty
        let lines =
            self[.formatted].isEmpty
            ? isWritten ? texts : [self[.street], self[.extended], self[.box], town, self[.region], self[.country]]
            : self[.formatted].split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return Self.joined(lines, by: "\n")
    }

    /// Some writers escape the semicolons between the parts, so that all of them are in the first one.
    mutating func splitBox() {
        let parts = self[.box].split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count >= 3, texts.dropFirst().allSatisfy(\.isEmpty) else { return }
        for (part, text) in zip(Part.allCases.dropLast(), parts) { self[part] = String(text) }
    }

    private var town: String { Self.joined([self[.code], self[.city]], by: " ") }

    private static func joined(_ texts: [String], by separator: String) -> String {
        var all = ""
        all.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 1 })
        for text in texts where !text.isEmpty {
            if !all.isEmpty { all += separator }
            all += text
        }
        return all
    }
}
