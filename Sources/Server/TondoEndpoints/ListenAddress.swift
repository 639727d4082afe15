/// An address the service listens on.
///
/// ```swift
/// let addresses = ["127.0.0.1:7380", "[::1]:7380", ":8080"].compactMap { ListenAddress(tcp: $0) }
/// print(addresses.map(\.description))
/// ```
package enum ListenAddress: Hashable, Sendable {
    /// A name or an address without brackets, and a port; 0 lets the system choose.
    case tcp(host: String, port: Int)
    /// The path of a Unix socket.
    case unix(path: String)

    /// The longest path of a Unix socket in bytes, without the final zero (unix(7)).
    package static let longestPath = 107

    /// Reads `HOST:PORT`, `[ADDRESS]:PORT` with an IPv6 address, or `:PORT` and `*:PORT` for every address of this machine.
    package init?(tcp text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(digits) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.contains(where: { $0 == "/" || $0 == "[" || $0 == "]" || $0.isWhitespace }) else { return nil }
        self = .tcp(host: host.isEmpty || host == "*" ? "::" : String(host), port: Int(port))
    }

    /// Why a text is no address with a port, or no URL of one; nil: another reason than its port.
    package static func refusal(ofPortIn text: String) -> String? {
        let digits = text.split(separator: ":", omittingEmptySubsequences: false).last?.prefix {
            $0.isASCII && $0.isNumber
        }
        return digits?.isEmpty == false && digits.flatMap { UInt16($0) } == nil ? "a port above \(UInt16.max)" : nil
    }

    /// Nil when the path is empty, too long, or holds a zero byte.
    package init?(unix path: String) {
        guard !path.isEmpty, path.utf8.count <= Self.longestPath, !path.utf8.contains(0) else { return nil }
        self = .unix(path: path)
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
