internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore

extension EventSubscriber {
    /// The response with all events of this subscriber, until the ring ends or the client closes the connection.
    package var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        let start = self.start
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // Sent at once, so that a client knows that it is subscribed, and which id to send when it reconnects
                // before the first event.
                try await writer.write(ByteBuffer(string: ServerSentEvent.position(start)))
                while let batch = await self.next() {
                    switch batch {
                    case .events(let bytes): try await writer.write(bytes)
                    case .silence: try await writer.write(ByteBuffer(string: ServerSentEvent.heartbeat))
                    }
                }
                try await writer.finish(nil)
            })
    }
}
