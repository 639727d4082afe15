internal import TondoText

/// An `http` or `https` URL (RFC 3986), split as far as a client needs. Escapes stay as they are written.
package struct WebURL: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port: what credentials are meant for (RFC 6454 section 4).
    package struct Origin: Hashable, Sendable, CustomStringConvertible {
        /// True for https, false for http.
        package let isSecure: Bool
        /// In lower case and ASCII (RFC 5891); an IPv6 address with its brackets.
        package let host: String
        /// From 1 to 65,535; that of the scheme if the URL names none.
        package let port: Int

        /// `host`: in lower case already.
        package init(isSecure: Bool, host: String, port: Int) {
            self.isSecure = isSecure
            self.host = host
            self.port = port
        }

        package var description: String {
            let scheme = isSecure ? "https" : "http"
            return port == (isSecure ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
        }

        /// Whether the host names this machine beyond doubt (RFC 6761 section 6.3).
        package var isLoopback: Bool {
            host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" || Self.isLoopbackIPv4(host)
        }

        private static func isLoopbackIPv4(_ host: String) -> Bool {
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        }

        /// Whether credentials for this origin may go to another one: iCloud spreads an account over partitions.
        package func shares(with other: Origin) -> Bool {
            if self == other { return true }
            let areICloud = [self, other].allSatisfy {
                $0.isSecure && $0.port == 443 && ($0.host == "icloud.com" || $0.host.hasSuffix(".icloud.com"))
            }
            return areICloud
        }
    }

    /// Without a user: a URL with one is refused, since passwords in URLs end up in logs.
    package var origin: Origin
    /// Begins with a slash.
    package var path: String
    /// Without its question mark, escaped; nil: the URL has none.
    package var query: String?

    /// `path` and `query`: escaped already.
    package init(_ origin: Origin, path: String = "/", query: String? = nil) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// Nil for anything else, such as a URL with a user or password in it. Blanks and other characters that a URL cannot
    /// hold are escaped, since servers do write them.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https", text[colon...].hasPrefix("://") else { return nil }
        let rest = text[text.index(colon, offsetBy: 3)...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let origin = Self.origin(rest[..<end], isSecure: scheme == "https") else { return nil }
        let (path, query) = Self.split(rest[end...])
        self.init(origin, path: Self.withoutDots(path), query: query)
    }

    private static let longest = 8_192

    private static func origin(_ authority: Substring, isSecure: Bool) -> Origin? {
        // A password in a URL would be in each message that names the URL.
        guard !authority.contains("@") else { return nil }
        var host = authority
        var port = isSecure ? 443 : 80
        // The colons of an IPv6 address stand inside of its brackets, and that of a port behind them.
        let close = authority.lastIndex(of: "]")
        if let colon = authority.lastIndex(of: ":"), close.map({ $0 < colon }) ?? true {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            if !digits.isEmpty {
                guard let number = UInt16(digits), number > 0 else { return nil }
                port = Int(number)
            }
        }
        // The zone of an address of this network stands behind a percent sign (RFC 6874).
        let foreign = close == nil ? "/\\?#%<>\"^`{|}" : "/\\?#<>\"^`{|}"
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && !foreign.utf8.contains($0) }) else { return nil }
        return DomainName.ascii(host.lowercased()).map { Origin(isSecure: isSecure, host: $0, port: port) }
    }

    private static func split(_ rest: Substring) -> (path: String, query: String?) {
        // A fragment is never sent (RFC 9110 section 7.1).
        let plain = rest.prefix { $0 != "#" }
        let mark = plain.firstIndex(of: "?") ?? plain.endIndex
        let path = PercentEncoding.encode(String(plain[..<mark]), as: .link)
        let query = mark < plain.endIndex ? String(plain[plain.index(after: mark)...]) : nil
        return (path.isEmpty ? "/" : path, query.map { PercentEncoding.encode($0, as: .link) })
    }

    /// The URL of a reference in a document at this one (RFC 3986 section 5); nil for another scheme.
    package func resolve(_ reference: String) -> WebURL? {
        let reference = Self.trimmed(reference)
        if reference.isEmpty { return self }
        if let colon = reference.firstIndex(of: ":"), Self.isScheme(reference[..<colon]) { return WebURL(reference) }
        if reference.hasPrefix("//") { return WebURL((origin.isSecure ? "https:" : "http:") + reference) }
        if reference.hasPrefix("?") { return WebURL(origin, path: path, query: Self.split(reference[...]).query) }
        if reference.hasPrefix("#") { return self }
        var (path, query) = Self.split(reference[...])
        if !path.hasPrefix("/") {
            let folder = self.path.lastIndex(of: "/").map { self.path[...$0] } ?? "/"
            path = folder + path
        }
        return WebURL(origin, path: Self.withoutDots(path), query: query)
    }

    /// As `resolve`, for the path of a member of a collection: it has neither fragment nor query, so the signs of these are of a name
    /// that the server did not escape.
    func resolve(member reference: String) -> WebURL? {
        resolve(reference.replacing("#", with: "%23").replacing("?", with: "%3F"))
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    private static func trimmed(_ text: String) -> String {
        let blank: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
        let head = text.drop(while: blank)
        return String(head.reversed().drop(while: blank).reversed())
    }

    /// RFC 3986 section 5.2.4.
    private static func withoutDots(_ path: String) -> String {
        guard path.contains("/.") else { return path }
        var parts: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { parts.append("") }
            case "..":
                _ = parts.popLast()
                if isLast { parts.append("") }
            default: parts.append(segment)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// With a slash at the end of its path.
    var folder: WebURL { path.hasSuffix("/") ? self : WebURL(origin, path: path + "/", query: query) }

    package var description: String { "\(origin)\(path)" + (query.map { "?\($0)" } ?? "") }
}
