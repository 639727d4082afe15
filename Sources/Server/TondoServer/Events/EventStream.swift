internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore
internal import TondoText

extension EventSubscriber {
    /// The response with all events of this subscriber, until the event log ends or the client closes the connection. The
    /// first one is `hello`.
    package func response(_ greeting: @escaping @Sendable () -> EventGreeting = { EventGreeting() }) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        // nginx would keep events until they fill a buffer.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        let start = self.start
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // Sent at once, so that a client knows that it is subscribed, and which id to send when it reconnects
                // before the next event.
                let hello = greeting().frame(after: start)
                try await writer.write(ByteBuffer(string: ServerSentEvent.retry + hello))
                while let batch = await self.next() {
                    switch batch {
                    case .events(let bytes): try await writer.write(bytes)
                    // Proxies end connections without data, and a write shows whether the client is still there.
                    case .silence: try await writer.write(ByteBuffer(string: ServerSentEvent.heartbeat))
                    }
                }
                try await writer.finish(nil)
            })
    }
}

/// The content of `hello`, the first event of every stream.
package struct EventGreeting: Equatable, Sendable {
    /// The revision of the books when the stream begins.
    var revision = ""
    /// The version of the service.
    var version = ""

    /// `id`: of the last event before the first one of the stream, which is not that of the newest event if others are
    /// replayed: a client that reconnects within the replay continues there.
    func frame(after id: UInt64) -> String {
        var object = JSONObject()
        object.add("event", "hello")
        object.add("seq", Int(id))
        object.add("revision", revision)
        object.add("version", version)
        return ServerSentEvent.frame(id: id, name: "hello", data: String(decoding: object.bytes, as: UTF8.self))
    }
}
