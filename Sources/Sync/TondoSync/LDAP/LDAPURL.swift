internal import TondoText

/// A URL of people in a directory (RFC 4516): server, base, attributes, scope and filter.
///
///     ldaps://host:port/base?attributes?scope?filter
///     ldaps://host/base?(filter)
///
/// The second form is Tondo's: a filter is recognised by its parenthesis, which no list of attributes starts with. Without
/// a scope all entries below the base are meant, because RFC 4516's default, the base alone, is not a book.
package struct LDAPURL: Equatable, Sendable {
    /// `ldapi` is a Unix socket, an extension of OpenLDAP.
    package enum Scheme: String, Sendable { case ldap, ldaps, ldapi }

    /// The number in a request (RFC 4511 section 4.5.1.2).
    package enum Scope: Int32, Sendable { case base, one, sub }

    /// `ldap` may be encrypted nevertheless, see `DirectoryServer.startsTLS`.
    package var scheme: Scheme
    /// With the brackets of an IPv6 address; for `ldapi` the percent-encoded path of the socket.
    package var host: String
    /// Nil: the scheme's own.
    package var port: Int?
    /// The distinguished name, decoded; empty: the root of the directory.
    package var base: String
    /// Empty: those that a card is made of.
    package var attributes: [String] = []
    /// How far below `base` people may lie.
    package var scope = Scope.sub
    /// Nil: all people, see `DirectoryFeatures`.
    package var filter: String?

    /// Why a URL cannot be used.
    package struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// One clause in English without the URL itself, which may hold a password.
        package let description: String
        init(_ description: String) { self.description = description }
    }

    /// The longest URL that is read.
    private static let longest = 8192

    /// Throws a `Problem` for the first part that is malformed; nothing is resolved or connected.
    package init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.longest else { throw Problem("the URL is longer than \(Self.longest) bytes") }
        // Blanks need no escape: people copy base and filter from other programs.
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Problem("the URL contains a control character")
        }
        let word = text.prefix { $0 != ":" }
        guard let scheme = Scheme(rawValue: word.lowercased()), text[word.endIndex...].hasPrefix("://") else {
            throw Problem("the URL does not begin with ldap://, ldaps:// or ldapi://")
        }
        let rest = text[word.endIndex...].dropFirst(3)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        (host, port) = try Self.server(rest[..<end], scheme: scheme)
        self.scheme = scheme
        let path = rest[end...].drop { $0 == "/" }
        var parts = path.split(separator: "?", omittingEmptySubsequences: false).map(String.init)
        let name = parts.isEmpty ? "" : parts.removeFirst()
        // A slash ends URLs of other kinds, and no name.
        base = try Self.decoded(name.hasSuffix("/") ? String(name.dropLast()) : name, part: "base")
        try take(parts)
    }

    private mutating func take(_ parts: [String]) throws(Problem) {
        if let first = parts.first, try Self.decoded(first, part: "filter").hasPrefix("(") {
            guard parts.count == 1 else { throw Problem("the URL has a part after the filter") }
            filter = try Self.checked(filter: Self.decoded(first, part: "filter"))
            return
        }
        guard parts.count <= 4 else {
            throw Problem("the URL has more parts than attributes, scope, filter, extensions")
        }
        func part(_ index: Int) -> String? { parts.count > index && !parts[index].isEmpty ? parts[index] : nil }
        let names = part(0)?.split(separator: ",") ?? []
        // All that the user may read (RFC 4516 section 2.1), as without names.
        if !names.contains("*") { attributes = try names.map { name throws(Problem) in try Self.attribute(name) } }
        if let word = part(1) {
            // The long words are those of other programs.
            let scopes: [String: Scope] = [
                "base": .base, "one": .one, "onelevel": .one, "sub": .sub, "subtree": .sub,
            ]
            guard let scope = scopes[word.lowercased()] else { throw Problem("the scope is not base, one or sub") }
            self.scope = scope
        }
        if let text = part(2) { filter = try Self.checked(filter: Self.decoded(text, part: "filter")) }
        // A critical extension that is not known must not be ignored (RFC 4516 section 2.8).
        if let critical = part(3)?.split(separator: ",").first(where: { $0.hasPrefix("!") }) {
            throw Problem("the URL demands an extension that is not supported: \(critical.prefix(40))")
        }
    }

    private static func server(_ text: Substring, scheme: Scheme) throws(Problem) -> (String, Int?) {
        if text.contains("@") { throw Problem("the URL contains a user; write it as user = \"...\"") }
        if scheme == .ldapi { return (String(text), nil) }
        guard !text.isEmpty else { throw Problem("the URL names no server") }
        let isAddress = text.hasPrefix("[")
        let hostEnd = isAddress ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.lastIndex(of: ":")
        guard let end = hostEnd ?? (isAddress ? nil : text.endIndex) else {
            throw Problem("the address of the server has no closing bracket")
        }
        let (host, rest) = (text[..<end], text[end...])
        let isPlain = host.utf8.allSatisfy {
            0x30...0x3A ~= $0 || 0x41...0x5B ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5D || $0 == 0x2D || $0 == 0x2E
                || $0 == 0x5F || $0 >= 0x80
        }
        guard !host.isEmpty, isPlain, isAddress || !host.contains(":") else {
            throw Problem("the name of the server is malformed")
        }
        // Name servers and certificates have no other form (RFC 5891).
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 }
        let name = DomainName.ascii(isASCII ? String(host) : host.lowercased()) ?? String(host)
        if rest.isEmpty { return (name, nil) }
        guard rest.hasPrefix(":"), let port = Int(rest.dropFirst()), 1...65_535 ~= port else {
            throw Problem("the port is not a number from 1 to 65535")
        }
        return (name, port)
    }

    private static func decoded(_ text: String, part: String) throws(Problem) -> String {
        guard let decoded = PercentEncoding.decodeStrictly(text.utf8), !decoded.utf8.contains(0) else {
            throw Problem("the \(part) has an invalid percent-encoding")
        }
        return decoded
    }

    private static func attribute(_ text: Substring) throws(Problem) -> String {
        let name = String(text)
        let isName = name.utf8.allSatisfy {
            0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x2E || $0 == 0x3B
        }
        guard isName, !name.isEmpty else { throw Problem("an attribute's name is malformed") }
        // libldap's and servers' answer to it is no photo at all.
        if name.lowercased().hasSuffix(";binary") { throw Problem("write \(name.dropLast(7)) without ;binary") }
        return name
    }

    /// The server parses it; this finds what would change the meaning of a filter around it.
    private static func checked(filter: String) throws(Problem) -> String {
        let filter = filter.hasPrefix("(") ? filter : "(\(filter))"
        var depth = 0
        for (index, byte) in filter.utf8.enumerated() {
            depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
            if depth < 0 || depth > 100 || depth == 0 && index != filter.utf8.count - 1 {
                throw Problem("the parentheses of the filter do not match")
            }
        }
        guard depth == 0 else { throw Problem("the parentheses of the filter do not match") }
        return filter
    }
}

extension LDAPURL {
    /// What libldap connects to.
    package var server: String { "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// Nothing leaves this machine.
    package var isLocal: Bool {
        if scheme == .ldapi { return true }
        let name = host.lowercased()
        return name == "localhost" || name == "[::1]" || Self.isLoopback(name)
    }

    /// 127.0.0.0/8, in the usual notation alone.
    private static func isLoopback(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
