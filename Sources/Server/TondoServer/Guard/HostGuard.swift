internal import NIOHTTP1
internal import TondoEndpoints

/// The `Host` field of a request: its name is asked for several times, and read once.
package struct RequestHost: Equatable, Sendable {
    /// As it was sent, with or without a port.
    let field: String
    /// See `HostName.name`; nil if the field has none.
    let name: String?
    /// See `HostName.isLoopback`.
    let isLoopback: Bool

    package init(_ field: String) {
        self.field = field
        name = HostName.name(field)
        isLoopback = name.map(HostName.isLoopback) ?? false
    }
}

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

    /// `host`: nil if there is none, which HTTP/1.0 permits.
    package func allows(_ host: RequestHost?) -> Bool {
        guard let host else { return true }
        return host.isLoopback || host.name.map(names.contains) ?? false
    }
}
