import Hummingbird
import HummingbirdCore
import Logging
import NIOHTTP1
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite struct HTTPServerRouterTests {
    private struct Secret: Error { let path = "/var/lib/secret" }

    private var respond: HTTPServer.Respond {
        let router = Router()
        router.get("/v1/contacts/{id}") { _, context in context.parameters.get("id") ?? "" }
        router.delete("/v1/contacts/{id}") { _, _ in "gone" }
        router.get("/broken") { _, _ -> String in throw Secret() }
        router.get("/busy") { _, _ -> String in
            throw ProblemDetails(.serviceUnavailable, code: "queue-full", retryAfter: 1)
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let requests = RequestGuard(hosts: HostGuard(), token: nil)
        return HTTPServer.respond(by: router, guard: requests, logger: logger)
    }

    @Test func `A router answers, and what it throws becomes a problem without secrets`() async throws {
        try await RunningServer.run(respond: respond) { server in
            let client = try await server.client()
            #expect(try await client.get("/v1/contacts/ada").body == "ada")
            let missing = try await client.get("/nowhere")
            #expect(missing.status == 404 && missing.body.contains(#""code":"not-found""#))
            let broken = try await client.get("/broken")
            #expect(broken.status == 500 && broken.body.contains("internal-server-error"))
            #expect(!broken.body.contains("secret"))
            let busy = try await client.get("/busy")
            #expect(busy.status == 503 && busy.field("retry-after") == "1")
        }
    }

    @Test func `Strangers are refused, and our own user at the Unix socket is not`() async throws {
        let folder = try TemporaryFolder()
        let sources = [
            HTTPServer.Source.address(.tcp(host: "127.0.0.1", port: 0)),
            .address(.unix(path: folder.pathString + "/s")),
        ]
        try await RunningServer.run(sources: sources, respond: respond) { server in
            let tcp = try await server.client(0)
            #expect(try await tcp.get("/v1/contacts/ada", method: "DELETE").status == 401)
            try await tcp.send("GET /v1/contacts/ada HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            #expect(try await tcp.response().status == 421)
            let unix = try await server.client(1)
            #expect(try await unix.get("/v1/contacts/ada", method: "DELETE").body == "gone")
            let crossSite = "Origin: http://evil.example\r\n"
            #expect(try await unix.get("/v1/contacts/ada", method: "DELETE", fields: crossSite).status == 403)
        }
    }
}
