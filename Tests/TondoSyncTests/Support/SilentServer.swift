import Foundation
import TondoTestSupport

/// Accepts connections on loopback, sends a few bytes to each, and then nothing more.
final class SilentServer: Sendable {
    let port: Int
    private let socket: Int32
    private let accepted = Locked<[Int32]>([])

    init(sending bytes: [UInt8] = [], closes: Bool = false) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        port = try FreePort.bind(socket)
        guard listen(socket, 8) == 0 else { throw Slapd.Problem(text: "cannot listen") }
        let (listener, accepted) = (socket, accepted)
        Thread.detachNewThread {
            // Closed by the thread that waits in it: else its number may be another server's by the next call.
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                accepted.withLock { $0.append(connection) }
                if closes { shutdown(connection, Int32(SHUT_RDWR)) }
            }
        }
    }

    var connections: Int { accepted.withLock { $0.count } }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        for connection in accepted.withLock({ $0 }) { close(connection) }
    }
}
