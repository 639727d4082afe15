/// Sends requests to a running service, one after the other on one connection: the part of HTTP/1.1 that the service
/// uses (RFC 9112). For one thread; blocks it.
final class ServiceClient {
    struct Response {
        let status: Int
        /// Names in lower case.
        let fields: [String: String]
        fileprivate(set) var body: [UInt8] = []
    }

    let address: ServiceAddress
    private let socket: StreamSocket
    private var body = Body.none

    /// The unread part of the body.
    private enum Body: Equatable {
        case none, untilEnd
        case bytes(Int)
        /// Remaining bytes of this chunk.
        case chunk(Int)
    }

    /// Maximum bytes of a response that is kept as a whole.
    private static let largest = 16 << 20

    init(_ address: ServiceAddress, timeout: Int = 10) throws(ClientError) {
        self.address = address
        socket = try StreamSocket(address, timeout: timeout)
    }

    /// The whole response.
    func get(_ path: String) throws(ClientError) -> Response {
        var response = try begin(path)
        while let piece = try read() {
            response.body += piece
            guard response.body.count <= Self.largest else { throw .malformed }
        }
        return response
    }

    /// The response without its body, which `read` returns.
    func begin(_ path: String, fields: [(name: String, value: String)] = []) throws(ClientError) -> Response {
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        try socket.write("GET \(path) HTTP/1.1\r\nHost: \(address.host)\r\n\(lines)\r\n")
        guard let first = try socket.line() else { throw .ended }
        let words = first.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .malformed }
        var fields: [String: String] = [:]
        while true {
            guard let line = try socket.line() else { throw .ended }
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: ":"), fields.count < 100 else { throw .malformed }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        if fields["transfer-encoding"]?.lowercased() == "chunked" {
            body = .chunk(0)
        } else if status == 204 || status == 304 {
            body = .none
        } else {
            body = fields["content-length"].flatMap { Int($0) }.map { .bytes($0) } ?? .untilEnd
        }
        return Response(status: status, fields: fields)
    }

    /// The next part of the body; nil at its end.
    func read() throws(ClientError) -> [UInt8]? {
        switch body {
        case .none, .bytes(0):
            body = .none
            return nil
        case .untilEnd:
            let piece = try socket.bytes(16_384)
            return piece.isEmpty ? nil : piece
        case .bytes(let left):
            let piece = try socket.bytes(left)
            guard !piece.isEmpty else { throw .ended }
            body = .bytes(left - piece.count)
            return piece
        case .chunk(0): return try beginChunk() ? read() : nil
        case .chunk(let left):
            let piece = try socket.bytes(left)
            guard !piece.isEmpty else { throw .ended }
            // A line end follows the bytes of a chunk.
            if piece.count == left, try socket.line() != "" { throw .malformed }
            body = .chunk(left - piece.count)
            return piece
        }
    }

    /// False after the last chunk.
    private func beginChunk() throws(ClientError) -> Bool {
        guard let line = try socket.line() else { throw .ended }
        guard let size = Int(line.prefix { $0 != ";" && $0 != " " }, radix: 16), size >= 0 else { throw .malformed }
        if size > 0 {
            body = .chunk(size)
            return true
        }
        while let trailer = try socket.line(), !trailer.isEmpty {}
        body = .none
        return false
    }
}
