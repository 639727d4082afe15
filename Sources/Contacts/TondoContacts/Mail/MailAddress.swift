internal import TondoText

/// A mail address of a contact in the forms that clients hash.
///
/// Books hold addresses as people and programs wrote them: with a display name, as a `mailto:` URL, with invisible
/// characters of a text they were copied from, with the domain in Unicode or in ASCII. A client hashes what it has.
package struct MailAddress: Sendable {
    /// Without surrounding blanks, the first in lower case, as the interface says; then as it is written, since many clients
    /// forget that. Empty if the text is no mail address.
    package let forms: [String]

    package init(_ text: String) {
        let written = Self.plain(text)
        let lower = written.lowercased()
        guard let at = lower.lastIndex(of: "@"), at != lower.startIndex, lower.index(after: at) != lower.endIndex else {
            forms = []
            return
        }
        let (local, domain) = (lower[..<at], lower[lower.index(after: at)...])
        var forms = [lower]
        if written != lower { forms.append(written) }
        let others = DomainName.isInternational(domain) ? [DomainName.ascii(domain), DomainName.unicode(domain)] : []
        for case let other? in others where other != domain { forms.append("\(local)@\(other)") }
        self.forms = forms
    }

    /// The addresses of a text that may have several, between semicolons, commas, blanks and other signs. Other text is one address.
    static func several(in text: String) -> [String] {
        if isPlain(text), text.utf8.contains(UInt8(ascii: "@")) { return text.isPlaceholder ? [] : [text] }
        return text.isPlaceholder
            ? []
            : parts(of: text).compactMap { part in
                // The name of a mailbox inside of Exchange, which no other program knows.
                if ["/o=", "ex:/", "x500:", "x400:", "spo:"].contains(where: { ASCII.has($0, in: part) }) {
                    return nil
                }
                let address = plain(part)
                return (address.contains("@") ? address : part).filled
            }
    }

    /// Between two addresses.
    private static let words: Set = ["or", "and", "&", "+", "oder", "und", "ou", "et", "o", "y", "e", "или", "и"]

    private static func parts(of text: String) -> [String] {
        guard text.utf8.count(where: { $0 == UInt8(ascii: "@") }) > 1 else { return [text] }
        for separators in [";\n\r\n；、，", "|/", ",", " "] {
            let parts = text.split { separators.contains($0) }.map { part in
                part.split(separator: " ").filter { !words.contains($0.lowercased()) }.joined(separator: " ").trimmed
            }.filter { !$0.isEmpty }
            if parts.count > 1, parts.allSatisfy({ $0.contains("@") }) { return parts }
        }
        // Names may have separators, too.
        let bracketed = text.split(separator: ">").filter { $0.contains("<") && $0.contains("@") }
        return bracketed.count > 1 ? bracketed.map { "\($0)>" } : [text]
    }

    /// As it is written, without all that is not the address.
    static func plain(_ text: String) -> String {
        if isPlain(text) { return text }
        // Format characters have no place in an address: a text that is copied from a window of contacts brings marks of the
        // writing direction along, and line breaks of zero width.
        var address = trimmed(text[...])
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            let scalars = text.unicodeScalars.lazy.filter { $0.properties.generalCategory != .format }
                .map { $0 == "\u{FF20}" ? "@" : $0 }
            address = trimmed(String(String.UnicodeScalarView(scalars))[...])
        }
        // A link of Markdown: `[ada@example.org](mailto:ada@example.org)`; others escape the brackets around an address.
        if let end = address.firstRange(of: "](") { address = address[end.upperBound...].prefix { $0 != ")" } }
        if !address.contains("\"") { address.removeAll { $0 == "\\" } }
        // "Ada Example <ada@example.org>" (RFC 5322 3.4).
        if address.last == ">", let start = address.lastIndex(of: "<") {
            address = trimmed(address[address.index(after: start)...].dropLast())
        }
        if address.prefix(7).lowercased() == "mailto:" {
            // RFC 6068 2: percent-encoded.
            let part = address.dropFirst(7)
            address = PercentEncoding.decodeStrictly(part.utf8).map { trimmed($0[...]) } ?? trimmed(part)
        }
        // As Exchange and Active Directory name the kind of an address.
        if address.prefix(5).lowercased() == "smtp:" { address = address.dropFirst(5) }
        // Fields of the message, which a reader that drops the scheme leaves. No domain has a question mark.
        if let at = address.lastIndex(of: "@"), let end = address[at...].firstIndex(of: "?") {
            address = address[..<end]
        }
        while let last = address.last, ";,.".contains(last) { address.removeLast() }
        address = withoutComment(address)
        // Outlook's quotes around an address that has no name.
        if let quote = address.first, "'\"".contains(quote), address.count > 2, address.last == quote {
            address = address.dropFirst().dropLast()
        }
        // Blanks stand in quoted names alone (RFC 5322 3.2.4), which nearly no address has.
        return address.contains("\"") ? String(address) : address.filter { !$0.isWhitespace }
    }

    /// Whether there is nothing in it that could be left out, as in most addresses.
    private static func isPlain(_ text: String) -> Bool { plain.holds(text) && text.utf8.last != UInt8(ascii: ".") }

    private static let plain = ASCIISet("@.-_+0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// Without a name in quotes or brackets before or behind the address (RFC 5322 3.2.2). A quoted local part has no blank
    /// behind it.
    private static func withoutComment(_ address: Substring) -> Substring {
        if address.last == ")", let start = address.firstIndex(of: "("), address[..<start].contains("@") {
            return trimmed(address[..<start])
        }
        let closing: Character? = address.first == "(" ? ")" : address.first == "\"" ? "\"" : nil
        guard let closing, let end = address.dropFirst().firstIndex(of: closing) else { return address }
        let rest = address[address.index(after: end)...]
        let isAddress = rest.contains("@") && rest.first != "@" && (closing == ")" || rest.first?.isWhitespace == true)
        return isAddress ? trimmed(rest) : address
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
