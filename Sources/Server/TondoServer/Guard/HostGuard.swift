internal import NIOHTTP1
internal import TondoEndpoints

/// The allowed host names of requests.
///
/// A page of a stranger can make a browser resolve the stranger's own name to this machine (DNS rebinding); then the
/// browser treats the responses as the page's own. The name in `Host` reveals it.
package struct HostGuard: Equatable, Sendable {
    private let names: Set<String>

    /// `configured`: names besides loopback names, without ports.
    package init(configured: [String] = []) { names = Set(configured.compactMap(HostName.name)) }

    /// 421 (RFC 9110 15.5.20). The detail names the setting, because a name behind a proxy is often missing there.
    package static let problem = ProblemDetails(
        .misdirectedRequest, code: "unknown-host",
        detail: "The Host field names an unknown host; --host or the setting hosts adds it.")

    /// `host`: the raw field, with or without port; nil if there is none, which HTTP/1.0 permits.
    package func allows(_ host: String?) -> Bool {
        guard let host else { return true }
        guard let name = HostName.name(host) else { return false }
        return HostName.isLoopback(name) || names.contains(name)
    }
}
