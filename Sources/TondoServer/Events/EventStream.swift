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
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                // Sent at once, so that a client knows that it is listening.
                try await writer.write(ByteBuffer(string: ServerSentEvent.heartbeat))
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
