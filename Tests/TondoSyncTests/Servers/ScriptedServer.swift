import Foundation
import Glibc
import TondoTestSupport

/// An HTTP/1.1 server on loopback that answers as a test says. Each connection has a thread.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        /// Names in lower case.
        let headers: [String: String]
        var body: String
        /// The number of its connection, from 1 on.
        let connection: Int

        var line: String { "\(method) \(path)" }
    }

    struct Reply: Sendable {
        var status = 207
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        /// The connection ends after so many bytes of the response.
        var cut: Int?
        /// Each byte of the body comes alone, with a pause before it; microseconds.
        var pause: UInt32?

        init(_ status: Int = 207, _ body: String = "", headers: [(String, String)] = []) {
            (self.status, self.body, self.headers) = (status, Array(body.utf8), headers)
        }

        func cut(after count: Int) -> Reply {
            var reply = self
            reply.cut = count
            return reply
        }

        fileprivate var bytes: [UInt8] {
            let lines =
                ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.count)"] + headers.map { "\($0): \($1)" }
            let whole = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
            return Array(whole.prefix(cut ?? whole.count))
        }
    }

    let port: Int
    private let listener: Int32
    private let seen = Locked<[Request]>([])

    var requests: [Request] { seen.withLock { $0 } }
    var lines: [String] { requests.map(\.line) }
    var url: String { "http://127.0.0.1:\(port)" }

    func forget() { seen.withLock { $0 = [] } }

    /// `isSerial`: it serves one connection at a time, until the client closes it.
    init(isSerial: Bool = false, _ respond: @escaping @Sendable (Request) -> Reply) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(descriptor, raw, size) == 0 && listen(descriptor, isSerial ? 1 : 64) == 0
                    && getsockname(descriptor, raw, &size) == 0
            }
        }
        guard bound else { throw CocoaError(.featureUnsupported) }
        (listener, port) = (descriptor, Int(UInt16(bigEndian: address.sin_port)))
        // Without the server itself: a connection that was accepted is answered, also if the test is done with the server.
        let seen = seen
        Thread.detachNewThread {
            // Closed by the thread that waits in it: else its number may be another server's by the next call.
            defer { close(descriptor) }
            var number = 0
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
                if connection < 0 { return }
                number += 1
                let current = number
                if isSerial {
                    Self.serve(connection, current, respond, seen)
                } else {
                    Thread.detachNewThread { Self.serve(connection, current, respond, seen) }
                }
            }
        }
    }

    deinit { stop() }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(
        _ connection: Int32, _ number: Int, _ respond: @Sendable (Request) -> Reply, _ seen: Locked<[Request]>
    ) {
        defer { close(connection) }
        var buffer: [UInt8] = []
        while let request = read(connection, number, &buffer) {
            seen.withLock { $0.append(request) }
            let reply = respond(request)
            var rest = reply.bytes[...]
            while !rest.isEmpty {
                let isDripping = reply.pause != nil && rest.count <= reply.body.count
                if isDripping { usleep(reply.pause ?? 0) }
                let most = isDripping ? 1 : max(rest.count - (reply.pause == nil ? 0 : reply.body.count), 1)
                let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, most, Int32(MSG_NOSIGNAL)) }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
            if reply.cut != nil { return }
        }
    }

    private static func read(_ connection: Int32, _ number: Int, _ buffer: inout [UInt8]) -> Request? {
        let separator = Array("\r\n\r\n".utf8)
        while true {
            if let head = buffer.firstRange(of: separator) {
                var lines = String(decoding: buffer[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let words = lines.removeFirst().split(separator: " ").map(String.init)
                let headers = lines.map { line in
                    let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                    return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
                }
                let fields = Dictionary(headers) { first, _ in first }
                let length = fields["content-length"].flatMap { Int($0) } ?? 0
                if buffer.count >= head.upperBound + length {
                    let body = buffer[head.upperBound..<(head.upperBound + length)]
                    buffer.removeFirst(head.upperBound + length)
                    return Request(
                        method: words[0], path: words[1], headers: fields, body: String(decoding: body, as: UTF8.self),
                        connection: number)
                }
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &piece, piece.count, 0)
            if count <= 0 { return nil }
            buffer += piece[..<count]
        }
    }
}
