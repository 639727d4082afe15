import NIOCore
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

/// What is seen from where. A reverse proxy on this machine is what requests from beyond it look like here.
@Suite(.timeLimit(.minutes(15))) struct AccessTests {
    private static let token = String(repeating: "t", count: 40)
    private static let hash = "5bfcf2d8e394674550332640d72db509"
    private static let areas = [
        "/", "/v1/contacts", "/v1/contacts/ada", "/v1/groups", "/v1/contacts/ada/avatar", "/v1/contacts/ada/photo",
        "/v1/contacts/ada/crop",
        "/v1/events", "/v1/cache", "/v1/cache/why/ada", "/v1/jobs", "/metrics",
    ]
    private static let open = ["/avatar/\(hash)", "/avatar/\(hash)?s=40", "/healthz", "/readyz"]

    /// As different proxies pass a request on; the last one is nginx's bare `proxy_pass`.
    static let proxied = [
        "HTTP/1.1\r\nHost: avatars.example.org\r\n", "HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n",
        "HTTP/1.1\r\nHost: 127.0.0.1:7380\r\nForwarded: for=192.0.2.1\r\n",
        "HTTP/1.1\r\nHost: localhost\r\nX-Real-IP: 192.0.2.1\r\n", "HTTP/1.1\r\nHost: localhost\r\nVia: 1.1 proxy\r\n",
        "HTTP/1.0\r\nHost: 127.0.0.1:7380\r\nConnection: close\r\n",
    ]

    private static func run(
        _ open: Set<ServiceArea> = [], body: (RunningService) async throws -> Void
    ) async throws {
        let hosts = HostGuard(configured: ["avatars.example.org"])
        let requests = RequestGuard(hosts: hosts, token: AccessToken(token), open: open)
        try await RunningService.run(guard: requests, body: body)
    }

    /// The status of a request whose head goes on with `rest`.
    private static func status(_ service: RunningService, _ target: String, _ rest: String) async throws -> Int {
        let client = try await service.server.client()
        try await client.send("GET \(target) \(rest)\r\n")
        let text = try await client.read { $0.contains("\r\n\r\n".unicodeScalars) }
        try await client.close()
        return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    @Test(arguments: proxied)
    func `Beyond this machine only avatars by hash and the health are seen without the token`(rest: String) async throws
    {
        try await Self.run { service in
            // Twice: what this machine has asked for is in memory.
            for _ in 0..<2 {
                for target in Self.areas {
                    #expect(try await Self.status(service, target, rest) == 401, "\(target)")
                    let own = try await Self.status(service, target, "HTTP/1.1\r\nHost: localhost\r\n")
                    #expect(own == 200, "\(target)")
                }
                for target in Self.open { #expect(try await Self.status(service, target, rest) == 200, "\(target)") }
            }
        }
    }

    @Test(arguments: proxied)
    func `The token opens the rest`(rest: String) async throws {
        try await Self.run { service in
            for target in Self.areas {
                let held = rest + "Authorization: Bearer \(Self.token)\r\n"
                let status = try await Self.status(service, target, held)
                #expect(status == 200, "\(target)")
                let wrong = rest + "Authorization: Bearer \(Self.token)x\r\n"
                #expect(try await Self.status(service, target, wrong) == 401, "\(target)")
            }
        }
    }

    @Test func `The setting public opens areas by name, and nothing else`() async throws {
        try await Self.run([.contacts, .events]) { service in
            for target in Self.areas {
                let isOpen = ["/v1/contacts", "/v1/contacts/ada", "/v1/groups", "/v1/events"].contains(target)
                #expect(try await Self.status(service, target, Self.proxied[0]) == (isOpen ? 200 : 401), "\(target)")
            }
            let delete = "DELETE /v1/contacts/ada \(Self.proxied[0])\r\n"
            let client = try await service.server.client()
            try await client.send(delete)
            #expect(try await client.response().status == 401)
        }
    }

    @Test func `Nothing says what is there before the token is shown`() async throws {
        try await Self.run { service in
            for target in ["/v1/contacts/nobody", "/nowhere", "/v1/contacts/", "/v1/contacts/ada/restore"] {
                let status = try await Self.status(service, target, Self.proxied[1])
                #expect(status == 401, "\(target)")
            }
        }
    }

    @Test func `Over the Unix socket everything is seen and changed, unless a proxy passes it on`() async throws {
        let folder = try TemporaryFolder()
        let people = try await ServedContacts()
        let source = HTTPServer.Source.address(.unix(path: folder.pathString + "/s"))
        try await RunningServer.run(
            sources: [source], fastPath: people.service.response, respond: people.service.respond(),
            onShutdown: people.addressBooks.broadcaster.end
        ) { server in
            let client = try await server.client()
            #expect(try await client.get("/v1/contacts").status == 200)
            let forwarded = "X-Forwarded-For: 192.0.2.1\r\n"
            #expect(try await client.get("/v1/contacts", fields: forwarded).status == 401)
            #expect(try await client.get("/v1/contacts/ada", method: "DELETE", fields: forwarded).status == 401)
            #expect(try await client.get("/v1/contacts/ada", method: "DELETE").status != 401)
        }
        people.addressBooks.stop()
    }

    @Test func `Another site's page gets nothing on this machine, and may show what is open beyond it`() async throws {
        try await Self.run { service in
            let cross = "Sec-Fetch-Site: cross-site\r\n"
            for target in Self.areas + Self.open {
                _ = try? await Self.status(service, target, "HTTP/1.1\r\nHost: localhost\r\n")
                let requested = try await Self.status(service, target, "HTTP/1.1\r\nHost: localhost\r\n\(cross)")
                #expect(requested == 403, "\(target)")
            }
            for target in Self.open {
                #expect(try await Self.status(service, target, Self.proxied[0] + cross) == 200, "\(target)")
            }
        }
    }

    @Test func `A link on another site leads to the page`() async throws {
        try await Self.run { service in
            let link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"
            let page = try await Self.status(service, "/", "HTTP/1.1\r\nHost: localhost\r\n\(link)")
            let list = try await Self.status(service, "/v1/contacts", "HTTP/1.1\r\nHost: localhost\r\n\(link)")
            #expect(page == 200 && list == 403)
        }
    }

    @Test func `Only what is open beyond this machine may be shown by other sites`() async throws {
        try await Self.run { service in
            for _ in 0..<2 {
                for target in ["/avatar/\(Self.hash)", "/v1/contacts/ada/avatar", "/", "/nowhere", "/healthz"] {
                    let response = try await service.get(target)
                    #expect(response.field("cross-origin-resource-policy") == "same-origin", "\(target)")
                }
                let client = try await service.server.client()
                try await client.send("GET /avatar/\(Self.hash) \(Self.proxied[0])\r\n")
                #expect(try await client.response().field("cross-origin-resource-policy") == "cross-origin")
                let held = Self.proxied[0] + "Authorization: Bearer \(Self.token)\r\n"
                try await client.send("GET /v1/contacts/ada/avatar \(held)\r\n")
                #expect(try await client.response().field("cross-origin-resource-policy") == "same-origin")
            }
        }
    }
}

extension String {
    fileprivate func contains(_ scalars: String.UnicodeScalarView) -> Bool { unicodeScalars.contains(scalars) }
}
