internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1

/// What a client expects before it sends the body of its request (RFC 9110 10.1.1).
enum Expectation: Equatable {
    case nothing
    /// The client waits for `100 Continue`, or for a final response.
    case permission
    /// Another expectation, which no server can meet.
    case unknown

    init(_ head: HTTPRequestHead) {
        // A client or proxy of HTTP/1.0 does not understand a response with 100.
        guard head.version.minor > 0, head.headers.contains(name: "Expect") else {
            self = .nothing
            return
        }
        let values = head.headers[canonicalForm: "Expect"]
        let isKnown = values.allSatisfy { $0.lowercased() == "100-continue" }
        guard isKnown else {
            self = .unknown
            return
        }
        let length = head.headers.first(name: "Content-Length")
        // Without a body there is nothing to wait for, and the field means nothing (RFC 9110 10.1.1).
        let hasBody = head.headers.contains(name: "Transfer-Encoding") || length.map { $0 != "0" } ?? false
        self = hasBody && !values.isEmpty ? .permission : .nothing
    }

    /// The user event by which the reader of a forwarded body permits the client to send it.
    struct Permission: Sendable {}
}

extension Request {
    /// The request whose client may send the body once it is read: a refusal before that costs the client no body.
    func permittingBody(on channel: any Channel) -> Request {
        guard headers[.expect] != nil else { return self }
        return Request(head: head, body: RequestBody(asyncSequence: PermittedBody(body: body, channel: channel)))
    }
}

private struct PermittedBody: AsyncSequence, Sendable {
    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> Iterator {
        channel.triggerUserOutboundEvent(Expectation.Permission(), promise: nil)
        return Iterator(iterator: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var iterator: RequestBody.AsyncIterator

        mutating func next() async throws -> ByteBuffer? { try await iterator.next() }
    }
}
