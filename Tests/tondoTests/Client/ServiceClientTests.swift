import Foundation
import Testing
import TondoTestSupport

@testable import tondo

@Suite struct ServiceClientTests {
    @Test func `Bodies come whole, by their length, in chunks, or until the end`() throws {
        let service = try CannedService([
            "/length": CannedService.json("{\"a\":1}"),
            "/chunks": CannedService.chunked(["one", "", " and two"].filter { !$0.isEmpty }),
            "/end": "HTTP/1.1 200 OK\r\n\r\nuntil the end",
            "/empty": "HTTP/1.1 204 No Content\r\n\r\n",
        ])
        let client = try ServiceClient(address: service.address)
        for _ in 0..<2 {
            #expect(String(decoding: try client.get("/length").body, as: UTF8.self) == "{\"a\":1}")
            #expect(String(decoding: try client.get("/chunks").body, as: UTF8.self) == "one and two")
            #expect(try client.get("/missing").status == 404)
        }
        #expect(String(decoding: try client.get("/end").body, as: UTF8.self) == "until the end")
        #expect(try ServiceClient(address: service.address).get("/empty").body.isEmpty)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", ClientError.ended),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nshort", .ended),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nshort\r\n0\r\n\r\n", .malformed),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .malformed),
        ("SSH-2.0-OpenSSH\r\n", .malformed), ("HTTP/1.1 200 OK\r\n", .ended), ("", .ended),
    ])
    func `What is no whole answer is an error`(response: String, error: ClientError) throws {
        let service = try CannedService(["/": response], isEnding: true)
        #expect(throws: error) { try ServiceClient(address: service.address).get("/") }
    }

    @Test func `A missing service is reported as such`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ClientError.refused) {
            try ServiceClient(address: .unix(path: folder.pathString + "/none.sock"))
        }
        #expect(throws: ClientError.refused) { try ServiceClient(address: .tcp(host: "127.0.0.1", port: 1)) }
    }

    @Test(arguments: [
        ("http://127.0.0.1:7380/", ServiceAddress.tcp(host: "127.0.0.1", port: 7380)),
        ("http://localhost", .tcp(host: "localhost", port: 80)), ("http://[::1]:81/x?y", .tcp(host: "::1", port: 81)),
        ("HTTP://[::1]", .tcp(host: "::1", port: 80)), ("unix:/run/tondo.sock", .unix(path: "/run/tondo.sock")),
    ])
    func `An address is read`(text: String, address: ServiceAddress) {
        #expect(ServiceAddress(url: text) == address)
    }

    @Test(arguments: ["", "https://a/", "http://", "http://:80", "http://a:x", "unix:", "a:80"])
    func `What is no address is none`(text: String) { #expect(ServiceAddress(url: text) == nil) }
}
