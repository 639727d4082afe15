internal import CCurl
internal import Glibc
internal import TondoText

/// One request over libcurl and its response, without redirects or authentication. The callbacks come on the thread of
/// `perform`, one at a time.
final class HTTPExchange {
    /// What `perform` ended with.
    struct Failure { let code: Int32, reason: String }

    private let limit: Int
    private let policy: AddressPolicy
    private let streams: (Int) -> Bool
    private let stream: ((UnsafeRawBufferPointer) throws -> Void)?
    private let isCancelled: () -> Bool

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private var headSize = 0
    private(set) var body: [UInt8] = []
    private(set) var received = 0
    /// When the first and the last piece of the body arrived.
    private var times: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?
    private(set) var streamError: (any Error)?
    private(set) var isTooLarge = false
    /// No byte of the body came yet.
    private var isBeginning = true
    private var compressed: CompressedBody?

    /// `stream`: gets the body of responses with a status that `streams` names. An error ends the exchange.
    init(
        limit: Int, policy: AddressPolicy, isCancelled: @escaping () -> Bool, streams: @escaping (Int) -> Bool,
        stream: ((UnsafeRawBufferPointer) throws -> Void)?
    ) {
        self.limit = limit
        self.policy = policy
        self.isCancelled = isCancelled
        self.streams = streams
        self.stream = stream
    }

    private static let events = ccurl_events(
        header: { context, line, size in HTTPExchange.of(context).take(line!, size: size) ? 1 : 0 },
        body: { context, bytes, size in
            HTTPExchange.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size)) ? 1 : 0
        },
        connects: { context, address, size in
            let address = Array(UnsafeBufferPointer(start: address, count: size))
            return HTTPExchange.of(context).policy.permits(address) ? 1 : 0
        },
        goes_on: { context in HTTPExchange.of(context).isCancelled() ? 0 : 1 })

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPExchange {
        Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
    }

    /// The most bytes of all lines of a response's head. libcurl bounds each line, and not their number.
    private static let largestHead = 256 << 10

    private func take(_ line: UnsafePointer<CChar>, size: Int) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: line, count: size)
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/") else {
            headers.add(line: text)
            headSize += size
            isTooLarge = headSize > Self.largestHead
            return !isTooLarge
        }
        // The head of another response: after 100, or after a challenge that libcurl answered.
        headers = HTTPHeaders()
        headSize = size
        body = []
        received = 0
        isBeginning = true
        status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return true
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let now = ContinuousClock.now
        times = (times?.first ?? now, now)
        if isBeginning { compressed = CompressedBody(head: bytes, isText: stream != nil && streams(status)) }
        isBeginning = false
        isTooLarge = compressed?.append(bytes) == false
        return compressed == nil ? deliver(bytes) : !isTooLarge
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
        received += bytes.count
        guard received <= limit else {
            isTooLarge = true
            return false
        }
        guard let stream, streams(status) else {
            body.append(contentsOf: bytes)
            return true
        }
        do { try stream(bytes) } catch {
            streamError = error
            return false
        }
        return true
    }

    /// Delivers what could not be before the end of the body. False: it failed, see `streamError` and `isTooLarge`.
    private func finish() -> Bool {
        guard let compressed else { return true }
        let content = compressed.content(limit: limit)
        isTooLarge = content == nil
        return content?.withUnsafeBytes(deliver) ?? false
    }

    /// From the first piece of the body to the last one.
    var duration: Duration { times.map { $0.last - $0.first } ?? .zero }

    /// Nil on success. `digest`: user and password.
    func perform(
        _ request: HTTPRequest, headers: [String], in session: OpaquePointer, digest: (String, String)?,
        certificates: String?, addresses: [String], permitsPlain: Bool
    ) -> Failure? {
        var reason = [CChar](repeating: 0, count: 512)
        let words = [request.method, request.url.description] + addresses + headers
        let code = Self.withPointers(words) { texts in
            Self.withPointers([digest?.0, digest?.1, certificates]) { optional in
                withUnsafePointer(to: Self.events) { events in
                    (request.body ?? []).withUnsafeBytes { body in
                        texts[2...].withUnsafeBufferPointer { lines in
                            let (places, fields) = (addresses.count, headers.count)
                            var raw = ccurl_request()
                            raw.method = texts[0]
                            raw.url = texts[1]
                            raw.addresses = lines.baseAddress
                            raw.address_count = places
                            raw.headers = lines.baseAddress.map { $0 + places }
                            raw.header_count = fields
                            // An empty body is a body.
                            raw.body = request.body == nil ? nil : body.baseAddress ?? UnsafeRawPointer(texts[0]!)
                            raw.body_size = body.count
                            raw.user = optional[0]
                            raw.password = optional[1]
                            raw.certificates = optional[2]
                            raw.connect_milliseconds = 15_000
                            raw.milliseconds = request.timeout.components.seconds * 1_000
                            // A small server lists a large book for minutes before it sends a byte.
                            raw.stall_seconds = 240
                            raw.plain = permitsPlain ? 1 : 0
                            raw.compressed = request.isCompressed ? 1 : 0
                            return ccurl_perform(
                                session, &raw, events, Unmanaged.passUnretained(self).toOpaque(), &reason, reason.count)
                        }
                    }
                }
            }
        }
        if code == Int32(CCURL_DONE) { return finish() ? nil : Failure(code: Int32(CCURL_STOPPED), reason: "") }
        let end = reason.firstIndex(of: 0) ?? reason.endIndex
        return Failure(
            code: code, reason: String(decoding: reason[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Passes pointers that are valid during `body`.
    static func withPointers<Result>(_ texts: [String?], body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        let copies = texts.map { $0.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) })
    }
}
