import Foundation
import Testing

@testable import TondoServer

@Suite struct RequestGuardTests {
    private let token = String(repeating: "t", count: 40)
    private var requests: RequestGuard { RequestGuard(hosts: HostGuard(), token: AccessToken(token)) }

    private func code(
        _ credentials: RequestGuard.Credentials, _ change: (inout RequestGuard.Credentials) -> Void = { _ in }
    )
        -> String?
    {
        var credentials = credentials
        change(&credentials)
        return requests.problem(credentials)?.code
    }

    @Test func `Reading needs a known host and nothing else`() {
        #expect(code(.init(method: "GET", host: "localhost:7380", origin: "http://evil.example")) == nil)
        #expect(code(.init(method: "GET", host: "evil.example")) == "unknown-host")
    }

    @Test func `Changing needs the token, and no other site may ask for it`() {
        let delete = RequestGuard.Credentials(method: "DELETE", host: "localhost", authorization: "Bearer \(token)")
        #expect(code(delete) == nil)
        #expect(code(delete) { $0.authorization = nil } == "token-needed")
        #expect(code(delete) { $0.authorization = "Bearer x" } == "token-needed")
        #expect(code(delete) { $0.origin = "http://evil.example" } == "cross-site")
        #expect(code(delete) { $0.fetchSite = "cross-site" } == "cross-site")
        #expect(code(delete) { $0.host = RequestHost("evil.example") } == "unknown-host")
    }

    @Test func `Our own user needs no token over the Unix socket`() {
        let delete = RequestGuard.Credentials(
            method: "DELETE", host: "localhost", peer: PeerCredentials(user: geteuid()))
        #expect(code(delete) == nil)
        #expect(code(delete) { $0.peer = PeerCredentials(user: 54_321) } == "token-needed")
        #expect(code(delete) { $0.origin = "null" } == "cross-site")
        #expect(RequestGuard(hosts: HostGuard(), token: nil).problem(.init(method: "POST"))?.code == "token-needed")
    }
}
