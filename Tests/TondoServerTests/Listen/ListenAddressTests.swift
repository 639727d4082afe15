import Testing
import TondoEndpoints
import TondoServer

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:7380", "127.0.0.1", 7380), ("localhost:0", "localhost", 0), ("[::1]:80", "::1", 80),
        (":7380", "::", 7380), ("*:80", "::", 80),
    ])
    func `A host and a port are read`(text: String, host: String, port: Int) {
        #expect(ListenAddress(tcp: text) == .tcp(host: host, port: port))
    }

    @Test(arguments: [
        "", "7380", "host", "host:", "host:x", "host:65536", "host:-1", "::1:80", "[host]:1", "a b:1", "/x:1",
    ])
    func `Anything else is no address`(text: String) {
        #expect(ListenAddress(tcp: text) == nil)
    }

    @Test func `A path that does not fit into a socket address is refused`() {
        #expect(ListenAddress(unix: "/run/tondo/tondo.sock")?.description == "/run/tondo/tondo.sock")
        #expect(ListenAddress(unix: "/" + String(repeating: "x", count: 107)) == nil)
        #expect(ListenAddress(unix: "") == nil)
    }
}
