import Testing

@testable import TondoServer

/// Requests that try something, sent as they are.
@Suite struct HostileRequestTests {
    private static let host = "Host: localhost\r\n"

    /// What is sent, and the statuses of which one must come; none: the connection just ends.
    static let requests: [(text: String, statuses: Set<Int>)] = [
        ("\r\n\r\n\r\nX", [400]),
        ("GET\r\n\r\n", [400]),
        ("GET / HTTP/2.0\r\n\(host)\r\n", [400]),
        ("GET / HTTP/9.9\r\n\(host)\r\n", [400]),
        ("GET / HTTP/1.1\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", [400]),
        ("GET ftp://localhost/ HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET http:/// HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET http://localhost/ HTTP/1.1\r\n\r\n", [400]),
        ("GET http://localhost/ HTTP/1.1\r\n\(host)\(host)\r\n", [400]),
        ("GET http://ada@localhost/ HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET http://localhost/\u{1} HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET * HTTP/1.1\r\n\(host)\r\n", [400]),
        ("OPTIONS *x HTTP/1.1\r\n\(host)\r\n", [400]),
        ("CONNECT evil.example:443 HTTP/1.1\r\n\(host)\r\n", [400, 501]),
        ("PROPFIND / HTTP/1.1\r\n\(host)\r\n", [501]),
        ("BREW / HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET /\u{1} HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET /\u{7f} HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET /é HTTP/1.1\r\n\(host)\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host)A b: c\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host)A : c\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host) folded\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host): empty\r\n\r\n", [400]),
        ("GET / HTTP/1.1\r\n\(host)A: b\u{0}c\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: +5\r\n\r\nhello", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 0x5\r\n\r\nhello", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 5, 5\r\n\r\nhello", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", [400]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999999\r\n\r\n", [400, 413]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 70000\r\n\r\n", [413]),
        ("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", [501]),
        ("POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
        ("POST / HTTP/1.0\r\n\(host)Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
        ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", [400]),
        ("GET /\(String(repeating: "a", count: 5_000)) HTTP/1.1\r\n\(host)\r\n", [414]),
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\(host)\r\n", [414, 431]),
        ("GET / HTTP/1.1\r\n\(host)A: \(String(repeating: "b", count: 33_000))\r\n\r\n", [431]),
        ("GET / HTTP/1.1\r\n\(host)\(String(repeating: "b", count: 33_000)): a\r\n\r\n", [431]),
        ("GET / HTTP/1.1\r\n\(host)\(String(repeating: "A: b\r\n", count: 200))\r\n", [431]),
        ("GET / HTTP/1.1\r\n\(host)\(many(4_000, 10))\r\n", [431]),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}", [400]),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
    ]

    private static func many(_ size: Int, _ count: Int) -> String {
        String(repeating: "A: \(String(repeating: "b", count: size))\r\n", count: count)
    }

    @Test(arguments: requests.indices)
    func `A hostile request is refused, its connection ends, and the next client is served`(index: Int) async throws {
        let request = Self.requests[index]
        try await RunningServer.run { server in
            let client = try await server.client()
            try? await client.send(request.text)
            let response = try await client.response()
            #expect(request.statuses.contains(response.status), "\(response.status)")
            #expect(response.body.hasPrefix("{\"type\":\"about:blank\""))
            #expect(response.field("connection") == "close" && response.field("cache-control") == nil)
            #expect(try await client.readToEnd() == "")
            let next = try await server.client().get("/")
            #expect(next.status == 200)
        }
    }

    @Test func `A request for another protocol is not granted, and nothing is read after it`() async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            let upgrade = "Connection: Upgrade\r\nUpgrade: h2c\r\n"
            #expect(try await client.get("/x", fields: upgrade).body == "GET /x ")
            #expect(try await client.readToEnd() == "")
        }
    }

    @Test func `The cookies of all programs of a machine may stand in one field`() async throws {
        try await RunningServer.run { server in
            let client = try await server.client()
            let cookie = "Cookie: \(String(repeating: "c", count: 30_000))\r\n"
            #expect(try await client.get("/x", fields: cookie).status == 200)
        }
    }
}
