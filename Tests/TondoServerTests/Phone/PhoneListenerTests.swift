import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TondoEndpoints

@testable import TondoServer

/// What comes over the listener for phones. The tests are phones that come to the loopback address.
@Suite(.timeLimit(.minutes(15))) struct PhoneListenerTests {
    private static let token = String(repeating: "t", count: 40)
    private static let bearer = "Authorization: Bearer \(token)\r\n"
    private static let everywhere = Set(ServiceArea.allCases)
    private static let paths = [
        "/", "/v1/contacts", "/v1/contacts/ada", "/v1/contacts/ada/avatar", "/v1/contacts/ada/vcard", "/v1/events",
        "/v1/cache", "/metrics", "/healthz", "/readyz", "/avatar/5bfcf2d8e394674550332640d72db509", "/nowhere",
    ]

    /// Runs a service with a usual listener, which is the first, and one for phones. `open`: what `public` opens.
    private static func run(
        open: Set<ServiceArea> = [], body: (RunningServer, AvatarService) async throws -> Void
    ) async throws {
        let phone = PhoneListener { ["192.0.2.7", "[2001:db8::7]"] }
        let requests = RequestGuard(hosts: HostGuard(), token: AccessToken(token), open: open, phone: phone)
        try await RunningService.run(guard: requests) { running in
            let service = running.service
            let sources: [HTTPServer.Source] = [.address(.tcp(host: "127.0.0.1", port: 0)), .phone(port: 0)]
            try await RunningServer.run(
                sources: sources, fastPath: { service.response($0, from: $1) },
                directPath: { service.respond(to: $0, from: $1, done: $2) }, respond: service.respond(), phone: phone
            ) { try await body($0, service) }
        }
    }

    /// A client of the listener for phones, and what it sends as `Host`.
    private static func phone(_ server: RunningServer) async throws -> (client: RawClient, host: String) {
        let port = try #require(server.addresses[1].port)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        return (try await RawClient(address), "127.0.0.1:\(port)")
    }

    private static func get(
        _ phone: (client: RawClient, host: String), _ target: String, fields: String = "", host: String? = nil
    ) async throws -> RawResponse {
        let head = "GET \(target) HTTP/1.1\r\nHost: \(host ?? phone.host)\r\n\(fields)\r\n"
        try await phone.client.send(head)
        return try await phone.client.response()
    }

    @Test func `A port of which another program has half is not taken`() async throws {
        let port = try HalfTakenPort()
        // Links to its IPv6 address would lead to the other program.
        await #expect(throws: ListenError.self) {
            let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            try await Listeners.bindForPhones(port.number, with: bootstrap).close()
        }
    }

    @Test func `Without a token a phone gets the page alone, whatever is open elsewhere`() async throws {
        try await Self.run(open: Self.everywhere) { server, _ in
            let (phone, own) = (try await Self.phone(server), try await server.client())
            for target in Self.paths where target != "/v1/events" && target != "/nowhere" {
                // What this machine has asked for is in memory.
                _ = try await own.get(target)
            }
            for target in Self.paths {
                for host in [phone.host, "localhost"] {
                    let response = try await Self.get(phone, target, host: host)
                    #expect(response.status == 401, "\(target)")
                    #expect(response.json["code"] as? String == "token-needed", "\(target)")
                }
            }
            #expect(try await Self.get(phone, "/phone").status == 200)
            let script = "/viewer/\(ViewerAssets.own.hash)/app.js"
            #expect(try await Self.get(phone, script).status == 200)
        }
    }

    @Test func `A token opens what it opens anywhere`() async throws {
        try await Self.run { server, _ in
            let phone = try await Self.phone(server)
            for target in Self.paths where target != "/v1/events" && target != "/nowhere" {
                let status = try await Self.get(phone, target, fields: Self.bearer).status
                #expect(target.hasPrefix("/avatar/") || status == 200, "\(target)")
            }
        }
    }

    @Test func `Only the address that the phone came to is a name of the listener`() async throws {
        try await Self.run { server, _ in
            let phone = try await Self.phone(server)
            for host in ["evil.example", "192.0.2.7", "127.0.0.1.evil.example"] {
                let response = try await Self.get(phone, "/phone", host: host)
                #expect(response.status == 421 && response.json["code"] as? String == "unknown-host")
            }
            // The usual listener has no such name.
            let usual = try await server.client()
            try await usual.send("GET /phone HTTP/1.1\r\nHost: 192.0.2.7:7381\r\n\r\n")
            #expect(try await usual.response().status == 421)
        }
    }

    @Test func `A code is used up by the exchange, and not by those who fetch the link`() async throws {
        try await Self.run { server, service in
            let link = try #require(service.requestGuard.phone.link(by: service.sessions))
            let parts = link.url.split(separator: "#code=")
            let phone = try await Self.phone(server)
            #expect(parts[0].hasSuffix("/phone"))
            for target in ["/phone", "/phone?code=\(parts[1])", "/phone"] {
                #expect(try await Self.get(phone, target).status == 200)
            }
            let body = #"{"code":"\#(parts[1])"}"#
            let post =
                "POST /v1/session HTTP/1.1\r\nHost: \(phone.host)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            try await phone.client.send(post)
            let session = try await phone.client.response()
            let token = try #require(session.json["token"] as? String)
            let fields = "Authorization: Bearer \(token)\r\n"
            #expect(try await Self.get(phone, "/v1/contacts", fields: fields).status == 200)
            #expect(try await Self.get(phone, "/v1/contacts/ada/avatar", fields: fields).status == 200)
            try await phone.client.send(post)
            #expect(try await phone.client.response().json["code"] as? String == "bad-code")
        }
    }

    @Test func `A link has the best address, and all of them are named`() throws {
        let (phone, sessions) = (PhoneListener { ["192.0.2.7", "[2001:db8::7]"] }, Sessions())
        #expect(phone.addresses == nil && phone.link(by: sessions) == nil)
        phone.listens(at: 7_381)
        let link = try #require(phone.link(by: sessions))
        #expect(link.url.hasPrefix("http://192.0.2.7:7381/phone#code=") && link.url.utf8.count == 65)
        #expect(link.addresses == ["http://192.0.2.7:7381/", "http://[2001:db8::7]:7381/"])
        let offline = PhoneListener { [] }
        offline.listens(at: 7_381)
        #expect(offline.addresses == [] && offline.link(by: sessions) == nil)
    }

    @Test func `A code for a phone works for ten minutes, others do not`() throws {
        let time = Mutex(Duration.zero)
        let sessions = Sessions { time.withLock { $0 } }
        let phone = PhoneListener { ["192.0.2.7"] }
        phone.listens(at: 7_381)
        let codes = try (0..<2).map { _ in
            String(try #require(phone.link(by: sessions)).url.split(separator: "#code=")[1])
        }
        let usual = sessions.makeCode()
        time.withLock { $0 = .seconds(599) }
        #expect(sessions.token(for: codes[0]) != nil && sessions.token(for: usual) == nil)
        time.withLock { $0 = .seconds(600) }
        #expect(sessions.token(for: codes[1]) == nil)
    }
}

/// `POST /v1/session/phone`.
@Suite(.timeLimit(.minutes(15))) struct PhoneLinkTests {
    private static let token = String(repeating: "t", count: 40)

    private func post(_ service: RunningService, fields: String) async throws -> RawResponse {
        let client = try await service.server.client()
        try await client.send("POST /v1/session/phone HTTP/1.1\r\nContent-Length: 0\r\n\(fields)\r\n")
        return try await client.response()
    }

    private func run(
        isListening: Bool = true, hosts: [String] = ["192.0.2.7"], body: (RunningService) async throws -> Void
    ) async throws {
        let phone = PhoneListener { hosts }
        if isListening { phone.listens(at: 7_381) }
        let requests = RequestGuard(
            hosts: HostGuard(configured: ["here.example"]), token: AccessToken(Self.token), phone: phone)
        try await RunningService.run(guard: requests, body: body)
    }

    @Test func `The owner gets a link, when it ends, and its QR code`() async throws {
        try await run { service in
            let response = try await post(service, fields: "Host: localhost\r\nAuthorization: Bearer \(Self.token)\r\n")
            #expect(response.status == 200 && response.field("cache-control") == "no-store")
            let json = response.json
            #expect((json["url"] as? String)?.hasPrefix("http://192.0.2.7:7381/phone#code=") == true)
            #expect(json["addresses"] as? [String] == ["http://192.0.2.7:7381/"])
            let rows = try #require(json["rows"] as? [String])
            #expect(rows.count >= 21 && rows.allSatisfy { $0.count == rows.count })
            let end = try #require((json["expires"] as? String).flatMap { try? Date($0, strategy: .iso8601) })
            #expect(560...601 ~= end.timeIntervalSinceNow)
        }
    }

    @Test func `A session on this machine gets one, and none elsewhere does`() async throws {
        try await run { service in
            let sessions = service.service.sessions
            let session = try #require(sessions.token(for: sessions.makeCode()))
            let wanted = [
                ("Host: localhost\r\n", 401), ("Host: localhost\r\nAuthorization: Bearer \(session)\r\n", 200),
                ("Host: here.example\r\n", 401), ("Host: here.example\r\nAuthorization: Bearer \(session)\r\n", 403),
                ("Host: here.example\r\nAuthorization: Bearer \(Self.token)\r\n", 403),
                ("Host: localhost\r\nX-Forwarded-For: 192.0.2.1\r\nAuthorization: Bearer \(session)\r\n", 403),
                ("Host: localhost\r\nOrigin: http://evil.example\r\nAuthorization: Bearer \(session)\r\n", 403),
            ]
            for (fields, status) in wanted {
                #expect(try await post(service, fields: fields).status == status, "\(fields)")
            }
        }
    }

    @Test(arguments: [(false, ["192.0.2.7"], "not-listening"), (true, [], "no-network")] as [(Bool, [String], String)])
    func `Where no phone could come there is no link`(isListening: Bool, hosts: [String], code: String) async throws {
        try await run(isListening: isListening, hosts: hosts) { service in
            let response = try await post(service, fields: "Host: localhost\r\nAuthorization: Bearer \(Self.token)\r\n")
            #expect(response.status == 409 && response.json["code"] as? String == code)
        }
    }
}
