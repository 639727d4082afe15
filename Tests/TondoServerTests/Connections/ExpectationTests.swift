import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Testing

@testable import TondoServer

/// `Expect: 100-continue` (RFC 9110 10.1.1).
@Suite(.timeLimit(.minutes(10))) struct ExpectationTests {
    private static func head(_ fields: String, method: String = "POST", version: String = "1.1") -> String {
        "\(method) /v1 HTTP/\(version)\r\nHost: localhost\r\n\(fields)\r\n"
    }

    private static let expectant = head("Content-Length: 5\r\nExpect: 100-continue\r\n")

    @Test(arguments: ["100-continue", "100-Continue", "100-continue, 100-continue"])
    func `A client that waits is permitted to go on, and gets its response`(_ value: String) async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            try await client.send(Self.head("Transfer-Encoding: chunked\r\nExpect: \(value)\r\n"))
            #expect(try await client.response().head == "HTTP/1.1 100 Continue")
            try await client.send("5\r\nhello\r\n0\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 200 && response.body == "POST /v1 hello")
            // The connection goes on.
            #expect(try await client.get("/next").body == "GET /next ")
            try await client.close()
        }
    }

    @Test func `A response that needs no body comes without 100, and ends the connection`() async throws {
        let refuse: HTTPServer.Respond = { _, _ in ProblemDetails(.unauthorized, code: "token-needed").response }
        try await RunningServer.run(respond: refuse) { server in
            let client = try await server.client()
            try await client.send(Self.expectant)
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 401 Unauthorized\r\n") && !text.contains(" 100 "))
            #expect(text.lowercased().contains("connection: close\r\n"))
            try await client.close()
        }
    }

    @Test(arguments: [
        ("Content-Length: 70000\r\nExpect: 100-continue\r\n", 413),
        ("Content-Length: 5\r\nContent-Length: 6\r\nExpect: 100-continue\r\n", 400),
        ("Content-Length: 5\r\nExpect: a-miracle\r\n", 417), ("Expect: 100-continue, tea\r\n", 417),
        ("Expect: tea\r\nExpect: 100-continue\r\n", 417),
    ])
    func `A request that is refused by its head gets no 100`(_ fields: String, _ status: Int) async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            try await client.send(Self.head(fields))
            let text = try await client.readToEnd()
            #expect(text.hasPrefix("HTTP/1.1 \(status) ") && !text.contains(" 100 "), "\(text)")
            try await client.close()
        }
    }

    @Test func `Neither HTTP 1.0, nor a request without a body, nor a client that sends at once gets 100`() async throws
    {
        try await RunningServer.run { server in
            for text in [
                Self.head("Content-Length: 5\r\nExpect: 100-continue\r\nConnection: keep-alive\r\n", version: "1.0")
                    + "hello",
                Self.head("Content-Length: 5\r\nExpect: tea\r\nConnection: keep-alive\r\n", version: "1.0") + "hello",
                Self.head("Content-Length: 0\r\nExpect: 100-continue\r\n"),
                Self.head("Expect: 100-continue\r\n", method: "GET"),
            ] {
                let client = try await server.client()
                try await client.send(text)
                let response = try await client.response()
                #expect(response.status == 200, "\(response.head)")
                try await client.close()
            }
        }
    }

    @Test func `The router refuses without 100 what it refuses without the body`() async throws {
        let guarded = RequestGuard(
            hosts: HostGuard(), token: AccessToken("a-secret-of-more-than-thirty-two-characters"))
        try await RunningService.run(guard: guarded) { service in
            for (target, status) in [("/v1/contacts/ada/restore", 401), ("/v1/nothing", 404), ("/v1/contacts", 405)] {
                let client = try await service.server.client()
                try await client.send(
                    "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
                let text = try await client.readToEnd()
                #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
                try await client.close()
            }
            let body = #"{"size":16,"ids":["ada"]}"#
            let client = try await service.server.client()
            try await client.send(
                "POST /v1/avatars HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Expect: 100-continue\r\n\r\n")
            #expect(try await client.read { $0.hasSuffix("\r\n\r\n") } == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send(body)
            _ = try await client.read { $0.contains("HTTP/1.1 200 OK") }
            try await client.close()
        }
    }
}
