internal import NIOHTTP1
package import TondoEndpoints

/// Decides which request may read or change which data: the one place that combines host, origin, peer and token, for
/// the fast path and the router.
///
/// A request is local if its connection comes over loopback or the Unix socket, its `Host` is a loopback name, and no
/// field shows a proxy. All others count as requests from other machines, wherever the connection ends: they can read
/// `/avatar/HASH`, `/healthz`, `/readyz`, `/favicon.ico`, `/robots.txt` and the areas that the setting `public` opens, and need the token for all
/// other paths. Over the listener for phones, only the page and the exchange of its code need none.
package struct RequestGuard: Sendable {
    /// The parts of a request that decide. Raw fields; nil if there were none.
    package struct Credentials: Equatable, Sendable {
        /// As it was sent: letter case counts (RFC 9110 9.1).
        package var method: String
        /// Path and query.
        package var target: String
        package var host: RequestHost?
        /// `Origin`, which browsers send with requests that change data.
        package var origin: String?
        /// `Sec-Fetch-Site`, which only browsers send, and which no page can set.
        package var fetchSite: String?
        /// The browser opens a page, and does not load a part of one (`Sec-Fetch-Mode` and `Sec-Fetch-Dest`).
        package var isNavigation = false
        /// `Authorization`, with the access token or that of a session.
        package var authorization: String?
        /// Where the connection comes from: the peer may be a proxy, see `isForwarded`.
        package var connection: ConnectionPeer
        /// A proxy forwarded it, see `ProxyHeaders`.
        package var isForwarded = false
        /// The peer of a Unix socket, whose user the kernel guarantees.
        package var peer: PeerCredentials?

        package init(
            method: String, target: String = "/", host: String? = nil, origin: String? = nil, fetchSite: String? = nil,
            authorization: String? = nil, connection: ConnectionPeer = .loopback, isForwarded: Bool = false,
            peer: PeerCredentials? = nil
        ) {
            self.method = method
            self.target = target
            self.host = host.map { RequestHost($0) }
            self.origin = origin
            self.fetchSite = fetchSite
            self.authorization = authorization
            self.peer = peer
            self.connection = connection
            self.isForwarded = isForwarded
        }

        /// Without the query.
        var path: Substring { target.prefix { $0 != "?" } }

        var isLocal: Bool {
            // HTTP/1.0 may come without a host name.
            connection.isOwnMachine && !isForwarded && host?.isLoopback ?? true
        }

        var isFromPhone: Bool { if case .phone = connection { true } else { false } }

        /// A phone came to the address that the connection has. It is no name, so no stranger can have made it lead here.
        fileprivate var hasOwnAddress: Bool {
            if case .phone(let own) = connection { host?.name == own } else { false }
        }
    }

    private let hosts: HostGuard
    private let token: AccessToken?
    private let open: Set<ServiceArea>
    /// Their tokens are valid like the access token, but give no further sessions, except on a phone
    /// to a user of this machine.
    let sessions: Sessions
    let phone: PhoneListener

    /// Without a token nothing can be changed, except over the Unix socket and in sessions, and other machines can read
    /// only open paths. `open`: areas readable without the token.
    package init(
        hosts: HostGuard, token: AccessToken?, open: Set<ServiceArea> = [], sessions: Sessions = Sessions(),
        phone: PhoneListener = PhoneListener()
    ) {
        self.hosts = hosts
        self.token = token
        self.open = open
        self.sessions = sessions
        self.phone = phone
    }

    /// Why the request is refused; nil if it may pass.
    package func problem(_ request: Credentials) -> ProblemDetails? {
        problem(seeing: request) ?? (OriginGuard.isSafe(request.method) ? nil : problem(changing: request))
    }

    /// Why the request may not learn whether its path exists.
    func problem(seeing request: Credentials) -> ProblemDetails? {
        // First: a page that reaches this machine by its own name must learn nothing else.
        guard hosts.allows(request.host) || request.hasOwnAddress else { return HostGuard.problem }
        guard request.isLocal else { return isOpen(to: request) || isHeld(request) ? nil : AccessToken.problem }
        // Any site may link to the page; opening the link shows the linking page nothing.
        let isVisit = request.isNavigation && request.path == "/"
        return request.fetchSite == "cross-site" && !isVisit ? OriginGuard.problem : nil
    }

    /// Why the request may not change data that it may read.
    func problem(changing request: Credentials) -> ProblemDetails? {
        guard OriginGuard.allows(origin: request.origin, fetchSite: request.fetchSite, host: request.host?.field) else {
            return OriginGuard.problem
        }
        // The code is the right to a session, which its token ends; to get avatars changes nothing.
        if request.path == "/v1/session" {
            return request.method == "POST" || isHeld(request) ? nil : AccessToken.problem
        }
        if request.path == "/v1/avatars" { return nil }
        if request.isLocal, request.peer?.mayChange() == true { return nil }
        // A session lets a phone in where its user sits, and nowhere else.
        if request.path == "/v1/session/phone", !request.isLocal { return Self.notHere }
        let isAllowed = request.path == "/v1/session/codes" ? isOwner(request) : isHeld(request)
        return isAllowed ? nil : AccessToken.problem
    }

    /// Whether pages of other sites may embed the response: only for paths that are open to other machines, and not for
    /// the viewer, which is not a part of other pages.
    func allowsOtherOrigins(_ request: Credentials) -> Bool {
        !request.isLocal && isOpen(to: request) && ServiceArea(path: request.path) != .viewer
    }

    private func isOpen(to request: Credentials) -> Bool {
        guard request.isFromPhone else { return isOpen(request.path) }
        if ServiceArea.isUnasked(request.path) { return true }
        // The page that a link leads to, not the one whose address was typed: that one has no code.
        return ServiceArea(path: request.path) == .viewer && request.path != "/"
    }

    /// 403: the token may do it on the machine of the service alone.
    private static let notHere = ProblemDetails(
        .forbidden, code: "own-machine", detail: "Only the machine of the service itself may do this.")

    private func isOpen(_ path: Substring) -> Bool {
        if ServiceArea.isAlwaysOpen(path) { return true }
        if open.isEmpty { return false }
        let needed = ServiceArea.needed(for: path)
        return !needed.isEmpty && needed.allSatisfy(open.contains)
    }

    private func isHeld(_ request: Credentials) -> Bool {
        isOwner(request) || sessions.isHeld(by: request.authorization)
    }

    private func isOwner(_ request: Credentials) -> Bool { token?.isHeld(by: request.authorization) == true }
}
