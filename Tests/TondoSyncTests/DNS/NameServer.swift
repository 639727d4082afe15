import Foundation
import TondoTestSupport

/// A server of names on loopback that answers as a test says, by UDP.
final class NameServer: Sendable {
    let port: Int
    private let socket: Int32
    private let seen = Locked<[UInt16]>([])

    /// The types that were asked for.
    var types: [UInt16] { seen.withLock { $0 } }

    /// `respond`: gets the type; nil: no answer.
    init(_ respond: @escaping @Sendable (UInt16) -> DNSPacket?) throws {
        socket = Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw Slapd.Problem(text: "no socket for a server of names") }
        port = Int(UInt16(bigEndian: address.sin_port))
        let seen = seen
        Thread.detachNewThread {
            // Closed by the thread that waits in it: else its number may be another server's by the next call.
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 512)
            while true {
                var (from, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
                let count = withUnsafeMutablePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        recvfrom(descriptor, &bytes, bytes.count, 0, $0, &size)
                    }
                }
                guard count > 16 else { return }
                // Behind the name of the question.
                let end = bytes[12..<count].firstIndex(of: 0) ?? count - 3
                let type = UInt16(bytes[end + 1]) << 8 | UInt16(bytes[end + 2])
                seen.withLock { $0.append(type) }
                guard var packet = respond(type) else { continue }
                (packet.id, packet.type) = (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), type)
                let answer = packet.bytes
                withUnsafeMutablePointer(to: &from) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = sendto(descriptor, answer, answer.count, 0, $0, size)
                    }
                }
            }
        }
    }

    deinit { shutdown(socket, Int32(SHUT_RDWR)) }
}
