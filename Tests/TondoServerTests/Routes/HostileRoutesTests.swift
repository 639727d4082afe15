import Testing

@testable import TondoServer

/// Well-formed requests that try something, against the real routes.
@Suite(.timeLimit(.minutes(15))) struct HostileRoutesTests {
    private static let many = String(repeating: "a", count: 3_000)

    static let targets = [
        "/v1/contacts/..%2f..%2f..%2fetc%2fpasswd/avatar", "/v1/contacts/../avatar", "/v1/contacts//avatar",
        "/v1/contacts/%00/avatar", "/v1/contacts/%0d%0aSet-Cookie:a/avatar", "/v1/contacts/%ff%fe/avatar",
        "/v1/contacts/\(many)/avatar", "/v1/contacts/ada%2favatar", "/v1/contacts/%e2%80%ae/avatar",
        "/v1/contacts/ada/avatar?v=../../../etc/passwd", "/v1/contacts/ada/avatar?style=../x",
        "/v1/contacts/ada/avatar?size=\(many)", "/v1/contacts/ada/avatar?size=1e3",
        "/v1/contacts/ada/avatar?size=96%00",
        "/avatar/../book/ada.vcf", "/avatar/%2e%2e%2fbook", "/avatar/\(many)", "/avatar/.png",
        "/avatar/\(String(repeating: "0", count: 32))/..", "/avatars", "/.", "/index.html", "/%2e%2e/",
    ]

    @Test func `None of them is answered with more than a problem, and no path comes out`() async throws {
        try await RunningService.run { service in
            for target in Self.targets {
                let response = try await service.get(target)
                #expect(response.status == 400 || response.status == 404, "\(target): \(response.status)")
                #expect(response.body.hasPrefix(#"{"type":"about:blank""#) && response.field("set-cookie") == nil)
                for text in ["/tmp", "tondo-server", "book", "cache/", "etc"] {
                    #expect(!(response.head + response.body).contains(text), "\(target)")
                }
            }
            #expect(try await service.get("/v1/contacts/ada/avatar").status == 200)
        }
    }

    @Test func `Defaults and sizes that try something are ignored`() async throws {
        try await RunningService.run { service in
            let hash = String(repeating: "0", count: 32)
            let plain = try await service.get("/avatar/\(hash)")
            for query in [
                "d=//evil.example", "d=javascript:alert(1)", "d=file%3A%2F%2F%2Fetc%2Fpasswd", "d=%0d%0aLocation:x",
                "d=https://evil.example@localhost/", "s=1e9", "s=%00", "%", "&&&=", "=&=",
                "shape=triangle", "d=\(Self.many)",
            ] {
                let response = try await service.get("/avatar/\(hash)?\(query)")
                #expect(response.status == 200 && response.bytes == plain.bytes, "\(query)")
                #expect(response.field("location") == nil)
            }
        }
    }

    @Test func `Nothing can be changed here, whatever the method`() async throws {
        try await RunningService.run { service in
            for method in ["POST", "DELETE", "PUT", "PATCH"] {
                for target in ["/", "/v1/events", "/v1/contacts/ada/avatar", "/avatar/0", "/avatar/0/x"] {
                    let client = try await service.server.client()
                    let response = try await client.get(target, method: method)
                    #expect(response.status == (target == "/avatar/0/x" ? 404 : 405), "\(method) \(target)")
                }
            }
        }
    }
}
