internal import TondoText

/// Names of people in directories.
package enum DirectoryName {
    /// A part of a name; nil for a sign that stands for none, as "-" where the schema demands one.
    package static func part(_ text: String?) -> String? {
        text.flatMap { $0.contains { $0.isLetter || $0.isNumber || $0.isSymbol } ? $0 : nil }
    }

    /// The family name. The schema demands one, so that people with one name have it twice. `names`: whole ones.
    package static func family(_ text: String?, given: String?, of names: [String]) -> String? {
        part(text).flatMap { $0 == given && names.contains($0) ? nil : $0 }
    }

    /// The common name that people write. One without a blank may be that of an account, as far as it is one of ASCII.
    ///
    /// `hasParts`: the entry has a given and a family name, of which the name is made otherwise.
    package static func common(of names: [String], hasParts: Bool) -> String? {
        if let name = names.first(where: { $0.contains(" ") }) { return name }
        let isAccount = hasParts && names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        return isAccount ? nil : names.first
    }

    /// The name of a person by the distinguished name of the entry, or the text itself. Nil if it names an account.
    package static func person(in text: String) -> String? {
        guard text.contains("="), !text.hasPrefix("=") else { return text.filled }
        return ["cn=", "displayname="].contains { ASCII.has($0, in: text) } ? leaf(of: text) : nil
    }

    /// The name of a group by its distinguished name; nil for a rule or a right, which FreeIPA lists among the groups of a person.
    package static func group(of name: String) -> String? {
        let plain = name.lowercased().filter { $0 != " " }
        let isRule = ["pbac", "hbac", "sudo", "selinux"].contains { plain.contains(",cn=\($0),") }
        return isRule ? nil : leaf(of: name)
    }

    /// The value of a distinguished name's first part: `Staff` of `CN=Staff,DC=example` (RFC 4514).
    package static func leaf(of name: String) -> String? {
        guard let equals = name.firstIndex(of: "=") else { return nil }
        var (bytes, rest) = ([UInt8](), name[name.index(after: equals)...].utf8[...])
        while let byte = rest.popFirst(), byte != UInt8(ascii: ","), byte != UInt8(ascii: "+") {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            // Two digits, or the character itself.
            if let second = rest.first, let value = Hex.byte(escaped, second) {
                bytes.append(value)
                rest.removeFirst()
            } else {
                bytes.append(escaped)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.allSatisfy { $0 == " " } ? nil : text
    }
}
