internal import HTTPTypes
internal import TondoEndpoints

/// The permission for pages of all origins to read a response (WHATWG Fetch 3.3).
///
/// Avatars by the hash of a mail address have it, and so do answers of WebFinger, as RFC 7033 section 5 wants it; nothing else does.
/// They are public without a token or a cookie, and pages need it to draw them to a canvas, or to fetch them and distinguish a 404.
enum PublicOrigin {
    static let field = (name: "Access-Control-Allow-Origin", value: "*")

    /// Whether the response to a request has the field. A page elsewhere must not learn from the service of this machine
    /// which addresses its user knows: browsers that send no `Sec-Fetch-Site` still send `Origin` with such a request.
    static func isGiven(to request: RequestGuard.Credentials) -> Bool {
        guard ServiceArea.isAvatar(request.path) || ServiceArea.isWebFinger(request.path) else { return false }
        return !request.isLocal || !(request.fetchSite == "cross-site" || isElsewhere(request.origin))
    }

    /// The scheme of addresses that clients elsewhere get. `host`: the field of a request. A proxy says it in X-Forwarded-Proto, whose
    /// first word is of the client. Without it, public services are behind TLS, but for one that is named with its own port.
    static func scheme(of host: String, fields: HTTPFields) -> String {
        let said = fields[HTTPField.Name("X-Forwarded-Proto")!]?.prefix { $0 != "," }.filter { $0 != " " }.lowercased()
        if let said, ["http", "https"].contains(said) { return said }
        let isLoopback = HostName.name(host).map { HostName.isLoopback($0) } ?? false
        let isProxied = fields.contains { ProxyHeaders.isProxyHeader($0.name.rawName) }
        let hasOwnPort = HostName.hasPort(host) && !host.hasSuffix(":443")
        return isLoopback || hasOwnPort && !isProxied ? "http" : "https"
    }

    /// Whether `origin` is a page that does not come from this machine. `null` is one: any page can have it.
    static func isElsewhere(_ origin: String?) -> Bool {
        guard let origin else { return false }
        guard let slashes = origin.firstRange(of: "://") else { return true }
        return HostName.name(String(origin[slashes.upperBound...])).map { !HostName.isLoopback($0) } ?? true
    }
}
