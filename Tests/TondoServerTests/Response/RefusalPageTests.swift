import Hummingbird
import HummingbirdCore
import NIOHTTP1
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct RefusalPageTests {
    private static let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"
    private static let remote = "X-Forwarded-For: 192.0.2.1\r\n"

    @Test func `A person reads a page, a program gets the problem`() async throws {
        try await RunningService.run { service in
            let page = try await service.get("/", fields: Self.remote + Self.browser)
            #expect(page.status == 401 && page.field("content-type") == "text/html; charset=utf-8")
            #expect(page.body.contains("<code>tondo open</code>") && page.body.contains(#"<html lang="en">"#))
            #expect(page.field("cache-control") == "no-store" && page.field("www-authenticate") == "Bearer")
            for accept in ["", "Accept: */*\r\n", "Accept: application/json\r\n"] {
                let problem = try await service.get("/", fields: Self.remote + accept)
                #expect(problem.status == 401 && problem.json["code"] as? String == "token-needed")
            }
        }
    }

    @Test func `An unknown name gets a page without the name`() async throws {
        try await RunningService.run { service in
            let client = try await service.server.client()
            try await client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\(Self.browser)\r\n")
            let page = try await client.response()
            #expect(page.status == 421 && page.body.contains("<code>--host</code>") && !page.body.contains("evil"))
        }
    }

    @Test func `A page has no script, and its policy permits its style alone`() async throws {
        try await RunningService.run { service in
            let page = try await service.get("/", fields: Self.remote + Self.browser)
            let policy = try #require(page.field("content-security-policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"))
            for word in ["<script", "<img", "<link", "style=", " href="] { #expect(!page.body.contains(word)) }
        }
    }

    @Test(arguments: [
        ("ru-RU,ru;q=0.9,en;q=0.8", "ru"), ("zh-CN", "zh"), ("zh-Hant-TW, en;q=0.5", "zh"), ("de, fr", "en"),
        ("de;q=1, ru;q=0.3, en;q=0.4", "en"), ("en;q=0, ru;q=0.1", "ru"), ("", "en"), ("ru;q=x", "en"), (",;,", "en"),
    ])
    func `The language is the one the browser likes best`(field: String, language: String) async throws {
        try await RunningService.run { service in
            let fields = Self.remote + Self.browser + "Accept-Language: \(field)\r\n"
            let page = try await service.get("/", fields: fields)
            #expect(page.field("content-language") == language && page.body.contains("<html lang=\"\(language)\">"))
        }
    }

    @Test func `Nothing but a refusal of a reader has a page`() async throws {
        try await RunningService.run { service in
            #expect(try await service.get("/nowhere", fields: Self.browser).json["code"] as? String == "not-found")
            let client = try await service.server.client()
            let refused = try await client.get(
                "/v1/contacts/ada", method: "DELETE", fields: Self.browser + Self.remote)
            #expect(refused.json["code"] as? String == "token-needed")
        }
    }
}
