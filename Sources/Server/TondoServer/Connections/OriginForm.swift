internal import NIOHTTP1
internal import TondoEndpoints

extension HTTPRequestHead {
    /// The request as clients send it to a server, if it came as they send it to a proxy: `GET http://host/path` becomes
    /// `GET /path`, and the host of the target replaces the `Host` field (RFC 9112 3.2.2). Other requests stay as they are,
    /// also those that are refused: without a host, with a user name, or with no `Host` field or several.
    var inOriginForm: HTTPRequestHead {
        guard uri.utf8.first != 0x2F, uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return self }
        let start = uri.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return self }
        let rest = uri.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let hosts = headers["Host"].count
        guard HostName.name(String(authority)) != nil, hosts == 1 || hosts == 0 && version.minor == 0 else {
            return self
        }
        var head = self
        let path = rest.dropFirst(authority.count)
        head.uri = path.first == "/" ? String(path) : "/" + path
        head.headers.replaceOrAdd(name: "Host", value: String(authority))
        return head
    }
}
