internal import NIOHTTP1

/// What shows that a request was passed on by a reverse proxy, which may itself run on this machine: then the peer's
/// address says nothing about where the request came from.
package enum ProxySigns {
    /// Whether a field of this name is one that proxies add: `Forwarded` (RFC 7239), `Via` (RFC 9110 7.6.3), and what
    /// came before them. `name`: in any letter case.
    package static func isSign(_ name: some StringProtocol) -> Bool {
        switch name.utf8.count {
        case 3: isEqual(name, "via")
        case 9: isEqual(name, "forwarded") || isEqual(name, "x-real-ip")
        case 11: isEqual(name, "x-client-ip")
        case 14: isEqual(name, "true-client-ip")
        case 16: isEqual(name, "cf-connecting-ip") || hasPrefix(name, "x-forwarded-")
        case 12...: hasPrefix(name, "x-forwarded-")
        default: false
        }
    }

    /// Adds the `Via` that nginx leaves out: with a bare `proxy_pass` it sends HTTP/1.0 with `Connection: close`, names
    /// the upstream as `Host`, and adds nothing else. Clients have no reason to say what HTTP/1.0 means anyway.
    static func mark(_ head: inout HTTPRequestHead) {
        guard head.version.minor == 0, !head.isKeepAlive else { return }
        let options = head.headers[canonicalForm: "Connection"]
        guard options.contains(where: { $0.lowercased() == "close" }) else { return }
        head.headers.add(name: "Via", value: "1.0 unnamed")
    }

    private static func hasPrefix(_ name: some StringProtocol, _ lower: StaticString) -> Bool {
        lower.withUTF8Buffer { lower in
            name.utf8.count >= lower.count && zip(name.utf8, lower).allSatisfy { $0 | 0x20 == $1 }
        }
    }

    /// `lower`: small letters and hyphens, whose bit 0x20 is set.
    private static func isEqual(_ name: some StringProtocol, _ lower: StaticString) -> Bool {
        name.utf8.count == lower.utf8CodeUnitCount && hasPrefix(name, lower)
    }
}
