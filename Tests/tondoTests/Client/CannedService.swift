import Foundation
import Glibc
import TondoTestSupport

@testable import tondo

/// A service that answers each request by its path, on the Unix socket `canned.sock`, with what a test says; one
/// connection after the other, in pieces of a few bytes.
final class CannedService: Sendable {
    let folder: TemporaryFolder
    private let descriptor: Int32

    var address: ServiceAddress { .unix(path: folder.pathString + "/canned.sock") }

    /// `responses`: whole answers with their heads, by path. `isEnding`: ends the connection behind each of them.
    init(_ responses: [String: String], isEnding: Bool = false) throws {
        let folder = try TemporaryFolder()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (folder.pathString + "/canned.sock").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
        (self.folder, self.descriptor) = (folder, descriptor)
        Thread.detachNewThread {
            // Closed here alone: its number may be another socket's as soon as it is closed.
            defer { close(descriptor) }
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                Self.serve(connection, responses, isEnding)
                close(connection)
            }
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Ends the connection behind an answer without a length, or when the client does.
    private static func serve(_ connection: Int32, _ responses: [String: String], _ isEnding: Bool) {
        var request = ""
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            while !request.contains("\r\n\r\n") {
                let count = recv(connection, &bytes, bytes.count, 0)
                guard count > 0 else { return }
                request += String(decoding: bytes[..<count], as: UTF8.self)
            }
            let path = String(request.split(separator: " ")[1])
            request = ""
            let response = responses[path] ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            for piece in stride(from: 0, to: response.utf8.count, by: 7) {
                let part = Array(response.utf8.dropFirst(piece).prefix(7))
                guard send(connection, part, part.count, Int32(MSG_NOSIGNAL)) == part.count else { return }
            }
            if isEnding || !response.contains("Content-Length") && !response.contains("chunked") { return }
        }
    }

    /// An answer with its length.
    static func json(_ text: String, status: String = "200 OK") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    /// An answer in chunks.
    static func chunked(_ chunks: [String]) -> String {
        let body = chunks.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\n\r\n"
    }
}
