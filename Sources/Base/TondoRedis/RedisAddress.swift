/// Where a Redis listens, and as which user Tondo speaks to it.
///
/// Only Unix sockets and loopback: hiredis has no TLS, so a Redis on another machine is reached through a local proxy.
package struct RedisAddress: Sendable, Hashable {
    /// What a socket connects to. No name is resolved, so connecting never waits for DNS.
    package enum Endpoint: Sendable, Hashable {
        /// An absolute path, 107 bytes at most (unix(7)).
        case unix(String)
        /// An address of the loopback interface.
        case loopback(Loopback, port: UInt16)
    }

    /// The loopback addresses of IPv4 and IPv6.
    package enum Loopback: String, Sendable {
        case version4 = "127.0.0.1"
        case version6 = "::1"
    }

    package var endpoint: Endpoint
    /// Selected after connecting; 0 is Redis's default, for which no SELECT is sent.
    package var database = 0
    /// Nil: Redis's user `default`.
    package var user: String?
    /// Nil: no AUTH is sent.
    package var password: String?

    /// Database 0, without AUTH.
    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// Reads `unix:/PATH` and `tcp:HOST:PORT`, where HOST is `localhost`, `127.0.0.1` or `[::1]`.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // A zero would end the path early, and lead to another socket.
            guard path.hasPrefix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else { return nil }
            self.init(.unix(path))
        } else if text.hasPrefix("tcp:"), let colon = text.lastIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(digits), port > 0 else { return nil }
            switch text[..<colon].dropFirst(4) {
            case "localhost", "127.0.0.1": self.init(.loopback(.version4, port: port))
            case "[::1]": self.init(.loopback(.version6, port: port))
            default: return nil
            }
        } else {
            return nil
        }
    }
}

extension RedisAddress: CustomStringConvertible {
    /// Without the password.
    package var description: String {
        switch endpoint {
        case .unix(let path): "unix:\(path)"
        case .loopback(.version4, let port): "tcp:127.0.0.1:\(port)"
        case .loopback(.version6, let port): "tcp:[::1]:\(port)"
        }
    }
}

extension RedisAddress: CustomReflectable {
    /// A password must not get into a log by way of `dump`.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
