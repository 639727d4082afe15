internal import NIOHTTP1

/// The allowed host names of requests.
///
/// A page of a stranger can make a browser resolve the stranger's own name to this machine (DNS rebinding); then the
/// browser treats the responses as the page's own. The name in `Host` reveals it.
package struct HostGuard: Equatable, Sendable {
    private let names: Set<String>

    /// `configured`: names besides loopback names, without ports.
    package init(configured: [String] = []) { names = Set(configured.compactMap(Self.name)) }

    package static let problem = ProblemDetails(
        .misdirectedRequest, code: "unknown-host",
        detail: "The Host field names an unknown host; --host or the setting hosts adds it.")

    /// `host`: the raw field, with or without port; nil if there is none, which HTTP/1.0 permits.
    package func allows(_ host: String?) -> Bool {
        guard let host else { return true }
        guard let name = Self.name(host) else { return false }
        return Self.isLoopback(name) || names.contains(name)
    }

    /// `localhost` and names below it (RFC 6761 6.3), 127.0.0.0/8 and ::1.
    package static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        // An ambiguous spelling like 127.0.0.08 is not accepted.
        return parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    /// Whether a host name is followed by a port.
    package static func hasPort(_ host: String) -> Bool {
        (host.first == "[" ? host.drop { $0 != "]" } : host[...]).contains(":")
    }

    /// In lower case, without port and final dot; nil if it is not a name.
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
        let isName = name.utf8.allSatisfy {
            0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        return isName && !name.isEmpty ? String(name) : nil
    }

    /// A colon without digits is a port, too (RFC 3986 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text == ":"
            || text.first == ":" && UInt16(text.dropFirst()) != nil && text.dropFirst().first != "+"
    }
}
