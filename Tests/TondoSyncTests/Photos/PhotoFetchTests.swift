import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoSync
import TondoTestSupport

/// Against servers on loopback.
@Suite(.blocking) struct PhotoFetchTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1_000)

    private func fetch(
        _ url: String, hosts: [String] = ["any"], known: PhotoState.Picture? = nil, policy: AddressPolicy = .loopback,
        permitsPlain: Bool = true, _ change: (inout PhotoFetch.Options) -> Void = { _ in }
    ) throws -> PhotoState.Answer {
        var options = PhotoFetch.Options()
        (options.policy, options.permitsPlain) = (policy, permitsPlain)
        // For a busy machine.
        options.timeout = .seconds(60)
        change(&options)
        let fetch = PhotoFetch(options: options)
        let target = try #require(WebURL(url))
        return try fetch.run(target, known: known, hosts: PhotoHosts(words: hosts), client: fetch.newClient()).answer
    }

    private func reason(_ answer: PhotoState.Answer) -> String? {
        if case .failed(let reason) = answer { reason } else { nil }
    }

    private static func server(_ respond: @escaping @Sendable (String) -> ScriptedServer.Reply) throws -> ScriptedServer
    {
        try ScriptedServer { respond($0.path) }
    }

    private static func picture(_ bytes: [UInt8] = jpeg, _ headers: [(String, String)] = []) -> ScriptedServer.Reply {
        var reply = ScriptedServer.Reply(200, "", headers: headers)
        reply.body = bytes
        return reply
    }

    @Test func `A picture is accepted by its bytes`() throws {
        let server = try Self.server { $0 == "/a" ? Self.picture() : ScriptedServer.Reply(200, "<html>") }
        guard case .picture(let picture) = try fetch(server.url + "/a") else {
            Issue.record("refused")
            return
        }
        #expect((picture.kind, picture.size) == (.jpeg, 1_004))
        #expect(try reason(fetch(server.url + "/b"))?.contains("no picture") == true)
    }

    @Test func `A request shows nothing but the URL`() throws {
        let server = try Self.server { _ in Self.picture(Self.jpeg, [("Set-Cookie", "a=b; Path=/")]) }
        _ = try fetch(server.url + "/a")
        _ = try fetch(server.url + "/b")
        let names = Set(server.requests.flatMap(\.headers.keys))
        #expect(names == ["accept", "accept-encoding", "host", "user-agent"])
    }

    @Test func `A known picture is asked for by its validators`() throws {
        let server = try ScriptedServer { request in
            request.headers["if-none-match"] == "\"1\""
                ? ScriptedServer.Reply(304) : Self.picture(Self.jpeg, [("ETag", "\"1\"")])
        }
        guard case .picture(let picture) = try fetch(server.url) else {
            Issue.record("refused")
            return
        }
        #expect(picture.etag == "\"1\"")
        #expect(try fetch(server.url, known: picture) == .same)
    }

    @Test(arguments: [404, 410]) func `A photo that is gone is no failure of the server`(_ status: Int) throws {
        let server = try Self.server { _ in ScriptedServer.Reply(status) }
        #expect(try fetch(server.url) == .gone)
    }

    @Test(arguments: [204, 401, 403, 429, 500, 503]) func `Other statuses are failures`(_ status: Int) throws {
        let server = try Self.server { _ in ScriptedServer.Reply(status) }
        #expect(try reason(fetch(server.url)) == "status \(status)")
    }

    @Test func `A photo that is too large ends the exchange`() throws {
        let large = Self.jpeg + [UInt8](repeating: 1, count: 6_000_000)
        let server = try Self.server { _ in Self.picture(large) }
        #expect(try reason(fetch(server.url))?.contains("larger") == true)
    }

    @Test func `A photo that is cut off is a failure`() throws {
        let server = try Self.server { _ in Self.picture().cut(after: 500) }
        #expect(try reason(fetch(server.url)) != nil)
    }

    @Test func `A server that keeps silent is left in time`() throws {
        let server = try SilentServer()
        let start = ContinuousClock.now
        #expect(try reason(fetch("http://127.0.0.1:\(server.port)/") { $0.timeout = .seconds(1) }) != nil)
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `Three redirects are followed`() throws {
        let server = try Self.server { path in
            let number = Int(path.dropFirst()) ?? 0
            return number == 0
                ? Self.picture() : ScriptedServer.Reply(302, "", headers: [("Location", "/\(number - 1)")])
        }
        guard case .picture = try fetch(server.url + "/3") else {
            Issue.record("not followed")
            return
        }
        #expect(try reason(fetch(server.url + "/4"))?.contains("redirects too often") == true)
    }

    @Test func `A redirect must stay within the hosts`() throws {
        let other = try Self.server { _ in Self.picture() }
        let url = other.url
        let server = try Self.server { _ in ScriptedServer.Reply(302, "", headers: [("Location", url)]) }
        #expect(try reason(fetch(server.url, hosts: ["127.0.0.1:\(server.port)"]))?.contains("not permitted") == true)
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: ["ftp://example.org/a.jpg", "file:///etc/passwd", "http://example.org/a.jpg"])
    func `A redirect to another protocol is refused`(_ place: String) throws {
        let server = try Self.server { _ in ScriptedServer.Reply(302, "", headers: [("Location", place)]) }
        #expect(try reason(fetch(server.url)) != nil)
    }

    @Test func `Only permitted hosts are asked`() throws {
        let server = try Self.server { _ in Self.picture() }
        #expect(try reason(fetch(server.url, hosts: ["example.org"])) == "the URL is not permitted")
        #expect(server.requests.isEmpty)
    }

    @Test func `Plain http is refused`() throws {
        let server = try Self.server { _ in Self.picture() }
        #expect(try reason(fetch(server.url, permitsPlain: false)) == "the URL is not permitted")
        #expect(server.requests.isEmpty)
    }

    /// Whatever the address is written like, and whatever names it, nothing on this machine is connected to.
    @Test func `No notation of loopback is connected to`() throws {
        let silent = try SilentServer()
        let hosts = [
            "127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f000001", "017700000001", "0177.0.0.1", "localhost",
            "[::1]",
            "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "0.0.0.0", "0", "[::]", "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]", "photos.example", "127.0.0.1.", "localhost.",
        ]
        for host in hosts {
            let answer = try fetch("http://\(host):\(silent.port)/a.jpg", policy: .public) {
                $0.addresses = ["photos.example:\(silent.port):127.0.0.1"]
                $0.timeout = .seconds(2)
            }
            #expect(reason(answer) != nil, "\(host)")
        }
        #expect(silent.connections == 0)
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "240.0.0.1", "fd00::1",
        "fe80::1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::1", "2001::1", "2a00::5efe:10.0.0.1",
    ])
    func `No name that leads inside is connected to`(_ address: String) throws {
        let bracketed = address.contains(":") ? "[\(address)]" : address
        let answer = try fetch("https://photos.example/a.jpg", policy: .public, permitsPlain: false) {
            $0.addresses = ["photos.example:443:\(bracketed)"]
        }
        #expect(reason(answer)?.contains("is not permitted") == true, "\(reason(answer) ?? "")")
    }

    @Test func `A redirect that leads inside is refused by its address`() throws {
        let server = try Self.server { _ in
            ScriptedServer.Reply(302, "", headers: [("Location", "https://inside.example/")])
        }
        let answer = try fetch(server.url) { $0.addresses = ["inside.example:443:10.0.0.1"] }
        #expect(reason(answer) == "the address of inside.example is not permitted")
    }

    @Test func `A proxy of the environment is not used`() throws {
        let proxy = try SilentServer()
        setenv("https_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        defer { unsetenv("https_proxy") }
        let answer = try fetch("https://photos.example/a.jpg", policy: .public, permitsPlain: false) {
            $0.addresses = ["photos.example:443:127.0.0.1"]
        }
        #expect(reason(answer)?.contains("is not permitted") == true)
        #expect(proxy.connections == 0)
    }

    @Test func `A certificate must be trusted`() throws {
        let server = try SecureFiles(["a.jpg": Self.jpeg])
        #expect(
            try reason(fetch(server.url + "/a.jpg", permitsPlain: false))?.contains("no trusted connection") == true)
        let answer = try fetch(server.url + "/a.jpg", permitsPlain: false) { $0.certificates = server.certificate }
        guard case .picture = answer else {
            Issue.record("\(answer)")
            return
        }
    }
}
