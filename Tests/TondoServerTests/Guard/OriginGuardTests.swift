import Testing
import TondoServer

@Suite struct OriginGuardTests {
    @Test func `Programs and our own page pass`() {
        #expect(OriginGuard.allows(origin: nil, fetchSite: nil, host: "localhost:7380"))
        #expect(OriginGuard.allows(origin: "http://localhost:7380", fetchSite: "same-origin", host: "localhost:7380"))
        #expect(OriginGuard.allows(origin: "http://[::1]:7380", fetchSite: nil, host: "[::1]:7380"))
        #expect(OriginGuard.allows(origin: "https://Faces.example.org", fetchSite: nil, host: "faces.example.org"))
        #expect(OriginGuard.allows(origin: nil, fetchSite: "none", host: nil))
    }

    @Test(arguments: [
        "null", "http://evil.example", "http://localhost", "http://localhost:7381",
        "http://localhost:7380.evil.example",
        "file://", "http://127.0.0.1:7380", "", "localhost:7380", "http://localhost:7380, http://evil.example",
        "http://localhost:7380@evil.example",
    ])
    func `Any other origin is refused`(origin: String) {
        #expect(!OriginGuard.allows(origin: origin, fetchSite: nil, host: "localhost:7380"))
    }

    @Test(arguments: ["cross-site", "same-site", ""])
    func `What the browser calls another site is refused`(site: String) {
        #expect(!OriginGuard.allows(origin: nil, fetchSite: site, host: "localhost"))
    }

    @Test func `Only methods that change nothing are safe`() {
        #expect(["GET", "HEAD", "OPTIONS", "TRACE"].allSatisfy(OriginGuard.isSafe))
        #expect(!["POST", "DELETE", "PUT", "PATCH", "get", "X"].contains(where: OriginGuard.isSafe))
    }
}
