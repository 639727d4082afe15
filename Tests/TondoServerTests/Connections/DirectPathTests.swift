import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing
import TondoTestSupport

@testable import TondoServer

/// Responses of the direct path, which a test gives when it likes.
private final class DirectResponses: Sendable {
    typealias Done = @Sendable (EncodedResponse) -> Void

    private let waiting = Mutex<[(target: String, done: Done)]>([])

    /// Takes what begins with `/direct`.
    var path: HTTPServer.DirectPath {
        { head, _, done in
            guard head.uri.hasPrefix("/direct") else { return false }
            self.waiting.withLock { $0.append((head.uri, done)) }
            return true
        }
    }

    var targets: [String] { waiting.withLock { $0.map(\.target) } }

    /// The response is the target.
    func giveFirst() {
        let (target, done) = waiting.withLock { $0.removeFirst() }
        done(EncodedResponse(status: .ok, fields: [], body: ByteBuffer(string: target)))
    }

    func wait(for targets: [String]) async -> Bool { await eventually { self.targets == targets } }
}

@Suite(.timeLimit(.minutes(15))) struct DirectPathTests {
    private let direct = DirectResponses()

    private func request(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    }

    private func run(_ body: (RunningServer) async throws -> Void) async throws {
        let fast: HTTPServer.FastPath = { head, _ in
            head.uri == "/fast" ? EncodedResponse(status: .ok, fields: [], body: ByteBuffer(string: "fast")) : nil
        }
        try await RunningServer.run(fastPath: fast, directPath: direct.path, body: body)
    }

    @Test(arguments: ["Connection: close\r\n", "HTTP/1.0"])
    func `A probe that is the last request of a connection has its response from the fast path`(_ how: String)
        async throws
    {
        let fast: HTTPServer.FastPath = { _, _ in
            EncodedResponse(status: .ok, fields: [], body: ByteBuffer(string: "fast"))
        }
        try await RunningServer.run(fastPath: fast) { server in
            let client = try await server.client()
            let text = request("/healthz", how.contains(":") ? how : "")
            // What comes behind the last request has no response.
            let last = how.contains(":") ? text : text.replacing("HTTP/1.1", with: how)
            try await client.send(request("/fast") + last + request("/x"))
            #expect(try await client.response().body == "fast")
            let response = try await client.response()
            #expect(response.body == "fast" && response.field("connection") == "close")
            #expect(try await client.readToEnd().isEmpty)
        }
    }

    @Test func `Responses keep the order of their requests, whoever makes them`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send(["/direct/1", "/fast", "/x", "/direct/2", "/fast"].map { request($0) }.joined())
            #expect(await direct.wait(for: ["/direct/1"]))
            direct.giveFirst()
            for body in ["/direct/1", "fast", "GET /x "] { #expect(try await client.response().body == body) }
            // Behind a request of the router, all go to the router.
            for _ in 0..<2 { #expect(try await client.response().status == 200) }
            for number in 3...5 {
                try await client.send(request("/direct/\(number)"))
                #expect(await direct.wait(for: ["/direct/\(number)"]))
                direct.giveFirst()
                #expect(try await client.response().body == "/direct/\(number)")
            }
        }
    }

    @Test func `Several direct requests in one packet are made one after another`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send((1...4).map { request("/direct/\($0)") }.joined())
            for number in 1...4 {
                #expect(await direct.wait(for: ["/direct/\(number)"]))
                direct.giveFirst()
                #expect(try await client.response().body == "/direct/\(number)")
            }
        }
    }

    @Test func `A half-closed client gets its response, and the connection ends`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send(request("/direct"))
            try await client.channel.close(mode: .output)
            #expect(await direct.wait(for: ["/direct"]))
            direct.giveFirst()
            #expect(try await client.response().body == "/direct")
            #expect(try await client.readToEnd() == "")
        }
    }

    @Test func `A client that is gone before its response harms nothing`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send(request("/direct"))
            #expect(await direct.wait(for: ["/direct"]))
            try await client.close()
            direct.giveFirst()
            #expect(try await server.client().get("/x").body == "GET /x ")
        }
    }

    /// Requests that are refused by their heads, bodies or syntax.
    private static let refused: [(text: String, status: Int)] = [
        ("GET /\(String(repeating: "a", count: 5_000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "b", count: 33_000))\r\n\r\n", 431),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: tea\r\n\r\n", 417),
        ("nonsense\r\n\r\n", 400),
    ]

    private func expectRefusal(_ status: Int, _ client: RawClient) async throws {
        let refusal = try await client.response()
        #expect(refusal.status == status && refusal.field("connection") == "close")
        #expect(try await client.readToEnd() == "")
    }

    @Test(arguments: refused.indices)
    func `A refused request behind direct ones gets its response after theirs, and the connection ends`(
        index: Int
    ) async throws {
        let (text, status) = Self.refused[index]
        try await run { server in
            let client = try await server.client()
            let behind = request("/never").repeated(2)
            try await client.send(request("/direct/1") + request("/fast") + request("/direct/2") + text + behind)
            for number in 1...2 {
                #expect(await direct.wait(for: ["/direct/\(number)"]))
                direct.giveFirst()
            }
            for body in ["/direct/1", "fast", "/direct/2"] { #expect(try await client.response().body == body) }
            try await expectRefusal(status, client)
        }
    }

    @Test(arguments: refused.indices)
    func `A refused request behind those of the router gets its response after theirs`(index: Int) async throws {
        let (text, status) = Self.refused[index]
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let respond: HTTPServer.Respond = { request, channel in
            entering.yield()
            for await _ in gate { break }
            return await RunningServer.echo(request, channel)
        }
        try await RunningServer.run(respond: respond) { server in
            let client = try await server.client()
            try await client.send(request("/1") + request("/2") + text)
            for await _ in entered { break }
            for _ in 0..<3 { opening.yield() }
            for body in ["GET /1 ", "GET /2 "] { #expect(try await client.response().body == body) }
            try await expectRefusal(status, client)
        }
    }

    @Test func `A direct request whose own body is refused gets one response`() async throws {
        try await run { server in
            let client = try await server.client()
            let head = "GET /direct HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await client.send(head + "11170\r\n" + String(repeating: "a", count: 70_000) + "\r\n")
            #expect(await direct.wait(for: ["/direct"]))
            try await expectRefusal(413, client)
            direct.giveFirst()
        }
    }

    @Test func `A client that has ended its side gets the refusal of its last request, too`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send(request("/direct") + "nonsense\r\n\r\n")
            try await client.channel.close(mode: .output)
            #expect(await direct.wait(for: ["/direct"]))
            direct.giveFirst()
            #expect(try await client.response().body == "/direct")
            try await expectRefusal(400, client)
        }
    }

    @Test func `A shutdown waits for a direct response, and the connection ends with it`() async throws {
        try await run { server in
            let client = try await server.client()
            try await client.send(request("/direct"))
            #expect(await direct.wait(for: ["/direct"]))
            await server.services.triggerGracefulShutdown()
            direct.giveFirst()
            let response = try await client.response()
            #expect(response.body == "/direct")
            #expect(try await client.readToEnd() == "")
        }
    }

    @Test func `An avatar that is not in memory is the same from the direct path and from the router`() async throws {
        try await RunningService.run { service in
            let target = "/v1/contacts/ada/avatar?size=40"
            let direct = try await service.get(target)
            // The router takes what would not wait.
            let routed = try await service.get(target + "&wait=0")
            #expect(direct.timeless == routed.timeless && direct.side == 40)
            let metrics = try await service.get("/metrics").body
            #expect(metrics.contains(#"tondo_http_requests_total{route="/v1/contacts/{id}/avatar",status="200"} 2"#))
        }
    }

    @Test(arguments: ["/v1/contacts/zoe/avatar", "/v1/contacts/ada/avatar?size=0", "/v1/contacts/%zz/avatar"])
    func `What is wrong with a request is the router's to report`(target: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get(target)
            #expect([400, 404].contains(response.status))
            #expect(response.field("content-type") == "application/problem+json")
        }
    }

    @Test func `A forwarded request needs the token`() async throws {
        try await RunningService.run { service in
            let target = "/v1/contacts/ada/avatar?size=41"
            let forwarded = try await service.get(target, fields: "X-Forwarded-For: 1.2.3.4\r\n")
            let crossSite = try await service.get(target, fields: "Sec-Fetch-Site: cross-site\r\n")
            let own = try await service.get(target)
            #expect(forwarded.status == 401 && crossSite.status == 403 && own.status == 200)
        }
    }
}

extension String {
    fileprivate func repeated(_ times: Int) -> String { String(repeating: self, count: times) }
}
