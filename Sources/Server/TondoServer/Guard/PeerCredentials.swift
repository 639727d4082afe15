internal import Glibc
package import NIOCore

/// The user at the other end of a Unix socket, from the kernel (unix(7), SO_PEERCRED).
package struct PeerCredentials: Equatable, Sendable {
    /// The effective user id of the peer when it connected, as this process's user namespace numbers it.
    package let user: UInt32

    /// The user of the service and the superuser may do everything that the token permits.
    package func mayChange(as user: UInt32 = geteuid()) -> Bool { self.user == user || self.user == 0 }

    /// Nil for other sockets than Unix sockets, and for a peer outside of this process's user namespace.
    package static func of(_ channel: any Channel) async -> PeerCredentials? {
        guard case .unixDomainSocket = channel.localAddress, let options = channel as? any SocketOptionProvider else {
            return nil
        }
        let found: EventLoopFuture<Raw> = options.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SO_PEERCRED))
        guard let raw = try? await found.get(), raw.process > 0, raw.user != .max else { return nil }
        return PeerCredentials(user: raw.user)
    }

    /// `struct ucred`, which the C library hides from Swift.
    private struct Raw: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }
}
