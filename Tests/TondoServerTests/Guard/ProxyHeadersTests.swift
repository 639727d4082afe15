import NIOHTTP1
import Testing

@testable import TondoServer

@Suite struct ProxyHeadersTests {
    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-FORWARDED-PROTO", "X-Forwarded-Prefix", "Via",
        "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP",
    ])
    func `What proxies add is a sign`(name: String) { #expect(ProxyHeaders.isProxyHeader(name)) }

    @Test(arguments: ["Host", "Vary", "Forwarded-For", "X-Forwarded", "Accept", "User-Agent", "", "X-Requested-With"])
    func `What clients send is none`(name: String) { #expect(!ProxyHeaders.isProxyHeader(name)) }

    @Test func `An HTTP 1.0 request that says it closes is taken for nginx's`() {
        func isMarked(_ version: HTTPVersion, _ fields: HTTPHeaders) -> Bool {
            var head = HTTPRequestHead(version: version, method: .GET, uri: "/", headers: fields)
            ProxyHeaders.mark(&head)
            return head.headers.contains(name: "Via")
        }
        #expect(isMarked(.http1_0, ["Host": "127.0.0.1:7380", "Connection": "close"]))
        #expect(!isMarked(.http1_0, ["Host": "127.0.0.1:7380"]))
        #expect(!isMarked(.http1_0, ["Connection": "keep-alive"]) && !isMarked(.http1_1, ["Connection": "close"]))
    }
}
