import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import TondoTestSupport

@testable import TondoServer

/// Clients that do not read what they asked for, over real sockets.
@Suite(.timeLimit(.minutes(15))) struct SlowReaderTests {
    private func limits(total: Int) -> ConnectionLimits {
        var output = OutputBudget.Limits()
        (output.total, output.client) = (total, total)
        var limits = ConnectionLimits()
        limits.output = OutputBudget(limits: output)
        return limits
    }

    /// Reads nothing of its own accord.
    private func idle(_ server: RunningServer) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4_096)
            .connect(to: server.addresses[0]).get()
    }

    private func request(_ target: String) -> ByteBuffer {
        ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    @Test(arguments: ["/fast", "/direct", "/router"])
    func `Two hundred connections that do not read one avatar keep one copy of it`(target: String) async throws {
        let body = ByteBuffer(repeating: 7, count: 4 << 20)
        let response = EncodedResponse(status: .ok, fields: [], body: body)
        let limits = limits(total: 64 << 20)
        try await RunningServer.run(
            limits: limits, fastPath: { head, _ in head.uri == "/fast" ? response : nil },
            directPath: { head, _, done in
                if head.uri == "/direct" { done(response) }
                return head.uri == "/direct"
            }, respond: { _, _ in response.response },
            body: { server in
                let clients = try await connect(200, to: server, target)
                #expect(await eventually { limits.output.pending >= body.storageCapacity })
                let first = try await server.client()
                #expect(try await first.get(target).bytes.count == 4 << 20)
                #expect(limits.output.pending < 2 * body.storageCapacity + 200 * 65_536)
                #expect(limits.output.refused == 0)
                for client in clients { try await client.close() }
                #expect(await eventually { limits.output.pending == 0 })
            })
    }

    @Test func `A probe of health has its response, however much the programs of this machine do not read`()
        async throws
    {
        let body = ByteBuffer(repeating: 7, count: 8 << 20)
        let large = EncodedResponse(status: .ok, fields: [], body: body)
        let health = EncodedResponse(status: .ok, fields: [], body: ByteBuffer(string: #"{"status":"ok"}"#))
        // One response takes all of it.
        let limits = limits(total: body.storageCapacity)
        try await RunningServer.run(
            limits: limits, fastPath: { head, _ in head.uri == "/healthz" ? health : large },
            body: { server in
                let clients = try await connect(1, to: server, "/large")
                #expect(await eventually { limits.output.pending >= body.storageCapacity })
                let probe = try await server.client()
                #expect(try await probe.get("/healthz").status == 200)
                #expect(limits.output.refused == 0)
                for client in clients { try await client.close() }
            })
    }

    private func connect(_ count: Int, to server: RunningServer, _ target: String) async throws -> [any Channel] {
        var clients: [any Channel] = []
        for _ in 0..<count {
            let client = try await idle(server)
            try await client.writeAndFlush(request(target))
            clients.append(client)
        }
        return clients
    }

    @Test(arguments: ["/fast", "/direct", "/router"])
    func `Beyond the memory for responses there is a 503, and once it is read there is a 200`(
        target: String
    ) async throws {
        let limits = limits(total: 16 << 20)
        let make: @Sendable () -> EncodedResponse = {
            EncodedResponse(status: .ok, fields: [], body: ByteBuffer(repeating: 7, count: 6 << 20))
        }
        try await RunningServer.run(
            limits: limits, fastPath: { head, _ in head.uri == "/fast" ? make() : nil },
            directPath: { head, _, done in
                if head.uri == "/direct" { done(make()) }
                return head.uri == "/direct"
            }, respond: { _, _ in make().response },
            body: { server in
                let clients = try await connect(2, to: server, target)
                #expect(await eventually { limits.output.pending >= 12 << 20 })
                let late = try await server.client()
                let refusal = try await late.get(target)
                #expect(refusal.status == 503 && refusal.field("retry-after") == "2")
                #expect(
                    refusal.body.contains("output-full") && refusal.field("content-type") == ProblemDetails.contentType)
                #expect(limits.output.refused == 1 && limits.output.pending <= 16 << 20)
                for client in clients { try await client.close() }
                #expect(await eventually { limits.output.pending == 0 })
                // The connection was not harmed.
                #expect(try await late.get(target).status == 200)
            })
    }

    @Test func `A client that sends thousands of requests and reads nothing is answered as far as it can take it`()
        async throws
    {
        let count = Mutex(0)
        let limits = limits(total: 64 << 20)
        let body = ByteBuffer(repeating: 7, count: 20_000)
        let response = EncodedResponse(status: .ok, fields: [], body: body)
        try await RunningServer.run(
            limits: limits,
            fastPath: { _, _ in
                count.withLock { $0 += 1 }
                return response
            },
            body: { server in
                let client = try await idle(server)
                let requests = String(repeating: "GET /x HTTP/1.1\r\nHost: x\r\n\r\n", count: 20_000)
                client.writeAndFlush(ByteBuffer(string: requests), promise: nil)
                let other = try await server.client()
                #expect(try await other.get("/x").status == 200)
                #expect(await eventually { count.withLock { $0 } > 1 })
                var last = 0
                // Nothing more happens: the counts are the same twice.
                #expect(
                    await eventually {
                        let now = count.withLock { $0 }
                        defer { last = now }
                        return now == last && limits.output.pending > 0
                    })
                #expect(count.withLock { $0 } < 2_000)
                try await client.close()
            })
    }

    @Test func `All requests of a client that reads late are answered, in their order`() async throws {
        let response: HTTPServer.FastPath = { head, _ in
            EncodedResponse(
                status: .ok, fields: [("Name", head.uri)], body: ByteBuffer(repeating: 7, count: 20_000))
        }
        try await RunningServer.run(fastPath: response) { server in
            let client = try await server.client()
            let requests = (0..<500).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined()
            try await client.send(requests)
            for number in 0..<500 { #expect(try await client.response().field("name") == "/\(number)") }
        }
    }
}
