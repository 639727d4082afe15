internal import NIOHTTP1

/// Detects requests that a reverse proxy forwarded. The proxy may run on this machine: then the address of the peer
/// does not show where the request came from.
package enum ProxyHeaders {
    /// Whether proxies add a field of this name: `Forwarded` (RFC 7239), `Via` (RFC 9110 7.6.3), and their
    /// predecessors. `name`: in any letter case.
    package static func isProxyHeader(_ name: some StringProtocol) -> Bool {
        switch name.utf8.count {
        case 3: isEqual(name, lower: "via")
        case 9: isEqual(name, lower: "forwarded") || isEqual(name, lower: "x-real-ip")
        case 11: isEqual(name, lower: "x-client-ip")
        case 14: isEqual(name, lower: "true-client-ip")
        case 16: isEqual(name, lower: "cf-connecting-ip") || hasPrefix(name, lower: "x-forwarded-")
        case 12...: hasPrefix(name, lower: "x-forwarded-")
        default: false
        }
    }

    /// Adds the `Via` that nginx leaves out: with a bare `proxy_pass` it sends HTTP/1.0 with `Connection: close`, the
    /// upstream's name as `Host`, and no other field. Clients have no reason to send `Connection: close` with HTTP/1.0,
    /// since it is the default.
    static func mark(_ head: inout HTTPRequestHead) {
        guard head.version.minor == 0, !head.isKeepAlive else { return }
        let options = head.headers[canonicalForm: "Connection"]
        guard options.contains(where: { $0.lowercased() == "close" }) else { return }
        head.headers.add(name: "Via", value: "1.0 unnamed")
    }

    private static func hasPrefix(_ name: some StringProtocol, lower: StaticString) -> Bool {
        lower.withUTF8Buffer { lower in
            name.utf8.count >= lower.count && zip(name.utf8, lower).allSatisfy { $0 | 0x20 == $1 }
        }
    }

    /// `lower`: lower-case letters and hyphens, whose bit 0x20 is set.
    private static func isEqual(_ name: some StringProtocol, lower: StaticString) -> Bool {
        name.utf8.count == lower.utf8CodeUnitCount && hasPrefix(name, lower: lower)
    }
}
