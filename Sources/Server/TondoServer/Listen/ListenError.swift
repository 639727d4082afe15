internal import Glibc

/// Why the service cannot listen.
package enum ListenError: Error, Equatable {
    /// `LISTEN_PID`, `LISTEN_FDS` or `LISTEN_FDNAMES` is invalid.
    case badEnvironment(String)
    /// An inherited descriptor is not a listening stream socket.
    case notListening(descriptor: CInt, name: String)
    /// Another process listens at the Unix socket.
    case inUse(path: String)
    /// The path exists and is not a socket, so it is left alone.
    case notASocket(path: String)
    /// `reason`: the text of the system error.
    case cannotListen(address: String, reason: String)
    case nothingToListenOn
    /// The process is not permitted to open sockets of this kind (EAFNOSUPPORT, EPERM), for example by
    /// `RestrictAddressFamilies=` of its unit, which does not change by itself. `reason`: the text of the system error.
    case forbidden(address: String, reason: String)

    /// Converts the error of opening or binding a socket.
    init(address: String, errno code: CInt) {
        let reason =
            switch code {
            case EADDRINUSE: "another process listens here; --listen takes another address"
            case EADDRNOTAVAIL: "this machine has no such address"
            default: String(cString: strerror(code))
            }
        self =
            code == EAFNOSUPPORT || code == EPERM
            ? .forbidden(address: address, reason: reason) : .cannotListen(address: address, reason: reason)
    }

    /// A restart does not help unless the configuration changes.
    package var isConfiguration: Bool { if case .forbidden = self { true } else { false } }
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badEnvironment(let text): "the environment is invalid: \(text)"
        case .notListening(let descriptor, let name):
            "descriptor \(descriptor) (\(name)) is not a listening stream socket"
        case .inUse(let path): "\(path): another process listens here"
        case .notASocket(let path): "\(path): exists and is not a socket"
        case .cannotListen(let address, let reason): "\(address): \(reason)"
        case .forbidden(let address, let reason):
            "\(address): \(reason): this process is not permitted to open such a socket, for example by RestrictAddressFamilies= of its unit"
        case .nothingToListenOn: "no address to listen on"
        }
    }
}
