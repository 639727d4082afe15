import NIOCore
import Testing

@testable import TondoServer

@Suite struct ConnectionPeerTests {
    private func peer(_ local: String, _ remote: String) throws -> ConnectionPeer {
        ConnectionPeer(
            local: try SocketAddress(ipAddress: local, port: 1), remote: try SocketAddress(ipAddress: remote, port: 2))
    }

    @Test(arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::ffff:127.0.0.1", "::ffff:127.8.0.1")])
    func `Both ends of a loopback connection are loopback addresses`(local: String, remote: String) throws {
        #expect(try peer(local, remote) == .loopback)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.2"), ("192.0.2.1", "192.0.2.1"), ("127.0.0.1", "192.0.2.2"), ("192.0.2.1", "127.0.0.1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2"), ("2001:db8::1", "::1"),
    ])
    func `Everything else comes over the network`(local: String, remote: String) throws {
        #expect(try peer(local, remote) == .network)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "[2001:db8::1]"),
        ("127.0.0.1", "127.0.0.1"),
    ])
    func `What comes to the listener for phones is a phone, also over loopback`(local: String, own: String) throws {
        let (local, remote) = (
            try SocketAddress(ipAddress: local, port: 7), try SocketAddress(ipAddress: local, port: 2)
        )
        #expect(ConnectionPeer(local: local, remote: remote, isPhone: true) == .phone(own: own))
        #expect(ConnectionPeer(local: local, remote: remote).isOwnMachine == (own == "127.0.0.1"))
    }

    @Test func `A Unix socket is one, and what is not known is the network`() throws {
        let unix = try SocketAddress(unixDomainSocketPath: "/s")
        #expect(ConnectionPeer(local: unix, remote: nil) == .unixSocket)
        #expect(ConnectionPeer(local: nil, remote: nil) == .network)
    }
}
