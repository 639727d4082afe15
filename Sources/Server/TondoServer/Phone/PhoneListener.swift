internal import NIOCore
internal import Synchronization

/// The listener for phones of the local network, and where it listens. What comes over it needs a token, whatever the setting
/// `public` opens; without one only the page is served, which has no data, and exchanges a code. Usable from any thread.
package final class PhoneListener: Sendable {
    /// The port that is taken if it is free, so that a firewall can be opened for it.
    package static let usualPort = 7_381
    /// The page that a link with a code leads to.
    static let path = "/phone"
    /// A phone has to be found, unlocked and pointed at the code.
    package static let codeLifetime = Duration.seconds(600)

    private struct State {
        var port: Int?
        var listener: ObjectIdentifier?
    }

    private let state = Mutex(State())
    private let hosts: @Sendable () -> [String]

    /// `hosts`: the addresses of this machine for phones, the best first; replaced in tests.
    package init(hosts: (@Sendable () -> [String])? = nil) {
        self.hosts = hosts ?? { NetworkAddress.ranked(NetworkAddress.all) }
    }

    /// The port of the listener; nil: there is none.
    package var port: Int? { state.withLock { $0.port } }

    func listens(at port: Int?) { state.withLock { $0.port = port } }

    /// The channel that is about to listen. Before it is bound, so that its first connection already counts as a phone's. Of
    /// several that try one port after the other, the last one listens.
    func listens(by channel: any Channel) { state.withLock { $0.listener = ObjectIdentifier(channel) } }

    /// Whether the connection came over this listener. By the listener and not by its port, which another address of this
    /// machine may have, too.
    func accepted(_ connection: any Channel) -> Bool {
        guard let parent = connection.parent else { return false }
        return state.withLock { $0.listener == ObjectIdentifier(parent) }
    }

    /// The addresses for phones, the best first; empty without a network. Nil: there is no listener.
    package var addresses: [String]? {
        port.map { port in hosts().map { "http://\($0):\(port)/" } }
    }

    /// A new link with a code that works once; nil if no phone could follow it.
    package func link(by sessions: Sessions) -> PhoneLink? {
        guard let port, case let hosts = hosts(), let host = hosts.first else { return nil }
        let code = sessions.makeCode(lifetime: Self.codeLifetime)
        // Behind `#`, which is not sent: who fetches the link, as a preview does, does not use the code up.
        return PhoneLink(
            url: "http://\(host):\(port)\(Self.path)#code=\(code)", addresses: hosts.map { "http://\($0):\(port)/" })
    }
}

/// A link for a phone.
package struct PhoneLink: Equatable, Sendable {
    /// The page at the best address, with the code.
    package let url: String
    /// All addresses of the service for phones, the best first and without a code.
    package let addresses: [String]

    /// See the properties.
    package init(url: String, addresses: [String]) {
        self.url = url
        self.addresses = addresses
    }
}
