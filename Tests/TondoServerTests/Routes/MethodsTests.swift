import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct MethodsTests {
    @Test(arguments: [
        ("TRACE", "/", "GET, HEAD"), ("OPTIONS", "/v1/events", "GET, HEAD"), ("POST", "/v1/contacts", "GET, HEAD"),
        ("PUT", "/v1/contacts/ada", "DELETE, GET, HEAD"), ("TRACE", "/v1/contacts/ada", "DELETE, GET, HEAD"),
        ("GET", "/v1/contacts/ada/restore", "POST"), ("DELETE", "/healthz", "GET, HEAD, OPTIONS"),
        ("POST", "/avatar/0", "GET, HEAD, OPTIONS"),
    ])
    func `A known path names the methods it knows`(_ method: String, _ target: String, _ allow: String) async throws {
        try await RunningService.run { service in
            let response = try await service.server.client().get(target, method: method)
            #expect(response.status == 405 && response.field("allow") == allow)
            #expect(response.body.contains(#""code":"method-not-allowed""#))
        }
    }

    @Test(arguments: [("/healthz", 200), ("/readyz", 200), ("*", 204), ("/", 204)])
    func `A load balancer may ask with OPTIONS`(_ target: String, _ status: Int) async throws {
        try await RunningService.run { service in
            for version in ["1.1", "1.0"] {
                let client = try await service.server.client()
                try await client.send("OPTIONS \(target) HTTP/\(version)\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().status == status)
            }
        }
    }

    @Test(arguments: ["GET", "TRACE", "POST"])
    func `An unknown path is not found, whatever the method`(method: String) async throws {
        try await RunningService.run { service in
            let response = try await service.server.client().get("/nowhere", method: method)
            #expect(response.status == 404)
        }
    }

    @Test(arguments: [
        "//v1//contacts", "//v1/contacts", "/v1//contacts", "/v1/contacts/", "/v1/contacts//", "/v1/contacts/ada/",
        "/healthz/", "//", "//healthz", "/v1/contacts/?limit=1", "//v1/contacts?limit=1",
    ])
    func `A path in another spelling is none of the service's`(target: String) async throws {
        try await RunningService.run { service in
            let response = try await service.get(target)
            #expect(response.status == 404 && response.body.contains(#""code":"not-found""#))
        }
    }
}
