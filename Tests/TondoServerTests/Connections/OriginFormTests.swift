import NIOHTTP1
import Testing

@testable import TondoServer

@Suite struct OriginFormTests {
    private func head(_ uri: String, hosts: [String] = ["a.example"], minor: Int = 1) -> HTTPRequestHead {
        let fields = HTTPHeaders(hosts.map { ("Host", $0) })
        return HTTPRequestHead(version: .init(major: 1, minor: minor), method: .GET, uri: uri, headers: fields)
    }

    @Test(arguments: [
        ("http://b.example/x?y=1", "b.example", "/x?y=1"), ("https://b.example:8443/x", "b.example:8443", "/x"),
        ("HTTP://B.example", "B.example", "/"), ("http://b.example?y", "b.example", "/?y"),
        ("http://[::1]:80//x", "[::1]:80", "//x"), ("http://b.example#x", "b.example", "/#x"),
    ])
    func `The host of an absolute target replaces the field`(_ uri: String, _ host: String, _ target: String) {
        let origin = head(uri).inOriginForm
        #expect(origin.uri == target && origin.headers["Host"] == [host])
        let old = head(uri, hosts: [], minor: 0).inOriginForm
        #expect(old.uri == target && old.headers["Host"] == [host])
    }

    @Test(arguments: [
        "/x", "/http://b.example/", "*", "b.example:443", "ftp://b.example/", "http:/b.example/", "http://",
        "http:///x",
        "http://ada@b.example/", "http://b.example:x/", "http://b.exämple/", "http://b.example/\u{1}", "",
    ])
    func `Any other target stays`(uri: String) { #expect(head(uri).inOriginForm == head(uri)) }

    @Test func `Without the field, or with several, the request stays, and is refused`() {
        for hosts in [[], ["a.example", "b.example"]] {
            let request = head("http://b.example/", hosts: hosts)
            #expect(request.inOriginForm == request)
        }
    }

    @Test func `A server answers as to the origin form, by the host of the target`() async throws {
        try await RunningService.run { service in
            for (target, status) in [("http://localhost/healthz", 200), ("http://evil.example/healthz", 421)] {
                let client = try await service.server.client()
                try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().status == status)
            }
        }
    }
}
