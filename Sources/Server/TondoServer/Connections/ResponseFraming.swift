internal import NIOHTTP1

/// The framing of one response: the only place that decides whether it has a body, how long it is, and whether the
/// connection stays open (RFC 9112 6 and 9.3). Pure.
struct ResponseFraming: Equatable {
    /// The body is counted, and never written (RFC 9110 9.3.2).
    let isHead: Bool
    /// HTTP/1.0 has no chunks, and keeps a connection only if both sides request it.
    let isHTTP10: Bool

    init(_ head: HTTPRequestHead) {
        self.init(isHead: head.method == .HEAD, isHTTP10: head.version.minor == 0)
    }

    init(isHead: Bool = false, isHTTP10: Bool = false) {
        self.isHead = isHead
        self.isHTTP10 = isHTTP10
    }

    var hasBody: Bool { !isHead }

    /// The value of `Connection`; nil if the default of the version applies.
    func connection(isLast: Bool) -> String? { isLast ? "close" : isHTTP10 ? "keep-alive" : nil }

    /// The decisions about the framing fields of `head`.
    struct Outcome: Equatable {
        /// The connection ends with this response.
        var isLast: Bool
        /// The length of the body is not known in advance, as for an event stream.
        var isEndless: Bool
    }

    /// Completes the framing fields of a final response. `isLast`: the connection ends with it in any case.
    func complete(_ head: inout HTTPResponseHead, isLast: Bool) -> Outcome {
        head.version = .http1_1
        // Decided below: beside a length, it would make the end of the body ambiguous (RFC 9112 6.3).
        head.headers.remove(name: "Transfer-Encoding")
        var outcome = Outcome(isLast: isLast, isEndless: false)
        if !head.status.mayHaveResponseBody {
            head.headers.remove(name: "Content-Length")
        } else if hasBody, !head.headers.contains(name: "Content-Length") {
            outcome.isEndless = true
            // Without chunks, only the end of the connection ends a body of unknown length.
            if isHTTP10 { outcome.isLast = true } else { head.headers.add(name: "Transfer-Encoding", value: "chunked") }
        }
        if let value = connection(isLast: outcome.isLast) {
            head.headers.replaceOrAdd(name: "Connection", value: value)
        }
        return outcome
    }
}
