/// A postal address in parts (RFC 6350 6.3.1).
package struct PostalAddress: ExpressibleByDictionaryLiteral {
    /// In the order of a vCard.
    package enum Part: Int, CaseIterable {
        case box
        /// An apartment, a floor.
        case extended
        case street, city, region, code, country
        /// All lines as the book prints them; the other parts are not shown then.
        case formatted
    }

    /// The names of the parts in JSON.
    static let keys = ["box", "extended", "street", "city", "region", "code", "country"]

    /// By the numbers of their parts.
    private var texts = [String](repeating: "", count: Part.formatted.rawValue + 1)

    init() {}

    package init(dictionaryLiteral texts: (Part, String)...) { for (part, text) in texts { self[part] = text } }

    /// `names`: of the attributes of each part but the formatted one, the first with a value counts.
    package init(_ names: [[String]], value: (String) -> String?) {
        for (part, names) in zip(Part.allCases, names) { self[part] = names.compactMap(value).first ?? "" }
    }

    /// Empty if the book does not have it, or has a sign alone because something is required.
    package subscript(part: Part) -> String {
        get { texts[part.rawValue] }
        set { texts[part.rawValue] = newValue.contains { $0.isLetter || $0.isNumber } ? newValue.trimmed : "" }
    }

    /// With these lines instead of those that the parts make.
    package func printed(_ lines: String?) -> PostalAddress {
        var address = self
        address[.formatted] = lines ?? ""
        return address
    }

    /// As a vCard has them.
    package var components: [String] { Array(texts.dropLast()) }

    /// The lines as they are written on a letter.
    package var text: String {
        if self[.formatted].isEmpty { return composed }
        let lines = self[.formatted].split(whereSeparator: \.isNewline).map { String($0).trimmed }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The lines that the parts make.
    package var composed: String {
        var all = ""
        all.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 1 })
        for (part, separator) in order where !self[part].isEmpty {
            if !all.isEmpty { all += separator }
            all += self[part]
        }
        return all
    }

    /// Each with what separates it from those before it. Countries differ in the order of code, city and region, and books
    /// do not state whose order is meant: a postal code before the city is understood everywhere.
    private var order: [(Part, String)] {
        // A writer that does not keep to the parts begins with the first one: without code and country, their order is right.
        let isWritten = !self[.box].isEmpty && self[.code].isEmpty && self[.country].isEmpty
        return isWritten ? Self.written : self[.code].isEmpty ? Self.withoutCode : Self.withCode
    }

    private static let written = Part.allCases.dropLast().map { ($0, "\n") }
    private static let usual = [Part.street, .extended, .box, .code, .city, .region, .country]
    private static let withoutCode = usual.map { ($0, "\n") }
    private static let withCode = usual.map { ($0, $0 == .city ? " " : "\n") }

    /// Some writers escape the semicolons between the parts, so that all of them are in the first one.
    mutating func splitBox() {
        let parts = self[.box].split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count >= 3, texts.dropFirst().allSatisfy(\.isEmpty) else { return }
        for (part, text) in zip(Part.allCases.dropLast(), parts) { self[part] = String(text) }
    }
}

/// What a contact keeps of the parts, beside the text that is shown.
extension PostalAddress {
    /// Before each part, where the text does not consist of them; no text has this byte.
    private static let mark: UInt8 = 0xFF

    /// The number of bytes that each part has in the text, or the parts themselves if they are not the text. Empty if the text
    /// says as much: it is the street, or the parts have none.
    func parts(in text: String) -> [UInt8] {
        parts(areText: self[.formatted].isEmpty || composed.utf8.elementsEqual(text.utf8))
    }

    /// `areText`: the text is `composed`.
    func parts(areText: Bool) -> [UInt8] {
        let (hasBox, hasStreet) = (!self[.box].isEmpty, !self[.street].isEmpty)
        let hasPlace = !(self[.city].isEmpty && self[.code].isEmpty && self[.country].isEmpty)
        guard hasPlace || !self[.extended].isEmpty || !self[.region].isEmpty || hasBox && hasStreet else { return [] }
        // Without a street, the printed lines say more.
        guard areText || hasBox || hasStreet else { return [] }
        let isShort = texts[0].utf8.count < Self.mark && texts.dropLast().allSatisfy { $0.utf8.count <= UInt8.max }
        if areText, isShort { return texts.dropLast().map { UInt8($0.utf8.count) } }
        return components.flatMap { [Self.mark] + $0.utf8 }
    }

    /// As a vCard has them; without parts, the lines are the street.
    static func components(of point: ContactPoint) -> [String] {
        PostalAddress(point)?.components ?? ["", "", point.value.replacing("\n", with: ", "), "", "", "", ""]
    }

    /// Nil if the text of the point is all there is, also because it was changed since.
    package init?(_ point: ContactPoint) {
        guard let first = point.parts.first else { return nil }
        if first == Self.mark {
            let parts = point.parts.split(separator: Self.mark, omittingEmptySubsequences: false).dropFirst()
            for (index, part) in parts.enumerated() { texts[index] = String(decoding: part, as: UTF8.self) }
            self[.formatted] = point.value
            return
        }
        // The order of the parts depends on which of them there are.
        for (index, count) in point.parts.enumerated() where count > 0 { texts[index] = "-" }
        var rest = Array(point.value.utf8)[...]
        for part in order.map(\.0) where !self[part].isEmpty {
            let count = Int(point.parts[part.rawValue])
            guard rest.count >= count else { return nil }
            texts[part.rawValue] = String(decoding: rest.prefix(count), as: UTF8.self)
            rest = rest.dropFirst(count + 1)
        }
        guard composed == point.value else { return nil }
    }
}

extension ContactPoint {
    /// A postal address.
    package init(_ address: PostalAddress, types: [String] = []) {
        self.init(address.text, types: types)
        parts = address.parts(in: value)
    }
}
