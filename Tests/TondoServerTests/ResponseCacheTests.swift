import NIOCore
import NIOHTTP1
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(15))) struct ResponseCacheTests {
    private let door = RequestGuard(hosts: HostGuard(), token: nil)
    private let image = AvatarResponse(
        bytes: ByteBuffer(string: "PNG"), type: "image/png", key: "k", policy: .revalidate)

    private func head(
        _ uri: String, _ method: HTTPMethod = .GET, _ fields: HTTPHeaders = ["Host": "localhost:1"]
    ) -> HTTPRequestHead { HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields) }

    private func filled() -> ResponseCache {
        let responseCache = ResponseCache()
        responseCache.store(image, to: "/a?size=1", of: .contact("a"), since: 0)
        responseCache.store(image, to: "/b", of: .contact("b"), since: 0)
        responseCache.store(image, to: "/h", of: .addresses, since: 0)
        return responseCache
    }

    @Test func `Only the very same address is answered, and only GET and HEAD without a body`() {
        let responseCache = filled()
        #expect(
            responseCache.response(head("/a?size=1"), from: .loopback, guard: door)?.body == ByteBuffer(string: "PNG"))
        #expect(responseCache.response(head("/a?size=1", .HEAD), from: .loopback, guard: door) != nil)
        for other in [
            head("/a"), head("/a?size=1&"), head("/a?size=1", .POST), head("/a?size=1", .DELETE),
            head("/a?size=1", .GET, ["Host": "localhost", "Content-Length": "0"]),
            head("/a?size=1", .GET, ["Host": "localhost", "Transfer-Encoding": "chunked"]),
        ] {
            #expect(responseCache.response(other, from: .loopback, guard: door) == nil)
        }
    }

    @Test func `An unknown host name gets no response from memory, whatever was requested before`() {
        let responseCache = filled()
        #expect(responseCache.response(head("/b", .GET, ["Host": "evil.example"]), from: .loopback, guard: door) == nil)
        #expect(responseCache.response(head("/b"), from: .loopback, guard: door) != nil)
        #expect(responseCache.response(head("/b", .GET, ["host": "evil.example"]), from: .loopback, guard: door) == nil)
    }

    @Test func `Several fields of If-None-Match are one list`() {
        let fields: HTTPHeaders = ["HOST": "localhost", "if-none-match": #""x""#, "If-None-Match": #""k""#]
        let response = filled().response(head("/b", .GET, fields), from: .loopback, guard: door)
        #expect(response.map { String(buffer: $0.head).hasPrefix("HTTP/1.1 304") } == true)
    }

    @Test func `A change drops its contact's faces and what is found by addresses`() {
        let responseCache = filled()
        responseCache.forget(.contact("a"))
        #expect(
            responseCache.response(head("/a?size=1"), from: .loopback, guard: door) == nil
                && responseCache.response(head("/h"), from: .loopback, guard: door) == nil)
        #expect(responseCache.response(head("/b"), from: .loopback, guard: door) != nil)
        responseCache.forget(.allContacts)
        #expect(responseCache.count == 0)
    }

    @Test(arguments: [AddressBookService.Change.contact("a"), .allContacts])
    func `A page is dropped by every change`(change: AddressBookService.Change) {
        let pages = ResponseCache()
        pages.store(JSONResponse.fast(Array("{}".utf8)), to: "/v1/contacts?limit=1", since: 0)
        let head = head("/v1/contacts?limit=1")
        #expect(pages.response(head, from: .loopback, guard: door)?.body == ByteBuffer(string: "{}"))
        #expect(pages.response(head, from: .network, guard: door) == nil)
        pages.forget(change)
        #expect(pages.response(head, from: .loopback, guard: door) == nil)
    }

    @Test func `A page is answered again from memory, and is another one after a change`() async throws {
        try await RunningService.run { service in
            let first = try await service.get("/v1/contacts?limit=3")
            #expect(service.service.pages.count == 1)
            #expect(try await service.get("/v1/contacts?limit=3").bytes == first.bytes)
            try await service.remove("ada")
            #expect(try await service.get("/v1/contacts?limit=3").bytes != first.bytes)
        }
    }

    @Test func `What was made before a change is not remembered after it`() {
        let responseCache = ResponseCache()
        let before = responseCache.revision
        responseCache.forget(.contact("a"))
        responseCache.store(image, to: "/b", of: .contact("b"), since: before)
        #expect(responseCache.count == 0)
    }

    @Test func `Memory has a limit, and what was not asked for goes first`() {
        let responseCache = ResponseCache(limit: 100_000)
        for number in 0..<1_000 {
            responseCache.store(image, to: "/\(number)", of: .contact("\(number % 7)"), since: 0)
            #expect(responseCache.response(head("/0"), from: .loopback, guard: door) != nil)
        }
        #expect(responseCache.count < 200 && responseCache.response(head("/1"), from: .loopback, guard: door) == nil)
        responseCache.store(
            AvatarResponse(
                bytes: ByteBuffer(repeating: 0, count: 50_000), type: "image/png", key: "k", policy: .revalidate),
            to: "/0",
            of: .contact("x"), since: 0)
        #expect(responseCache.response(head("/0"), from: .loopback, guard: door) == nil)
    }

    @Test func `A face that changes in the book is another one at once, and a contact that goes has none`() async throws
    {
        try await RunningService.run { service in
            let targets = ["/v1/contacts/ada/avatar", gravatar("ada@example.org"), gravatar("new@example.org")]
            var before: [RawResponse] = []
            for target in targets { before.append(try await service.get(target)) }
            #expect(service.service.responseCache.count == 3)
            let card = Card.card("ada", photo: Card.inline(200), mail: "new@example.org")
            try await service.replace("ada", with: card) { $0.contains("event: contactChanged") }
            let (avatar, old, new) = (
                try await service.get(targets[0]), try await service.get(targets[1]), try await service.get(targets[2])
            )
            #expect(avatar.status == 200 && avatar.bytes != before[0].bytes)
            #expect(old.bytes == before[2].bytes && new.bytes != before[2].bytes && new.bytes != before[1].bytes)
            try await service.remove("ada")
            #expect(try await service.get(targets[0]).status == 404)
            #expect(try await service.get(targets[2]).bytes == before[2].bytes)
        }
    }

    private func gravatar(_ mail: String) -> String {
        "/avatar/" + AddressHash.md5(of: mail).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `A stranger's name is refused in front of the door, too`() async throws {
        try await RunningService.run { service in
            #expect(try await service.get("/v1/contacts/ada/avatar").status == 200)
            #expect(service.service.responseCache.count == 1)
            let client = try await service.server.client()
            try await client.send("GET /v1/contacts/ada/avatar HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            let response = try await client.response()
            #expect(response.status == 421 && response.body.contains("unknown-host"))
        }
    }
}
