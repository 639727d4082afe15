import Testing

@testable import TondoServer

/// Over the wire, since a body that a client does not expect is taken for the next response.
@Suite(.timeLimit(.minutes(15))) struct HeadTests {
    private static let hash = String(repeating: "0", count: 32)

    @Test(arguments: [
        ("/", 200), ("/nowhere", 404), ("/v1/contacts", 200), ("/v1/contacts?limit=x", 400), ("/v1/contacts/", 404),
        ("/v1/contacts/ada/avatar", 200), ("/v1/contacts/ada/avatar?size=x", 400), ("/v1/contacts/ada/restore", 405),
        ("/avatar/\(hash)?d=404", 404), ("/avatar/\(hash)", 200), ("/v1/events", 200), ("/metrics", 200),
        ("/v1/cache/entries/x", 400),
    ])
    func `HEAD never carries a body, and the next response begins where it ends`(
        _ target: String, _ status: Int
    ) async throws {
        try await RunningService.run { service in
            // Twice: by the router, and from memory.
            for _ in 0..<2 {
                let client = try await service.server.client()
                try await client.send("HEAD \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let text = try await client.read { $0.contains(#"{"status":"ok"}"#) }
                let heads = text.components("\r\n\r\n")
                #expect(heads.count == 3 && heads[0].hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                #expect(heads[1].hasPrefix("HTTP/1.1 200 ") && heads[2] == #"{"status":"ok"}"#, "\(text)")
                _ = try await service.get(target == "/v1/events" ? "/" : target)
            }
        }
    }

    @Test func `HEAD for a stranger's name carries no body`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("HEAD / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 421 ") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `HEAD that is refused at the front door carries no body`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            let long = String(repeating: "a", count: 5_000)
            try await client.send("HEAD /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 414 ") && text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `HEAD of the event stream has no length and leaves no listener`() async throws {
        try await RunningService.run { service in
            let head = try await service.server.client().head("/v1/events")
            #expect(head.status == 200 && head.field("content-type") == "text/event-stream")
            #expect(head.field("content-length") == nil && head.field("transfer-encoding") == nil)
            #expect(service.service.broadcaster.subscribers == 0)
        }
    }

    @Test func `HEAD says the length of what GET would send`() async throws {
        try await RunningService.run { service in
            for target in ["/", "/v1/contacts", "/nowhere", "/v1/contacts/ada/avatar"] {
                let whole = try await service.get(target)
                let head = try await service.server.client().head(target)
                #expect(head.field("content-length") == "\(whole.bytes.count)" && whole.bytes.count > 0, "\(target)")
            }
        }
    }
}

extension String {
    /// Counted in scalars, since Swift takes a line end for one character.
    fileprivate func components(_ separator: String) -> [String] {
        var (parts, rest) = ([String](), Array(unicodeScalars)[...])
        let wanted = Array(separator.unicodeScalars)
        var part = String.UnicodeScalarView()
        while let first = rest.first {
            if rest.starts(with: wanted) {
                parts.append(String(part))
                (part, rest) = (.init(), rest.dropFirst(wanted.count))
            } else {
                part.append(first)
                rest = rest.dropFirst()
            }
        }
        return parts + [String(part)]
    }
}
