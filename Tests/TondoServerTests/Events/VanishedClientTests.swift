import NIOCore
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct VanishedClientTests {
    private static let request = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Without heartbeats, which would find out, too.
    private func waitUntilAlone(_ service: RunningService) async {
        #expect(await eventually { service.service.broadcaster.subscribers == 0 })
    }

    @Test func `Clients that close are no listeners any more`() async throws {
        try await RunningService.run { service in
            for _ in 0..<10 {
                // Together: one after the other, each waits several times for a thread that other tests use, too.
                try await withThrowingTaskGroup { clients in
                    for _ in 0..<50 {
                        clients.addTask {
                            let client = try await service.server.client()
                            try await client.send(Self.request)
                            _ = try await client.read { $0.contains("event-stream") }
                            try await client.close()
                        }
                    }
                    try await clients.waitForAll()
                }
            }
            await waitUntilAlone(service)
        }
    }

    @Test func `A client that closes its side alone ends its stream`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send(Self.request)
            _ = try await client.read { $0.contains("event-stream") }
            try await client.channel.close(mode: .output)
            _ = try await client.readToEnd()
            await waitUntilAlone(service)
        }
    }

    @Test func `A client that asks and closes its side at once is no listener`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send(Self.request)
            try await client.channel.close(mode: .output)
            _ = try await client.readToEnd()
            await waitUntilAlone(service)
        }
    }

    @Test func `A client that closes its side still gets the answers it waits for`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            let get = "GET /v1/contacts HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await client.send(get + get)
            try await client.channel.close(mode: .output)
            #expect(try await client.response().status == 200)
            #expect(try await client.response().status == 200)
        }
    }
}
