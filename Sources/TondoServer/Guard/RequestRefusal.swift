package import NIOHTTP1

/// What is turned away before anybody looks at what was asked for.
package enum RequestRefusal {
    package static let malformed = ProblemDetails(.badRequest, code: "malformed-request")
    package static let target = ProblemDetails(.uriTooLong, code: "target-too-long")
    package static let fields = ProblemDetails(.requestHeaderFieldsTooLarge, code: "fields-too-large")
    package static let body = ProblemDetails(.payloadTooLarge, code: "body-too-large")
    package static let method = ProblemDetails(
        .notImplemented, code: "unknown-method", detail: "Only GET, HEAD, POST and DELETE are known.")

    package static let coding = ProblemDetails(
        .notImplemented, code: "unknown-transfer-coding", detail: "Only chunked is known.")

    /// Why a request is refused by its head alone; nil when it is not.
    package static func problem(of head: HTTPRequestHead, limits: ConnectionLimits) -> ProblemDetails? {
        if head.uri.utf8.count > limits.target { return target }
        guard head.version.major == 1 else { return malformed }
        switch head.method {
        case .GET, .HEAD, .POST, .DELETE, .OPTIONS, .PUT, .PATCH, .TRACE: break
        default: return method
        }
        // Only the origin form (RFC 9112 3.2.1), without anything a log or a header could trip over.
        guard head.uri.utf8.first == 0x2F, head.uri.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return malformed }
        // Exactly one Host is a must of HTTP/1.1 (RFC 9112 3.2).
        let hosts = head.headers["Host"].count
        guard hosts == 1 || hosts == 0 && head.version.minor == 0 else { return malformed }
        return bodyProblem(of: head, limits: limits)
    }

    private static func bodyProblem(of head: HTTPRequestHead, limits: ConnectionLimits) -> ProblemDetails? {
        let lengths = head.headers["Content-Length"]
        let codings = head.headers["Transfer-Encoding"]
        // An HTTP/1.0 peer does not know where such a body ends (RFC 9112 6.1).
        guard codings.isEmpty || head.version.minor > 0 else { return malformed }
        // Both together are how requests are smuggled past a proxy (RFC 9112 6.1).
        guard lengths.isEmpty || codings.isEmpty, lengths.count <= 1, codings.count <= 1 else { return malformed }
        // The parser takes off chunks alone, and would hand on what is still encoded.
        if let coding = codings.first?.lowercased(), coding != "chunked" {
            // Without chunks at its end a body has none (RFC 9112 6.3).
            return coding.hasSuffix("chunked") ? Self.coding : malformed
        }
        guard let length = lengths.first else { return nil }
        guard !length.isEmpty, length.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return malformed }
        return Int(length).map { $0 > limits.bodyBytes } ?? true ? body : nil
    }
}
