import Testing
import TondoAvatars

@testable import TondoServer

@Suite(.timeLimit(.minutes(2))) struct EventsTests {
    private static func names(_ stream: String) -> [String] {
        stream.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func `A stream begins with the total, then all contacts, then the end`() async throws {
        try await RunningService.run(isLoading: false) { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await client.read { $0.contains("text/event-stream") && $0.contains("\r\n\r\n") }
            service.load()
            let names = Self.names(try await client.read { $0.contains("event: finished") })
            #expect(names.first == "total" && names.count { $0 == "contact" } == 3)
            #expect(names.last == "finished")
        }
    }

    @Test func `A client that reconnects gets the events since`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1\r\n\r\n")
            let stream = try await client.read { $0.contains("event: finished") }
            #expect(stream.contains("id: 2\n") && !stream.contains("event: total"))
        }
    }

    @Test func `A client that reconnects from another run gets a reset`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 99999\r\n\r\n")
            _ = try await client.read { $0.contains("event: reset") }
        }
    }

    @Test func `No event says where the book is`() async throws {
        let photo = Card.card("ada", photo: ";VALUE=uri:missing.jpg")
        try await RunningService.run(["ada": photo, "bad": "BEGIN:VCARD"], styles: [AvatarStyle(size: 16)]) { service in
            let recorded = await service.received { $0.contains("event: finished") }
            #expect(recorded.contains("event: avatarFailed") && recorded.contains("event: avatar\n"))
            #expect(!recorded.contains("tondo-server") && !recorded.contains("file:"), "\(recorded)")
        }
    }
}
