import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Balancers keep a client at one server by a cookie.
@Suite(.blocking) struct CookieTests {
    private let book: FakeAddressBook
    private let trial: MirrorTrial

    init() throws {
        book = try FakeAddressBook()
        trial = try MirrorTrial(book.url)
        // More than one request brings, so that a second connection helps.
        for number in 0..<250 { book.put("c\(number).vcf") }
    }

    @Test
    func `each later request of a run carries the cookie, and another run begins without it`() throws {
        let book = book
        book.answer { request in
            var reply = book.usual(request)
            reply.headers.append(("Set-Cookie", "server=b; Path=/; HttpOnly"))
            return reply
        }
        for _ in 0..<2 {
            book.server.forget()
            #expect(trial.run().error == nil)
            let cookies = book.server.requests.map { $0.headers["cookie"] }
            #expect(cookies.first == .some(nil))
            #expect(cookies.dropFirst().allSatisfy { $0 == "server=b" })
            book.put("later.vcf")
        }
    }

    @Test
    func `a client that keeps none sends none`() throws {
        book.answer { _ in ScriptedServer.Reply(200, "", headers: [("Set-Cookie", "a=b; Path=/")]) }
        let url = try #require(WebURL(book.url))
        for keeps in [false, true] {
            book.server.forget()
            var options = HTTPClient.Options()
            options.keepsCookies = keeps
            let client = HTTPClient(options: options)
            for _ in 0..<2 { _ = try client.send(HTTPRequest(method: "GET", url: url)) }
            client.disconnect()
            _ = try client.send(HTTPRequest(method: "GET", url: url))
            let wanted: [String?] = keeps ? [nil, "a=b", "a=b"] : [nil, nil, nil]
            #expect(book.server.requests.map { $0.headers["cookie"] } == wanted)
        }
    }
}
