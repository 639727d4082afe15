/// Who may ask for what: the one place that puts host, origin and token together, in front of the door and behind it.
package struct RequestGuard: Sendable {
    /// What of a request decides. Fields as they came, nil when there were none.
    package struct Credentials: Equatable, Sendable {
        package var method: String
        package var host: String?
        package var origin: String?
        package var fetchSite: String?
        package var authorization: String?
        /// At the other end of a Unix socket, whose user the kernel vouches for.
        package var peer: PeerCredentials?

        package init(
            method: String, host: String? = nil, origin: String? = nil, fetchSite: String? = nil,
            authorization: String? = nil, peer: PeerCredentials? = nil
        ) {
            (self.method, self.host, self.origin) = (method, host, origin)
            (self.fetchSite, self.authorization, self.peer) = (fetchSite, authorization, peer)
        }
    }

    private let hosts: HostGuard
    private let token: AccessToken?

    /// Without a token nobody changes anything, except over the Unix socket.
    package init(hosts: HostGuard, token: AccessToken?) { (self.hosts, self.token) = (hosts, token) }

    /// Why the request is refused; nil when it may pass.
    package func problem(_ request: Credentials) -> ProblemDetails? {
        guard hosts.allows(request.host) else { return HostGuard.problem }
        if OriginGuard.isSafe(request.method) { return nil }
        guard OriginGuard.allows(origin: request.origin, fetchSite: request.fetchSite, host: request.host) else {
            return OriginGuard.problem
        }
        if request.peer?.mayChange() == true { return nil }
        return token?.isHeld(by: request.authorization) == true ? nil : AccessToken.problem
    }
}
