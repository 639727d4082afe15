import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct PublicOriginTests {
    private static let hash = String(repeating: "0", count: 32)
    private static let field = "access-control-allow-origin"

    private func isGiven(
        _ target: String, _ host: String, origin: String? = nil, site: String? = nil, isForwarded: Bool = false
    ) -> Bool {
        PublicOrigin.isGiven(
            to: .init(
                method: "GET", target: target, host: host, origin: origin, fetchSite: site, isForwarded: isForwarded))
    }

    @Test func `Avatars by a hash may be read by all pages, and nothing else`() {
        for target in ["/avatar/\(Self.hash)", "/avatar/\(Self.hash)?d=404", "/avatar/x"] {
            #expect(isGiven(target, "avatars.example.org", origin: "https://other.example", isForwarded: true))
            #expect(isGiven(target, "localhost"))
        }
        for target in [
            "/", "/v1/contacts", "/v1/contacts/ada/avatar", "/avatar", "/avatar/a/b", "/healthz", "/viewer/a/b",
        ] {
            #expect(!isGiven(target, "avatars.example.org", isForwarded: true) && !isGiven(target, "localhost"))
        }
    }

    @Test func `A page from elsewhere may not read what the service of this machine knows`() {
        let target = "/avatar/\(Self.hash)"
        for origin in ["https://evil.example", "null", "http://localhost.evil.example", "file://"] {
            #expect(!isGiven(target, "localhost:7380", origin: origin), "\(origin)")
        }
        for origin in ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:80"] {
            #expect(isGiven(target, "localhost:7380", origin: origin), "\(origin)")
        }
        #expect(
            !isGiven(target, "localhost:7380", site: "cross-site") && isGiven(target, "localhost", site: "same-site"))
    }

    @Test func `Router and memory give the field alike`() async throws {
        try await RunningService.run { service in
            let known = AddressHash.md5(of: "ada@example.org").hexadecimal
            for target in [
                "/avatar/\(known)", "/avatar/\(Self.hash)?d=retro", "/avatar/\(Self.hash)?d=404", "/avatar/x",
            ] {
                for _ in 0..<2 {
                    let answer = try await service.get(target)
                    #expect(answer.field(Self.field) == "*", "\(target)")
                    let other = try await service.get(target, fields: "Origin: https://evil.example\r\n")
                    #expect(other.field(Self.field) == nil, "\(target)")
                    guard let tag = answer.field("etag") else { continue }
                    let same = try await service.get(target, fields: "If-None-Match: \(tag)\r\n")
                    #expect(same.status == 304 && same.field(Self.field) == "*")
                }
            }
            for target in ["/v1/contacts", "/v1/contacts/ada/avatar", "/readyz", "/nothing"] {
                #expect(try await service.get(target).field(Self.field) == nil, "\(target)")
            }
        }
    }
}
