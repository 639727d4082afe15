internal import Synchronization

/// Requests of WebDAV, whose answers are read while they arrive. Failures that may pass are retried, with pauses. On one
/// thread.
package final class DAVClient {
    /// The end of an exchange.
    struct Reply {
        /// 207 or an error.
        let status: Int
        /// The URL of the request that was answered.
        let url: WebURL
        /// The token of the multistatus.
        let syncToken: String?
        /// The body of an error.
        let body: [UInt8]
        /// See `HTTPResponse`.
        let size: Int
        let duration: Duration

        fileprivate init(_ response: HTTPResponse, syncToken: String?) {
            status = response.status
            url = response.url
            self.syncToken = syncToken
            body = response.body
            size = response.size
            duration = response.duration
        }

        /// The error that this answer to `request` is.
        func refusal(of request: String) -> SyncError {
            .status(status, request: request, said: DAVReason.text(of: body))
        }
    }

    private let client: HTTPClient
    private let pause: (Duration) -> Bool
    private let quiet: QuietTime
    /// Between attempts.
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]
    /// A server that asks for a longer pause is asked again by the next run.
    private static let longestPause = 10
    /// The largest streamed answer: none of it is kept.
    private static let largestAnswer = 2 << 30

    /// `pause`: waits; false: the run was interrupted.
    package convenience init(client: HTTPClient, pause: @escaping (Duration) -> Bool) {
        self.init(client: client, quiet: QuietTime(), pause: pause)
    }

    private init(client: HTTPClient, quiet: QuietTime, pause: @escaping (Duration) -> Bool) {
        self.client = client
        self.quiet = quiet
        self.pause = pause
    }

    /// Those of other clients that were counted here included.
    package var requests: Int { client.requests + others }
    private var others = 0

    /// Another client for the same server and account, for another thread. Its requests end when `isOver`.
    func another(until isOver: @escaping () -> Bool) -> DAVClient {
        let pause = pause
        return DAVClient(client: client.another(until: isOver), quiet: quiet) { !isOver() && pause($0) && !isOver() }
    }

    /// See `HTTPClient.disconnect`.
    func disconnect() { client.disconnect() }

    /// Adds the requests of another client.
    func count(_ requests: Int) { others += requests }

    /// See `HTTPClient.trust`.
    func trust(_ origin: WebURL.Origin) { client.trust(origin) }

    var trusted: Set<WebURL.Origin> { client.trusted }

    /// `output` gets each response of a multistatus. Since an attempt may fail after some of them, `restart` is called
    /// before each attempt.
    func propfind(
        _ url: WebURL, depth: Int, body: [UInt8], restart: () -> Void = {},
        output: @escaping (DAVResponse) throws -> Void
    ) throws(SyncError) -> Reply {
        try send("PROPFIND", url: url, depth: depth, body: body, isCompressed: true, restart: restart, output: output)
    }

    /// `isCompressed`: whether the server may compress its answer.
    func report(
        _ url: WebURL, depth: Int, body: [UInt8], isCompressed: Bool = true, restart: () -> Void = {},
        output: @escaping (DAVResponse) throws -> Void
    ) throws(SyncError) -> Reply {
        try send(
            "REPORT", url: url, depth: depth, body: body, isCompressed: isCompressed, restart: restart, output: output)
    }

    /// One attempt, without pauses. A status is no error. `limit`: bytes of the body.
    func get(_ url: WebURL, limit: Int) throws(SyncError) -> HTTPResponse {
        try rest()
        var request = HTTPRequest(method: "GET", url: url)
        request.headers = [("Accept", "text/vcard, */*")]
        request.limit = limit
        return try SyncError.converting { try client.send(request, streams: { _ in false }) }
    }

    /// One attempt to store a card, or with `nil` to delete it, if `condition` holds there. The caller decides about another
    /// attempt, since the server may have carried out one whose answer is lost. A status is no error, but 401 and one with a
    /// time to wait.
    func change(_ url: WebURL, to card: [UInt8]?, if condition: DAVCondition) throws(SyncError) -> HTTPResponse {
        try rest()
        var request = HTTPRequest(method: card == nil ? "DELETE" : "PUT", url: url)
        request.headers = [condition.header]
        if card != nil { request.headers.append(("Content-Type", "text/vcard; charset=utf-8")) }
        request.body = card
        // A redirect to another server would show it the contact.
        request.follows = { [trusted = client.trusted] in
            $0.origin.shares(with: url.origin) || trusted.contains($0.origin)
        }
        let response = try SyncError.converting { try client.send(request, streams: { _ in false }) }
        switch response.status {
        case 401: throw .refusal(of: response)
        case 429, 503:
            if let seconds = response.headers.retryAfter() { throw .later(seconds: seconds) }
            return response
        default: return response
        }
    }

    private func send(
        _ method: String, url: WebURL, depth: Int, body: [UInt8], isCompressed: Bool, restart: () -> Void,
        output: @escaping (DAVResponse) throws -> Void
    ) throws(SyncError) -> Reply {
        var request = HTTPRequest(method: method, url: url)
        request.headers = [("Depth", "\(depth)"), ("Content-Type", "application/xml; charset=utf-8")]
        request.body = body
        request.limit = Self.largestAnswer
        request.isCompressed = isCompressed
        for wait in Self.pauses {
            do throws(SyncError) {
                try rest()
                restart()
                return try once(request, output: output)
            } catch {
                if case .later(let seconds) = error, seconds <= Self.longestPause {
                    quiet.begin(seconds: seconds)
                    continue
                }
                guard error.isTransient else { throw error }
                if !pause(wait) { throw .cancelled }
                request.isCompressed = false
            }
        }
        try rest()
        // The last attempt, whose error is not caught.
        restart()
        return try once(request, output: output)
    }

    /// Waits as long as the server has asked any of the clients to.
    private func rest() throws(SyncError) {
        if let rest = quiet.rest, !pause(rest) { throw .cancelled }
    }

    private func once(
        _ request: HTTPRequest, output: @escaping (DAVResponse) throws -> Void
    ) throws(SyncError) -> Reply {
        var multistatus = MultistatusReader()
        let reader = XMLReader { try multistatus.take($0, output: output) }
        var response = try SyncError.converting { try client.send(request, to: reader.read) }
        switch response.status {
        case 200 where Self.isMultistatus(response.body):
            // Tine and others answer with 200 instead of 207.
            response.status = 207
            let body = response.body
            try SyncError.converting {
                try body.withUnsafeBytes { try reader.read($0) }
                try reader.finish()
            }
        case 207:
            // An answer that ends early is no answer, and neither is an empty one.
            try SyncError.converting { try reader.finish() }
        case 401: throw .refusal(of: response, isAnonymous: client.isAnonymous)
        case 429, 503:
            if let seconds = response.headers.retryAfter() { throw .later(seconds: seconds) }
        default: break
        }
        let reply = Reply(response, syncToken: multistatus.syncToken)
        if SyncError.isTransient(status: reply.status) || reply.status == 429 {
            throw reply.refusal(of: request.method)
        }
        return reply
    }
}

extension DAVClient {
    /// Whether all of it is one. A page of a login is none.
    fileprivate static func isMultistatus(_ body: [UInt8]) -> Bool {
        var multistatus = MultistatusReader()
        let reader = XMLReader { try multistatus.take($0) { _ in } }
        do {
            try body.withUnsafeBytes { try reader.read($0) }
            try reader.finish()
            return multistatus.isComplete
        } catch { return false }
    }
}

/// The time in which a server wants no request, shared by all clients of a run.
private final class QuietTime: Sendable {
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    func begin(seconds: Int) {
        let new = ContinuousClock.now + .seconds(seconds)
        end.withLock { $0 = max($0 ?? new, new) }
    }

    /// Nil: it is over.
    var rest: Duration? {
        guard let rest = end.withLock(\.self).map({ $0 - .now }), rest > .zero else { return nil }
        return rest
    }
}
