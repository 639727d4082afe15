package import NIOHTTP1

/// Requests that are refused before their path is examined.
package enum RequestRefusal {
    /// 400 for what is no HTTP/1 request, or could be read in two ways.
    package static let malformed = ProblemDetails(.badRequest, code: "malformed-request")
    /// 414, above `ConnectionLimits.target`.
    package static let target = ProblemDetails(.uriTooLong, code: "target-too-long")
    /// 431, above one of the limits of header fields.
    package static let fields = ProblemDetails(.requestHeaderFieldsTooLarge, code: "fields-too-large")
    /// 413, above `ConnectionLimits.bodyBytes` or `photoBytes`, as announced or as received.
    package static let body = ProblemDetails(.payloadTooLarge, code: "body-too-large")
    /// 501 for a method that no route could have (RFC 9110 15.6.2).
    package static let method = ProblemDetails(
        .notImplemented, code: "unknown-method", detail: "Only GET, HEAD, POST, PUT and DELETE are supported.")

    /// 501 for a body that would stay encoded, since only chunks are decoded (RFC 9112 6.1).
    package static let coding = ProblemDetails(
        .notImplemented, code: "unknown-transfer-coding", detail: "Only chunked is supported.")

    /// 417 for any other expectation than `100-continue` (RFC 9110 10.1.1).
    package static let expectation = ProblemDetails(
        .expectationFailed, code: "unknown-expectation", detail: "Only 100-continue is supported.")

    /// Why a request is refused because of its head; nil if it is not.
    package static func problem(of head: HTTPRequestHead, limits: ConnectionLimits) -> ProblemDetails? {
        if head.uri.utf8.count > limits.target { return target }
        guard head.version.major == 1 else { return malformed }
        switch head.method {
        case .GET, .HEAD, .POST, .DELETE, .OPTIONS, .PUT, .PATCH, .TRACE: break
        default: return method
        }
        // The origin form, which the absolute one was made, and that of all paths (RFC 9112 3.2.1 and 3.2.4), in visible
        // ASCII characters, which are safe in logs and headers.
        guard head.uri.utf8.first == 0x2F || head.uri == "*" && head.method == .OPTIONS,
            head.uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return malformed }
        // HTTP/1.1 requires exactly one Host (RFC 9112 3.2).
        let hosts = head.headers["Host"].count
        guard hosts == 1 || hosts == 0 && head.version.minor == 0 else { return malformed }
        return bodyProblem(of: head, limits: limits) ?? (Expectation(head) == .unknown ? expectation : nil)
    }

    private static func bodyProblem(of head: HTTPRequestHead, limits: ConnectionLimits) -> ProblemDetails? {
        let lengths = head.headers["Content-Length"]
        let codings = head.headers["Transfer-Encoding"]
        // An HTTP/1.0 peer does not know where such a body ends (RFC 9112 6.1).
        guard codings.isEmpty || head.version.minor > 0 else { return malformed }
        // Both fields together are the means to smuggle requests past a proxy (RFC 9112 6.1).
        guard lengths.isEmpty || codings.isEmpty, lengths.count <= 1, codings.count <= 1 else { return malformed }
        // The parser decodes only chunks, and would forward a body that is still encoded.
        if let coding = codings.first?.lowercased(), coding != "chunked" {
            // A body that does not end in chunks has no end (RFC 9112 6.3).
            return coding.hasSuffix("chunked") ? Self.coding : malformed
        }
        guard let length = lengths.first else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return malformed }
        return Int(length).map { $0 > limits.body(of: head).bytes } ?? true ? body : nil
    }
}
