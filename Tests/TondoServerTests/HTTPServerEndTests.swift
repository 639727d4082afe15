import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing
import TondoEndpoints

@testable import TondoServer

@Suite struct HTTPServerEndTests {
    @Test func `An answer under way is finished before the server ends`() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let respond: HTTPServer.Respond = { _, _ in
            beginning.yield()
            for await _ in gate { break }
            return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "done")))
        }
        try await RunningServer.run(respond: respond) { server in
            let (idle, busy) = (try await server.client(), try await server.client())
            try await busy.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for await _ in begun { break }
            await server.services.triggerGracefulShutdown()
            #expect(try await idle.readToEnd() == "")
            opening.yield()
            #expect(try await busy.response().body == "done")
            #expect(try await busy.readToEnd() == "")
            await #expect(throws: (any Error).self) { try await server.client() }
        }
    }

    @Test func `An answer that never ends is cut off when the grace is over`() async throws {
        var limits = ConnectionLimits()
        limits.grace = .milliseconds(30)
        let respond: HTTPServer.Respond = { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "first"))
                    try await Task.sleep(for: .seconds(3600))
                    try await writer.finish(nil)
                })
        }
        try await RunningServer.run(limits: limits, respond: respond) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.read { $0.contains("first") }
            await server.services.triggerGracefulShutdown()
            _ = try await client.readToEnd()
        }
    }

    @Test func `Endless responses are notified that the server ends`() async throws {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let respond: HTTPServer.Respond = { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    try await writer.write(ByteBuffer(string: "first"))
                    for await _ in ending {}
                    try await writer.write(ByteBuffer(string: "last"))
                    try await writer.finish(nil)
                })
        }
        try await RunningServer.run(respond: respond, onShutdown: end.finish) { server in
            let client = try await server.client()
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.read { $0.contains("first") }
            await server.services.triggerGracefulShutdown()
            #expect(try await client.readToEnd().contains("last"))
        }
    }

    @Test func `When one listener cannot be opened none stays open`() async throws {
        let taken = HTTPServer.Source.inherited(.init(descriptor: 9999, name: "gone"))
        let free = HTTPServer.Source.address(.tcp(host: "127.0.0.1", port: 0))
        await #expect(throws: ListenError.self) { try await RunningServer.open([free, taken]) }
        await #expect(throws: ListenError.nothingToListenOn) { try await RunningServer.open([]) }
    }
}
