internal import CCurl
internal import Synchronization

/// An HTTP/1.1 client for one source: blocking, on the thread of its caller, with a connection that is kept. Redirects keep
/// method and body; credentials stay with their origin. Not shared by threads.
package final class HTTPClient {
    /// What a client may do, set once for all of its requests.
    package struct Options {
        /// Nil: requests are anonymous, and a 401 is returned as it is.
        package var credentials: Credentials?
        /// For https; plain http uses `loopback` instead, unless `isInsecure`.
        package var policy = AddressPolicy.any
        /// Permits plain http beyond this machine, which shows password and contacts on the way.
        package var isInsecure = false
        /// A file in PEM instead of the system's certificates.
        package var certificates: String?
        /// Balancers keep a client at one server by a cookie, since another one may not know its tokens. Cookies end with the client.
        package var keepsCookies = false
        /// Followed redirects of one request; one more throws `tooManyRedirects`.
        package var redirects = 5
        /// Addresses of hosts instead of the system's, each `HOST:PORT:ADDRESS`: for tests.
        package var addresses: [String] = []
        /// Fetches another token after a 401, once.
        package var renew: (() throws -> Secret)?
        /// Answers requests instead of the network: for tests.
        package var server: ((HTTPRequest) throws -> HTTPResponse)?
        /// Asked at least once a second while an exchange runs.
        package var isCancelled: () -> Bool = { false }

        package init() {}
    }

    private var options: Options
    private var session: OpaquePointer?
    private var hasRenewed = false
    /// Origins that credentials are meant for beside their own.
    package private(set) var trusted: Set<WebURL.Origin> = []
    /// Digest has a challenge to answer, so that requests carry their bodies at once.
    private var isChallenged = false
    /// Requests that were sent, redirects and repeated ones included.
    package private(set) var requests = 0

    private static let isPrepared = ccurl_prepare() == 0

    /// Connects to nothing yet.
    package convenience init(options: Options) { self.init(options: options, like: nil) }

    private init(options: Options, like other: OpaquePointer?) {
        self.options = options
        session = Self.isPrepared ? ccurl_open(options.keepsCookies ? 1 : 0, other) : nil
    }

    deinit { session.map(ccurl_close) }

    /// Another client that knows the credentials, cookies and servers of this one, for another thread. Its exchanges end when
    /// `isOver`.
    func another(until isOver: @escaping () -> Bool) -> HTTPClient {
        var options = options
        let isCancelled = options.isCancelled
        options.isCancelled = { isCancelled() || isOver() }
        let other = HTTPClient(options: options, like: session)
        other.trusted = trusted
        other.hasRenewed = hasRenewed
        return other
    }

    /// Closes the connection that is kept; the next request makes another one.
    func disconnect() {
        let former = session
        session = ccurl_open(options.keepsCookies ? 1 : 0, former)
        former.map(ccurl_close)
        // libcurl keeps the nonce of Digest with the session that was closed.
        isChallenged = false
    }

    /// Credentials go to this origin, too: a server that the domain of the account names. It needs TLS.
    package func trust(_ origin: WebURL.Origin) { if origin.isSecure { trusted.insert(origin) } }

    /// Sends a request and follows redirects. A status is no error. `stream`: gets the body of a response whose status
    /// `streams` names, in pieces, instead of `body`; what it throws ends the exchange, and is thrown.
    package func send(
        _ request: HTTPRequest, streams: @escaping (Int) -> Bool = { $0 == 207 },
        to stream: ((UnsafeRawBufferPointer) throws -> Void)? = nil
    ) throws -> HTTPResponse {
        var request = request
        for _ in 0...options.redirects {
            let response = try authenticated(request, streams: streams, stream: stream)
            // All alike, although browsers make a GET of the first three: a PROPFIND has no other form.
            guard [301, 302, 303, 307, 308].contains(response.status), let link = response.headers["location"] else {
                return response
            }
            request.url = try target(link, of: request)
        }
        throw HTTPError.tooManyRedirects(request.url)
    }

    private func target(_ link: String, of request: HTTPRequest) throws(HTTPError) -> WebURL {
        let url = request.url
        var next = url.resolve(link)
        // A server behind a proxy with TLS names the protocol and the port that it has itself.
        if let found = next, url.origin.isSecure, !found.origin.isSecure, found.origin.host == url.origin.host {
            next?.origin = url.origin
        }
        // Never from https to http: the contacts could be read on the way.
        guard let next, next.origin.isSecure || !url.origin.isSecure, request.follows?(next) != false else {
            throw .redirect(from: url, to: WebURL(link).map { "\($0)" } ?? "another protocol")
        }
        return next
    }

    /// One request, and another one after a 401 that can be answered.
    private func authenticated(
        _ request: HTTPRequest, streams: @escaping (Int) -> Bool, stream: ((UnsafeRawBufferPointer) throws -> Void)?
    ) throws -> HTTPResponse {
        try prepareDigest(for: request)
        let response = try once(request, streams: streams, stream: stream)
        // A redirect led elsewhere, and a challenge from there is no reason to send the password.
        guard response.status == 401, isMeant(request.url) else { return response }
        if options.credentials?.adapt(to: response.headers) == true {
            try prepareDigest(for: request)
            return try once(request, streams: streams, stream: stream)
        }
        guard options.credentials?.scheme == .bearer, !hasRenewed, let renew = options.renew else { return response }
        // A token that is refused right after it was fetched is a wrong one, and no expired one.
        hasRenewed = true
        options.credentials?.secret = try renew()
        return try once(request, streams: streams, stream: stream)
    }

    /// libcurl would send the first request of Digest without its body, which breaks old servers; so a request that has
    /// none fetches the challenge.
    private func prepareDigest(for request: HTTPRequest) throws {
        guard options.credentials?.scheme == .digest, !isChallenged, request.body != nil, isMeant(request.url) else {
            return
        }
        isChallenged = true
        _ = try once(HTTPRequest(method: "OPTIONS", url: request.url), streams: { _ in false }, stream: nil)
    }

    /// Requests name no user, and carry no token.
    var isAnonymous: Bool { options.credentials == nil }

    private func isMeant(_ url: WebURL) -> Bool {
        guard let credentials = options.credentials else { return false }
        return credentials.origin.shares(with: url.origin) || trusted.contains(url.origin)
    }

    private func once(
        _ request: HTTPRequest, streams: @escaping (Int) -> Bool, stream: ((UnsafeRawBufferPointer) throws -> Void)?
    ) throws -> HTTPResponse {
        if let server = options.server { return try answer(of: server, request, streams: streams, stream: stream) }
        guard let session else { throw HTTPError.unreachable(host: request.url.origin.host, reason: "no memory") }
        let origin = request.url.origin
        if !origin.isSecure, !options.isInsecure, !origin.isLoopback { throw HTTPError.insecure(host: origin.host) }
        // A name such as `localhost` may lead anywhere.
        let policy = origin.isSecure || options.isInsecure || options.policy != .any ? options.policy : .loopback
        let exchange = HTTPExchange(
            limit: request.limit, policy: policy, isCancelled: options.isCancelled, streams: streams, stream: stream)
        let credentials = isMeant(request.url) ? options.credentials : nil
        let digest = credentials.flatMap { $0.scheme == .digest ? ($0.user, $0.secret.reveal()) : nil }
        requests += 1
        let failure = exchange.perform(
            request, headers: Self.headers(of: request, credentials: credentials), in: session, digest: digest,
            certificates: options.certificates, addresses: options.addresses, permitsPlain: !origin.isSecure)
        if let failure { try Self.fail(failure, in: exchange, for: request) }
        var response = HTTPResponse(
            status: exchange.status, headers: exchange.headers, url: request.url, body: exchange.body)
        response.size = exchange.received
        response.duration = exchange.duration
        return response
    }

    private func answer(
        of server: (HTTPRequest) throws -> HTTPResponse, _ request: HTTPRequest, streams: (Int) -> Bool,
        stream: ((UnsafeRawBufferPointer) throws -> Void)?
    ) throws -> HTTPResponse {
        requests += 1
        var response = try server(request)
        response.size = response.body.count
        if response.size > request.limit { throw HTTPError.tooLarge(limit: request.limit) }
        guard let stream, streams(response.status) else { return response }
        // In two pieces, as a network would.
        let half = response.body.count / 2
        for piece in [response.body[..<half], response.body[half...]] where !piece.isEmpty {
            try piece.withUnsafeBytes { try stream($0) }
        }
        response.body = []
        return response
    }

    private static func headers(of request: HTTPRequest, credentials: Credentials?) -> [String] {
        let own = request.headers.map { "\($0.name): \($0.value)" }
        // Without the last one, libcurl would wait for a permission to send the body.
        return own
            + ["User-Agent: Tondo", credentials?.authorization.map { "Authorization: \($0)" }, "Expect:"]
            .compactMap(\.self)
    }

    private static func fail(_ failure: HTTPExchange.Failure, in exchange: HTTPExchange, for request: HTTPRequest)
        throws
    {
        if let error = exchange.streamError { throw error }
        if exchange.isTooLarge { throw HTTPError.tooLarge(limit: request.limit) }
        let (host, reason) = (request.url.origin.host, failure.reason)
        switch Int(failure.code) {
        case CCURL_STOPPED: throw HTTPError.cancelled
        case CCURL_REFUSED: throw HTTPError.refusedAddress(host: host)
        case CCURL_TIMEOUT: throw HTTPError.timeout(host: host)
        case CCURL_UNREACHABLE: throw HTTPError.unreachable(host: host, reason: reason)
        case CCURL_TLS: throw HTTPError.tls(host: host, reason: reason)
        case CCURL_URL: throw HTTPError.url("\(request.url)")
        default: throw HTTPError.broken(host: host, reason: reason)
        }
    }
}
