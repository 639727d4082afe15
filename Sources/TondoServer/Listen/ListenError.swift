internal import Glibc

/// Why the service cannot listen.
package enum ListenError: Error, Equatable {
    /// What `LISTEN_PID`, `LISTEN_FDS` or `LISTEN_FDNAMES` says makes no sense.
    case badEnvironment(String)
    /// A descriptor that was handed over is no listening stream socket.
    case notListening(descriptor: CInt, name: String)
    /// Another process answers at the Unix socket.
    case inUse(path: String)
    /// There is something at the path that is no socket, so it is left alone.
    case notASocket(path: String)
    /// `reason` is the system's.
    case cannotListen(address: String, reason: String)
    case nothingToListenOn
    /// The process may not open sockets of this kind (EAFNOSUPPORT, EPERM), as by a unit's `RestrictAddressFamilies=`: that
    /// does not change by itself. `reason` is the system's.
    case forbidden(address: String, reason: String)

    /// For what the system said when a socket was to be opened or bound.
    init(address: String, errno code: CInt) {
        let reason = String(cString: strerror(code))
        self =
            code == EAFNOSUPPORT || code == EPERM
            ? .forbidden(address: address, reason: reason) : .cannotListen(address: address, reason: reason)
    }

    /// Starting again does not help as long as the settings are the same.
    package var isConfiguration: Bool { if case .forbidden = self { true } else { false } }
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badEnvironment(let text): "the environment makes no sense: \(text)"
        case .notListening(let descriptor, let name): "descriptor \(descriptor) (\(name)) is no listening stream socket"
        case .inUse(let path): "\(path): another process listens here"
        case .notASocket(let path): "\(path): is there and is no socket"
        case .cannotListen(let address, let reason): "\(address): \(reason)"
        case .forbidden(let address, let reason):
            "\(address): \(reason): this process may not open such a socket, as by RestrictAddressFamilies= of its unit"
        case .nothingToListenOn: "there is nothing to listen on"
        }
    }
}
