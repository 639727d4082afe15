import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct HTTP10Tests {
    @Test func `The event stream comes without chunks, and its connection ends with it`() async throws {
        try await RunningService.run { service in
            for fields in ["", "Connection: keep-alive\r\n"] {
                let client = try await service.server.client()
                try await client.send("GET /v1/events HTTP/1.0\r\nHost: localhost\r\n\(fields)Last-Event-ID: 0\r\n\r\n")
                let text = try await client.read { $0.contains("event: finished") }
                #expect(text.lowercased().contains("connection: close\r\n"))
                #expect(!text.lowercased().contains("transfer-encoding") && !text.lowercased().contains("keep-alive"))
                let body = text.unicodeScalars.split(separator: "\r\n\r\n".unicodeScalars, maxSplits: 1)[1]
                #expect(String(body).hasPrefix("retry: "))
                try await client.close()
            }
        }
    }

    @Test func `The event stream of an HTTP 1.0 client ends with the service`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /v1/events HTTP/1.0\r\nConnection: keep-alive\r\nLast-Event-ID: 0\r\n\r\n")
            _ = try await client.read { $0.contains("event: finished") }
            service.service.broadcaster.end()
            #expect(try await client.readToEnd().hasSuffix("\n\n"))
        }
    }

    @Test func `A connection that is kept is announced, and the next request is answered on it`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            // The avatar comes from the router first, then from memory.
            for target in ["/healthz", "/nowhere", "/v1/contacts/ada/avatar", "/v1/contacts/ada/avatar"] {
                try await client.send("GET \(target) HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
                let response = try await client.response()
                #expect(response.field("connection") == "keep-alive", "\(target)")
            }
        }
    }

    @Test func `A connection that is not kept is closed, and says so`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET /healthz HTTP/1.0\r\n\r\n")
            #expect(try await client.response().field("connection") == "close")
            #expect(try await client.readToEnd() == "")
        }
    }
}
