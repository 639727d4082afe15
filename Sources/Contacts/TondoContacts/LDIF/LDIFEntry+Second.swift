internal import TondoText

extension LDIFEntry {
    /// What shows that the record has the lines of two entries, whose boundary is lost.
    var second: String? {
        if let name = repeatedClass { return "the class \(name.prefix(40)) twice" }
        if let object = first("begin") { return "a \(object.prefix(40)), too" }
        if let name = otherDN { return "the name \(name.prefix(40)), too" }
        for attribute in ["displayname", "cn", "commonname", "sn", "surname", "givenname", "gn"] {
            if let (one, other) = twoNames(of: attribute) { return "the names \(one.prefix(40)), \(other.prefix(40))" }
        }
        return nil
    }

    /// The values of an attribute differ from each other (RFC 4512 section 2.2).
    private var repeatedClass: String? {
        var known: Set<String> = []
        return all("objectclass").first { !known.insert($0.lowercased()).inserted }
    }

    /// A second distinguished name, perhaps of an attribute that was `dn` before a letter of it was damaged.
    private var otherDN: String? {
        // A certificate's name may be a person's uid or name.
        let attributes = values.keys.filter { $0.utf8.count < 4 && !["dn", "uid", "cn"].contains($0) }
        let lines = (values["dn"] ?? []).dropFirst() + attributes.sorted().flatMap { values[$0] ?? [] }
        // Most have no "=", and need not be decoded.
        return lines.lazy.filter { $0.kind == .base64 || text.bytes[$0.value].contains(UInt8(ascii: "=")) }
            .compactMap { string($0) }.first { $0.split(separator: ",").count(where: Self.isPart) > 1 }
    }

    /// Whether it is `type=value`.
    private static func isPart(part: Substring) -> Bool {
        let type = part.utf8.prefix { $0 != UInt8(ascii: "=") }
        return !type.isEmpty && type.endIndex < part.endIndex && type.allSatisfy(ASCII.isLetter)
    }

    /// Two values of an attribute in two places, neither of which has all words of the other: servers write the values of
    /// an attribute in one place.
    private func twoNames(of attribute: String) -> (String, String)? {
        let lines = (values[attribute] ?? []).filter { !text.bytes[$0.name].contains(UInt8(ascii: ";")) }
        guard lines.count > 1, let first = string(lines[0]) else { return nil }
        var names = [NameOfCard(first)]
        var isApart = false
        for (line, next) in zip(lines, lines.dropFirst()) {
            isApart = isApart || !text.bytes[line.value.upperBound..<next.name.lowerBound].allSatisfy(ASCII.isBlank)
            guard let value = string(next) else { continue }
            let name = NameOfCard(value)
            if isApart, !names.contains(where: name.fits) { return (first, value) }
            if names.count < Self.mostNames { names.append(name) }
        }
        return nil
    }

    /// More names than any person has in one place.
    private static let mostNames = 8
}
