internal import CCurl
internal import Glibc

/// A request of `HTTPClient`. Credentials are the client's.
package struct HTTPRequest: Sendable {
    /// In upper case, sent as it is: `GET`, `PROPFIND`, `REPORT`.
    package var method: String
    /// Redirects lead away from it, see `HTTPResponse.url`.
    package var url: WebURL
    /// Sent in this order, before the client's own.
    package var headers: [(name: String, value: String)] = []
    /// Kept over redirects; nil: none, which is not an empty one.
    package var body: [UInt8]?
    /// Bytes of the response's body, decompressed.
    package var limit = 64 << 20
    /// The longest exchange, with the resolution of the host. Fractions of a second are cut off; zero: no limit.
    package var timeout = Duration.seconds(600)
    /// Whether the server may compress the body of the response.
    package var isCompressed = true
    /// Whether a redirect may lead to a URL; nil: to each that the client permits.
    package var follows: (@Sendable (WebURL) -> Bool)?

    package init(method: String, url: WebURL) {
        self.method = method
        self.url = url
    }
}

/// The response that ended an exchange, after redirects.
package struct HTTPResponse: Sendable {
    /// The status code (RFC 9110 section 15); a client throws for none.
    package var status: Int
    /// Those of the last response alone, not of challenges and redirects before it.
    package var headers: HTTPHeaders
    /// The URL of the request that was answered.
    package var url: WebURL
    /// Without what went to a stream.
    package var body: [UInt8]
    /// The bytes of the body, decompressed.
    package var size = 0
    /// From the first byte of the body to the last one.
    package var duration = Duration.zero

    /// For tests, which play a server; clients fill in size and duration.
    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), url: WebURL, body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }
}

/// The fields of a response, in order.
package struct HTTPHeaders: Equatable, Sendable {
    private var fields: [Field] = []

    private struct Field: Equatable {
        let name, value: String
    }

    package init() {}

    /// A line `Name: value`; anything else is ignored.
    package mutating func add(line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        fields.append(Field(name: line[..<colon].lowercased(), value: String(value)))
    }

    /// The first value of a name in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name in lower case, in order; a list in one field is not split.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// Seconds to wait from `now` on, seconds since 1970 (RFC 9110 section 10.2.3). Bounded by a day.
    package func retryAfter(at now: Int = time(nil)) -> Int? {
        guard let text = self["retry-after"] else { return nil }
        return (Int(text) ?? Self.date(text).map { $0 - now }).map { min(max($0, 0), 86_400) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    private static func date(_ text: String) -> Int? {
        let time = ccurl_date(text)
        return time < 0 ? nil : Int(time)
    }
}

/// Why an exchange has no response.
package enum HTTPError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(host: String, reason: String)
    /// The address of the host is not permitted.
    case refusedAddress(host: String)
    case timeout(host: String)
    case tls(host: String, reason: String)
    /// The connection ended before the response did.
    case broken(host: String, reason: String)
    case tooLarge(limit: Int)
    case tooManyRedirects(WebURL)
    /// To a URL that is not permitted, such as one without TLS.
    case redirect(from: WebURL, to: String)
    /// Plain http to another machine.
    case insecure(host: String)
    /// The URL is not one that libcurl takes, or not of http.
    case url(String)
    case cancelled

    /// The word of `status.json` and `--json`; some cases share one.
    package var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .refusedAddress: "address-refused"
        case .timeout: "timeout"
        case .tls: "tls-failed"
        case .broken: "connection-broken"
        case .tooLarge: "response-too-large"
        case .tooManyRedirects, .redirect: "redirect-refused"
        case .insecure: "insecure"
        case .url: "url-invalid"
        case .cancelled: "cancelled"
        }
    }

    /// One line in English; it names hosts and URLs, and no password.
    package var description: String {
        switch self {
        case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)"
        case .refusedAddress(let host): "the address of \(host) is not permitted"
        case .timeout(let host): "\(host) did not answer in time"
        case .tls(let host, let reason): "no trusted connection to \(host): \(Self.plain(tls: reason))"
        case .broken(let host, let reason): "the connection to \(host) broke: \(reason)"
        case .tooLarge(let limit): "the response is larger than \(limit) bytes"
        case .tooManyRedirects(let url): "\(url) redirects too often"
        case .redirect(let from, let to): "\(from) redirects to \(to), which is not permitted"
        case .insecure(let host): "plain http to \(host) shows the password: use https, or --insecure (insecure = true)"
        case .url(let url): "'\(url)' is not a URL that can be requested"
        case .cancelled: "interrupted"
        }
    }

    /// In words where those of OpenSSL do not say what to do.
    private static func plain(tls reason: String) -> String {
        if reason.contains("wrong version number") { return "the server does not speak TLS at this port" }
        let isUnknown = ["self-signed certificate", "self signed certificate", "unable to get local issuer"].contains {
            reason.contains($0)
        }
        return isUnknown ? "\(reason); --ca-file (ca-file) names certificates to trust" : reason
    }

    /// Whether the same request may succeed a moment later.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timeout, .broken: true
        default: false
        }
    }
}
