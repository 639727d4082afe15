internal import HTTPTypes
package import HummingbirdCore
internal import NIOCore

extension EventListener {
    /// The answer that tells everything this listener hears, until it ends or the client goes.
    package var response: Response {
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        let start = self.start
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // Sent at once, so that a client knows that it is listening, and what it has to name when it comes back
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
