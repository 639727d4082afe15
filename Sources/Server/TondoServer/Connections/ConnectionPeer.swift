package import NIOCore

/// The origin of a connection, from the kernel.
package enum ConnectionPeer: Equatable, Sendable {
    case loopback, unixSocket, network

    /// Call it once the channel is active: before that it has no addresses, and counts as the network.
    package init(_ channel: any Channel) {
        self.init(local: channel.localAddress, remote: channel.remoteAddress)
    }

    /// Both ends of a loopback connection have loopback addresses. An unknown address counts as the network.
    init(local: SocketAddress?, remote: SocketAddress?) {
        if case .unixDomainSocket = local {
            self = .unixSocket
        } else {
            self = Self.isLoopback(local) && Self.isLoopback(remote) ? .loopback : .network
        }
    }

    /// 127.0.0.0/8, ::1, and IPv4 loopback addresses mapped to IPv6 (RFC 4291 2.5.5.2).
    private static func isLoopback(_ address: SocketAddress?) -> Bool {
        guard let address = address?.ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
