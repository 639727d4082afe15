import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite struct HTTPServerTests {
    @Test func `A connection answers one request after another`() async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            for path in ["/a", "/b"] {
                let response = try await client.get(path)
                #expect(response.status == 200 && response.body == "GET \(path) ")
                #expect(response.field("date")?.hasSuffix(" GMT") == true)
            }
            try await client.close()
        }
    }

    @Test func `What is in memory is answered in front of the door, in the order of the requests`() async throws {
        let avatar = ByteBuffer(string: "face")
        let fastPath: HTTPServer.FastPath = { head, _ in
            head.uri == "/fast" ? EncodedResponse(status: .ok, fields: [("ETag", "\"k\"")], body: avatar) : nil
        }
        try await RunningServer.run(fastPath: fastPath) { server in
            let client = try await server.client()
            let (fast, slow) = ("GET /fast HTTP/1.1\r\nHost: x\r\n\r\n", "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            try await client.send(fast + slow + fast + fast + slow)
            for body in ["face", "GET /slow ", "face", "face", "GET /slow "] {
                let response = try await client.response()
                // The handler knows no avatars here, so only the path counts.
                #expect(response.body == body || response.body == "GET /fast ")
            }
            let last = try await client.get("/fast")
            #expect(last.body == "face" && last.field("etag") == "\"k\"" && last.field("date") != nil)
        }
    }

    @Test func `Bodies come in, and one that is too large is refused`() async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            try await client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
            #expect(try await client.response().body == "POST /p hello")
            try await client.send("POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n")
            let refusal = try await client.response()
            #expect(refusal.status == 413 && refusal.body.contains(#""code":"body-too-large""#))
            #expect(try await client.readToEnd() == "")
            let chunked = try await server.client()
            let chunk = String(repeating: "x", count: 40_000)
            try await chunked.send("POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await chunked.send("9c40\r\n\(chunk)\r\n9c40\r\n\(chunk)\r\n")
            #expect(try await chunked.response().status == 413)
        }
    }

    @Test func `One server listens on several addresses`() async throws {
        let folder = try TemporaryFolder()
        let unix = HTTPServer.Source.address(.unix(path: folder.pathString + "/s"))
        try await RunningServer.run(sources: [.address(.tcp(host: "127.0.0.1", port: 0)), unix]) { server in
            for index in 0..<2 {
                let response = try await server.client(index).get("/x")
                #expect(response.body == "GET /x ")
            }
        }
    }

    @Test func `A socket that was handed over is served`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.pathString + "/s"
        let socket = InheritedSockets.Socket(descriptor: try UnixSocket.listen(path: path), name: "tondo.socket")
        try await RunningServer.run(sources: [.inherited(socket)]) { server in
            let client = try await RawClient(SocketAddress(unixDomainSocketPath: path))
            #expect(try await client.get("/x").status == 200)
        }
    }

    @Test func `Connections above the limit are closed`() async throws {
        var limits = ConnectionLimits()
        limits.connections = AdjustableLimit(limit: 1)
        try await RunningServer.run(limits: limits) { server in
            let first = try await server.client()
            #expect(try await first.get("/").status == 200)
            let second = try await server.client()
            #expect(try await second.readToEnd() == "")
            #expect(try await first.get("/").status == 200)
        }
    }

    @Test func `A client that drips its head, its body or nothing is cut off`() async throws {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.idle) = (.milliseconds(30), .milliseconds(30), .milliseconds(30))
        try await RunningServer.run(limits: limits) { server in
            for text in ["", "GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx"] {
                let client = try await server.client()
                if !text.isEmpty { try await client.send(text) }
                #expect(try await client.readToEnd() == "")
            }
        }
    }

    @Test func `A half-closed client gets its answer`() async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            try await client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n")
            try await client.channel.close(mode: .output)
            #expect(try await client.response().body == "GET /x ")
            #expect(try await client.readToEnd() == "")
        }
    }

    @Test(arguments: ["GET /x HTTP/1.0\r\n\r\n", "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"])
    func `Who wants one answer gets one, and the connection ends`(text: String) async throws {
        let fast: HTTPServer.FastPath = { _, _ in EncodedResponse(status: .ok, fields: [], body: nil) }
        try await RunningServer.run(fastPath: fast) { server in
            let client = try await server.client()
            try await client.send(text + "GET /y HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = try await client.response()
            #expect(response.body == "GET /x " && response.field("connection") == "close")
            #expect(try await client.readToEnd() == "")
        }
    }
}
