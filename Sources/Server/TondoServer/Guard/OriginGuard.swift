internal import NIOHTTP1
internal import TondoEndpoints

/// Refuses requests that pages of other sites make a browser send.
///
/// Programs send none of these fields. A browser sends `Sec-Fetch-Site` with every request (Fetch metadata, W3C), and
/// `Origin` with requests that change data (WHATWG Fetch 3.1).
package enum OriginGuard {
    /// 403, for a request to read as for one to change data.
    package static let problem = ProblemDetails(
        .forbidden, code: "cross-site", detail: "Requests from other sites are refused.")

    /// Whether a request that changes data may pass.
    package static func allows(origin: String?, fetchSite: String?, host: String?) -> Bool {
        // `none`: the user opened the address, and no page did.
        if let fetchSite, fetchSite != "same-origin", fetchSite != "none" { return false }
        guard let origin else { return true }
        guard let host, let name = HostName.name(host) else { return false }
        // `null`, and any scheme that a page of this service cannot have, is another origin.
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            let other = String(origin.dropFirst(scheme.utf8.count)).lowercased()
            return HostName.name(other) == name && port(of: other, scheme) == port(of: host, scheme)
        }
        return false
    }

    /// Whether a method changes no data (RFC 9110 9.2.1).
    package static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    private static func port(of host: String, _ scheme: String) -> UInt16 {
        let digits = host.drop { $0 != "]" }.isEmpty ? host[...] : host.drop { $0 != "]" }
        let port = digits.firstIndex(of: ":").flatMap { UInt16(digits[digits.index(after: $0)...]) }
        return port ?? (scheme == "https://" ? 443 : 80)
    }
}
