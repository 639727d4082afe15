package import NIOCore

/// The origin of a connection, from the kernel.
package enum ConnectionPeer: Equatable, Sendable {
    case loopback, unixSocket, network
    /// It came over the listener for phones, also from this machine. `own`: the address of this machine that it came to, as a
    /// host of a URL.
    case phone(own: String)

    /// Call it once the channel is active: before that it has no addresses, and counts as the network.
    package init(_ channel: any Channel, phone: PhoneListener) {
        self.init(local: channel.localAddress, remote: channel.remoteAddress, isPhone: phone.accepted(channel))
    }

    /// Both ends of a loopback connection have loopback addresses. An unknown address counts as the network.
    init(local: SocketAddress?, remote: SocketAddress?, isPhone: Bool = false) {
        if case .unixDomainSocket = local {
            self = .unixSocket
        } else if isPhone, let local {
            self = .phone(own: Self.host(local))
        } else {
            self = Self.isLoopback(local) && Self.isLoopback(remote) ? .loopback : .network
        }
    }

    /// Over loopback or a Unix socket, by a program of this machine, which may be a proxy.
    var isOwnMachine: Bool { self == .loopback || self == .unixSocket }

    /// 127.0.0.0/8, ::1, and IPv4 loopback addresses mapped to IPv6 (RFC 4291 2.5.5.2).
    private static func isLoopback(_ address: SocketAddress?) -> Bool {
        guard let address = address?.ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix(mapped + "127.")
    }

    private static let mapped = "::ffff:"

    private static func host(_ address: SocketAddress) -> String {
        let text = address.ipAddress ?? ""
        if text.hasPrefix(mapped), text.contains(".") { return String(text.dropFirst(mapped.count)) }
        return text.contains(":") ? "[\(text)]" : text
    }
}
