import Foundation
import Synchronization
import Testing
import TondoEndpoints
import TondoTestSupport

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct SessionTests {
    private let people: ServedContacts

    init() async throws { people = try await ServedContacts() }

    private func post(
        _ client: RawClient, _ target: String, _ body: String = "", fields: String = ""
    ) async throws -> RawResponse {
        try await client.send(
            "POST \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try await client.response()
    }

    private func code(_ client: RawClient) async throws -> String {
        let response = try await post(client, "/v1/session/codes", fields: ServedContacts.authorization)
        #expect(response.status == 200 && response.field("cache-control") == "no-store")
        #expect(response.json["expiresIn"] as? Int == 60)
        return try #require(response.json["code"] as? String)
    }

    private func token(_ client: RawClient) async throws -> String {
        let response = try await post(client, "/v1/session", #"{"code":"\#(try await code(client))"}"#)
        #expect(response.status == 200 && response.field("cache-control") == "no-store")
        #expect(response.json["expiresIn"] as? Int == 43_200)
        return try #require(response.json["token"] as? String)
    }

    @Test func `A code gives a token that permits what the access token permits`() async throws {
        try await people.withClient { client in
            let token = try await token(client)
            let remove = try await client.get(
                "/v1/contacts/bo", method: "DELETE", fields: "Authorization: Bearer \(token)\r\n")
            #expect(remove.status == 204)
            let other = String(token.dropLast()) + (token.last == "0" ? "1" : "0")
            for wrong in [other, "", token.uppercased() + "x"] {
                let refused = try await client.get(
                    "/v1/contacts/ada", method: "DELETE", fields: "Authorization: Bearer \(wrong)\r\n")
                #expect(refused.status == 401)
            }
            let remote = "X-Forwarded-For: 192.0.2.1\r\n"
            #expect(try await client.get("/v1/contacts", fields: remote).status == 401)
            let seen = try await client.get("/v1/contacts", fields: remote + "Authorization: Bearer \(token)\r\n")
            #expect(seen.status == 200)
        }
    }

    @Test func `A code works once, and no other text works`() async throws {
        try await people.withClient { client in
            let code = try await code(client)
            for wrong in ["", "x", String(code.dropLast()), code + "0", code.uppercased() + " "] {
                let response = try await post(client, "/v1/session", #"{"code":"\#(wrong)"}"#)
                #expect(response.status == 403 && response.json["code"] as? String == "bad-code")
            }
            #expect(try await post(client, "/v1/session", #"{"code":"\#(code)"}"#).status == 200)
            let again = try await post(client, "/v1/session", #"{"code":"\#(code)"}"#)
            #expect(again.status == 403 && again.json["code"] as? String == "bad-code")
            for body in ["", "{", "[]", #"{"code":7}"#, "{}"] {
                #expect(try await post(client, "/v1/session", body).status == 400)
            }
        }
    }

    @Test func `A code needs the access token, and a session gives none`() async throws {
        try await people.withClient { client in
            #expect(try await post(client, "/v1/session/codes").status == 401)
            let session = "Authorization: Bearer \(try await token(client))\r\n"
            #expect(try await post(client, "/v1/session/codes", fields: session).status == 401)
        }
    }

    @Test func `A session ends when its token says so, and no other one does`() async throws {
        try await people.withClient { client in
            let fields = try await [token(client), token(client)].map { "Authorization: Bearer \($0)\r\n" }
            func end(_ fields: String) async throws -> RawResponse {
                try await client.get("/v1/session", method: "DELETE", fields: fields)
            }
            #expect(try await end("").status == 401)
            #expect(try await end(fields[0] + "Origin: http://evil.example\r\n").status == 403)
            #expect(try await end(fields[0]).status == 204)
            #expect(try await end(fields[0]).status == 401)
            let remote = "X-Forwarded-For: 192.0.2.1\r\n"
            #expect(try await client.get("/v1/contacts", fields: remote + fields[0]).status == 401)
            #expect(try await client.get("/v1/contacts", fields: remote + fields[1]).status == 200)
            // The access token begins sessions, and is none.
            let owner = try await end(ServedContacts.authorization)
            #expect(owner.status == 404 && owner.json["code"] as? String == "no-session")
        }
    }

    @Test(arguments: [
        "Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n",
    ])
    func `A page of another site begins no session`(_ field: String) async throws {
        try await people.withClient { client in
            let code = try await code(client)
            let response = try await post(client, "/v1/session", #"{"code":"\#(code)"}"#, fields: field)
            #expect(response.status == 403 && response.json["code"] as? String == "cross-site")
            #expect(try await post(client, "/v1/session", #"{"code":"\#(code)"}"#).status == 200)
        }
    }

    @Test func `Other machines begin sessions only where they get the page`() async throws {
        for open in [false, true] {
            let sessions = Sessions()
            let requestGuard = RequestGuard(
                hosts: HostGuard(), token: nil, open: open ? [.viewer] : [.contacts], sessions: sessions)
            try await RunningService.run(guard: requestGuard) { service in
                let client = try await service.server.client()
                let body = #"{"code":"\#(sessions.makeCode())"}"#
                let response = try await post(client, "/v1/session", body, fields: "X-Forwarded-For: 192.0.2.1\r\n")
                #expect(response.status == (open ? 200 : 401))
                let codes = try await post(client, "/v1/session/codes", fields: "X-Forwarded-For: 192.0.2.1\r\n")
                #expect(codes.status == 401)
            }
        }
    }

    @Test func `A code ends after a minute, and a session after twelve hours`() throws {
        let time = Mutex(Duration.zero)
        let sessions = Sessions { time.withLock { $0 } }
        let codes = (0..<2).map { _ in sessions.makeCode() }
        let token = try #require(sessions.token(for: codes[0]))
        #expect(sessions.isHeld(by: "Bearer \(token)") && !sessions.isHeld(by: "Bearer \(codes[1])"))
        time.withLock { $0 = .seconds(61) }
        #expect(sessions.token(for: codes[1]) == nil && sessions.isHeld(by: "Bearer \(token)"))
        time.withLock { $0 = .seconds(12 * 3_600 + 1) }
        #expect(!sessions.isHeld(by: "Bearer \(token)") && !sessions.isHeld(by: nil))
    }

    @Test func `Another access token ends all sessions, the same one none`() throws {
        let sessions = Sessions()
        let owner = AccessToken(String(repeating: "a", count: 32))
        sessions.belong(to: owner)
        let token = try #require(sessions.token(for: sessions.makeCode()))
        sessions.belong(to: AccessToken(String(repeating: "a", count: 32)))
        #expect(sessions.isHeld(by: "Bearer \(token)"))
        sessions.belong(to: AccessToken(String(repeating: "b", count: 32)))
        #expect(!sessions.isHeld(by: "Bearer \(token)"))
    }

    @Test func `No two codes and no two tokens are equal`() {
        let sessions = Sessions()
        let codes = (0..<16).map { _ in sessions.makeCode() }
        let tokens = codes.compactMap { sessions.token(for: $0) }
        #expect(Set(codes).count == 16 && Set(tokens).count == 16)
        #expect(codes.allSatisfy { $0.utf8.count == 32 } && tokens.allSatisfy { $0.utf8.count == 64 })
    }
}
