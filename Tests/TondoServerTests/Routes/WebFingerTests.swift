import HTTPTypes
import Testing

@testable import TondoServer

/// `GET /.well-known/webfinger`.
@Suite(.timeLimit(.minutes(15))) struct WebFingerTests {
    private static func path(_ resource: String, _ rest: String = "") -> String {
        "/.well-known/webfinger?resource=\(resource)\(rest)"
    }

    private static let ada = path("acct:ada@example.org")

    @Test func `An address leads to its avatar, which is there`() async throws {
        try await RunningService.run { service async throws in
            let answer = try await service.get(Self.ada)
            #expect(answer.status == 200 && answer.field("content-type") == "application/jrd+json")
            #expect(answer.json["subject"] as? String == "acct:ada@example.org")
            let link = try #require((answer.json["links"] as? [[String: String]])?.first)
            #expect(link["rel"] == "http://webfinger.net/rel/avatar" && link["type"] == "image/png")
            let href = try #require(link["href"])
            let path = try #require(href.firstRange(of: "/avatar/").map { String(href[$0.lowerBound...]) })
            #expect(try await service.get(path + "?d=404").status == 200)
        }
    }

    @Test(arguments: [
        "mailto:ada@example.org", "acct%3Aada%40example.org", "ACCT:ada@example.org", "ada@example.org",
        "acct:@ada@example.org",
    ])
    func `Each spelling of an address is found`(resource: String) async throws {
        try await RunningService.run { service async throws in
            #expect(try await service.get(Self.path(resource)).status == 200)
        }
    }

    @Test func `An unknown address and one without a photo are the same answer`() async throws {
        try await RunningService.run { service async throws in
            let unknown = try await service.get(Self.path("acct:nobody@example.org"))
            #expect(unknown.status == 404 && unknown.code == "avatar-not-found")
        }
    }

    @Test(arguments: ["https://example.org/ada", "urn:x", "tel:+4912"])
    func `Another resource is one that is unknown`(resource: String) async throws {
        try await RunningService.run { service async throws in
            #expect(try await service.get(Self.path(resource)).status == 404)
        }
    }

    @Test(arguments: ["", "ada", "acct:", "acct:@ada", "acct:a@b@c", "@@a@b", "acct:a@b&resource=acct:c@d"])
    func `What is no address is refused`(resource: String) async throws {
        try await RunningService.run { service async throws in
            let answer = try await service.get(Self.path(resource))
            #expect(answer.status == 400 && answer.code == "bad-parameter")
        }
    }

    @Test func `Links of other relations are left out`() async throws {
        try await RunningService.run { service async throws in
            let other = try await service.get(Self.ada + "&rel=http://webfinger.net/rel/profile-page")
            #expect((other.json["links"] as? [Any])?.isEmpty == true)
            let both = try await service.get(
                Self.ada + "&rel=self&rel=http%3A%2F%2Fwebfinger.net%2Frel%2Favatar")
            #expect((both.json["links"] as? [Any])?.count == 1)
        }
    }

    @Test(
        arguments: [
            ("a.example", [:], "https"), ("a.example:443", [:], "https"), ("a.example:7380", [:], "http"),
            ("localhost:1", [:], "http"), ("[2001:db8::1]", [:], "https"), ("[2001:db8::1]:80", [:], "http"),
            ("a.example:8443", ["X-Forwarded-For": "192.0.2.1"], "https"),
            ("a.example:1", ["x-forwarded-proto": "HTTPS , http"], "https"),
            ("a.example", ["X-Forwarded-Proto": "http"], "http"), ("a.example", ["X-Forwarded-Proto": "ftp"], "https"),
        ] as [(String, [String: String], String)])
    func `A link has the protocol of the client, as far as it is known`(
        host: String, fields: [String: String], scheme: String
    ) throws {
        var all = HTTPFields()
        for (name, value) in fields { all[try #require(HTTPField.Name(name))] = value }
        #expect(PublicOrigin.scheme(of: host, fields: all) == scheme)
    }
}
