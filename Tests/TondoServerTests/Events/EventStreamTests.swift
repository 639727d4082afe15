import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import Testing

@testable import TondoServer

@Suite struct EventStreamTests {
    @Test func `Events come over the wire, and open streams do not keep the server from ending`() async throws {
        let broadcaster = EventBroadcaster()
        broadcaster.send("total", data: #"{"count":1}"#)
        let respond: HTTPServer.Respond = { _, _ in broadcaster.subscribe(after: 0).response() }
        try await RunningServer.run(respond: respond, onShutdown: broadcaster.end) { server in
            let client = try await server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            let first = try await client.read { $0.contains("count") }
            #expect(
                first.contains("text/event-stream") && first.contains("X-Accel-Buffering: no\r\n")
                    && first.contains("id: 1\nevent: total\ndata: {\"count\":1}\n\n"))
            broadcaster.send("finished", data: "{}")
            _ = try await client.read { $0.contains("event: finished") }
            await server.services.triggerGracefulShutdown()
            #expect(try await client.readToEnd().hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func `A client that goes is forgotten at the next heartbeat`() async throws {
        let broadcaster = EventBroadcaster()
        let respond: HTTPServer.Respond = { _, _ in broadcaster.subscribe().response() }
        try await RunningServer.run(respond: respond, onShutdown: broadcaster.end) { server in
            let client = try await server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.read { $0.contains("event-stream") }
            try await client.close()
            while broadcaster.subscribers > 0 {
                broadcaster.sendHeartbeat()
                try? await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}
