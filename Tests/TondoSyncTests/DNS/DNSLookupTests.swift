import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// From a domain to its server: names, then requests over TLS.
struct DNSLookupTests {
    private static func names(port: Int, path: String? = nil) throws -> NameServer {
        try NameServer { type in
            var packet = DNSPacket()
            if type == 33 {
                packet.answers = [DNSPacket.service(DNSPacket.name("dav.example.test"), port: UInt16(port))]
            } else if let path {
                packet.answers = [DNSPacket.text(["x=1", "path=\(path)"])]
            }
            return packet
        }
    }

    @Test
    func `a domain names its server, and the path there`() throws {
        let names = try Self.names(port: 8_443, path: "/book/")
        let found = DNSLookup.cardDAV("example.test", port: names.port)
        #expect(found == [DNSService(host: "dav.example.test", port: 8_443, path: "/book/")])
        #expect(names.types == [33, 16])
    }

    @Test
    func `without a path, the well-known one is asked`() throws {
        let names = try Self.names(port: 443)
        #expect(DNSLookup.cardDAV("example.test", port: names.port).map(\.path) == ["/.well-known/carddav"])
    }

    @Test
    func `a domain without a service costs one question`() throws {
        let names = try NameServer { _ in DNSPacket() }
        #expect(DNSLookup.cardDAV("example.test", port: names.port).isEmpty)
        #expect(names.types == [33])
    }

    private static func client(_ server: SecureBook) throws -> DAVClient {
        var options = HTTPClient.Options()
        options.certificates = server.certificate
        options.addresses = ["dav.example.test:\(server.port):127.0.0.1", "example.test:443:127.0.0.1"]
        let secret = try #require(Secret("pw"))
        let account = try #require(WebURL("https://example.test/"))
        options.credentials = Credentials(origin: account.origin, user: "ada", secret: secret, authentication: .auto)
        return DAVClient(client: HTTPClient(options: options)) { _ in true }
    }

    @Test
    func `the password follows a domain to its own server, and the next runs go there at once`() throws {
        let server = try SecureBook(names: ["dav.example.test"])
        let names = try Self.names(port: server.port, path: "/book/")
        let trial = try MirrorTrial("https://example.test/")
        let url = try #require(WebURL(trial.source.url))
        for run in 0..<2 {
            let client = try Self.client(server)
            let discovery = Discovery(client) { DNSLookup.cardDAV($0, port: names.port) }
            let source = CardDAVSource(
                url: url, client: client, discovery: discovery, mirror: try MirrorFolder(layout: trial.layout),
                allowsDeletion: false)
            #expect(try source.run().books == 1)
            // A book without cards is listed by each run: by a report, and by PROPFIND.
            #expect(server.requests.count == (run == 0 ? 5 : 9))
        }
        #expect(server.requests.suffix(3) == ["REPORT /book/", "PROPFIND /book/", "PROPFIND /book/"])
        #expect(names.types == [33, 16])
    }

    @Test
    func `the password does not follow a domain to another one`() throws {
        let server = try SecureBook(names: ["dav.example.test"])
        let client = try Self.client(server)
        let discovery = Discovery(client) { _ in [DNSService(host: "dav.other.test", port: server.port, path: "/book/")]
        }
        #expect(throws: SyncError.self) { try discovery.find(at: try #require(WebURL("https://example.test/"))) }
        #expect(server.requests.isEmpty)
    }
}
