internal import TondoText

/// Host names as `Host` fields, settings and URLs spell them.
package enum HostName {
    /// `localhost` and names below it (RFC 6761 6.3), 127.0.0.0/8 and ::1.
    package static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
        guard name.hasPrefix("127.") else { return false }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        // An ambiguous spelling like 127.0.0.08 is not accepted.
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    /// Whether a host name is followed by a port.
    package static func hasPort(_ host: String) -> Bool {
        (host.first == "[" ? host.drop { $0 != "]" } : host[...]).contains(":")
    }

    /// In lower case and ASCII, without port and final dot; nil if it is not a name.
    ///
    /// ```swift
    /// print(HostName.name("Avatars.Example.org:8080") ?? "none")
    /// ```
    package static func name(_ host: String) -> String? {
        var name = host.lowercased()[...]
        if name.first == "[" {
            guard let end = name.firstIndex(of: "]") else { return nil }
            guard isPort(name[name.index(after: end)...]) else { return nil }
            return String(name[...end])
        }
        if let colon = name.firstIndex(of: ":") {
            guard isPort(name[colon...]) else { return nil }
            name = name[..<colon]
        }
        if name.last == "." { name.removeLast() }
        // Clients send the other form (RFC 5891).
        guard let ascii = DomainName.ascii(name) else { return nil }
        name = ascii[...]
        let isName = name.utf8.allSatisfy {
            0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        // A dot in front means all names below a domain elsewhere, and would be none here.
        return isName && !name.isEmpty && !name.hasPrefix(".") ? String(name) : nil
    }

    /// A colon without digits is a port, too (RFC 3986 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text == ":"
            || text.first == ":" && UInt16(text.dropFirst()) != nil && text.dropFirst().first != "+"
    }
}
