import Testing
import TondoServer

@Suite struct HostGuardTests {
    private let hosts = HostGuard(configured: ["Faces.example.org", "[2001:db8::1]"])

    @Test(arguments: [
        "localhost", "LOCALHOST:7380", "localhost.", "a.localhost", "127.0.0.1", "127.0.0.1:7380", "127.9.9.9", "[::1]",
        "[::1]:80", "localhost:", "[::1]:", "faces.example.org:443", "FACES.example.org.", "[2001:db8::1]:7380",
    ])
    func `Loopback and configured names pass`(host: String) { #expect(hosts.allows(RequestHost(host))) }

    @Test(arguments: [
        "", "evil.example", "evil.example:7380", "localhost.evil.example", "notlocalhost", "127.0.0.1.evil.example",
        "127.0.0.01", "127.1", "0x7f.0.0.1", "127.0.0.256", "2130706433", "0.0.0.0", "[::ffff:127.0.0.1]", "[::1",
        "::1",
        "localhost:x", "localhost:99999", "localhost:+1", "localhost:80:80", "localhost@evil",
        "localhost, x",
        "local host", "localhost/..", "faces.example.org.evil", "[::1]x", "localhost\u{0}",
    ])
    func `Any other name is refused`(host: String) { #expect(!hosts.allows(RequestHost(host))) }

    @Test func `Without a name there is nothing to refuse`() { #expect(hosts.allows(nil)) }
}
