internal import TondoContacts

/// One entry of a directory: its values by the names of their attributes.
package struct LDAPEntry: Equatable, Sendable {
    /// The distinguished name (RFC 4514).
    package var name: String
    /// By lower-case name without options; values without options come first.
    private var values: [String: [[UInt8]]] = [:]
    /// Values with options, such as `cn;lang-de`, until all are known.
    private var optional: [(String, [[UInt8]])] = []

    /// Without values: `add` brings them, and `end` gives those with options their place.
    package init(name: String) { self.name = name }

    /// `type`: an attribute's description, with options (RFC 4512 section 2.5).
    package mutating func add(_ type: String, values: [[UInt8]]) {
        let words = type.lowercased().split(separator: ";")
        guard let attribute = words.first else { return }
        // ;binary describes the transfer of a value, not its kind (RFC 4522).
        if words.dropFirst().contains(where: { $0 != "binary" }) {
            optional.append((String(attribute), values))
        } else {
            self.values[String(attribute), default: []] += values
        }
    }

    /// After the last attribute.
    mutating func end() {
        for (attribute, values) in optional { self.values[attribute, default: []] += values }
        optional = []
    }

    /// `attribute`: in lower case.
    package func bytes(_ attribute: String) -> [[UInt8]] { values[attribute] ?? [] }

    /// Without empty values; what is not UTF-8 is read in the character set that it seems to be in.
    package func texts(_ attribute: String) -> [String] {
        bytes(attribute).compactMap { value in
            let text = DirectoryAttributes.text(value).drop { $0 == " " }
            return text.lastIndex { $0 != " " }.map { String(text[...$0]) }
        }
    }

    /// The first text of these attributes.
    package func text(_ attributes: String...) -> String? {
        for attribute in attributes { if let text = texts(attribute).first { return text } }
        return nil
    }

    /// `objectClass`: in lower case. Only entries that were read with this attribute have classes.
    package func isOf(_ objectClass: String) -> Bool {
        texts("objectclass").contains { $0.lowercased() == objectClass }
    }

    package static func == (one: LDAPEntry, other: LDAPEntry) -> Bool {
        one.name == other.name && one.values == other.values
    }
}
