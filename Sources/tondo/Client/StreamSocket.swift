import Glibc

/// A connected socket with a buffer. For one thread; blocks it, at most for the timeout.
final class StreamSocket {
    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var start = 0

    /// Maximum bytes of a line.
    private static let longestLine = 65_536

    /// `timeout`: the timeout in seconds of connecting, of each read and of each write.
    init(_ address: ServiceAddress, timeout: Int) throws(ClientError) {
        switch address {
        case .unix(let path): descriptor = try Self.connect(path: path, timeout)
        case .tcp(let host, let port): descriptor = try Self.connect(host: host, port: port, timeout)
        }
    }

    deinit { close(descriptor) }

    func write(_ text: String) throws(ClientError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Self.failure(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// The bytes before the next line feed, without it and a preceding carriage return; nil at the end.
    func line() throws(ClientError) -> String? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                let line = buffer[start..<end]
                return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
            }
            guard buffer.count - start < Self.longestLine else { throw .malformed }
            searched = buffer.count - start
            guard try fill() else { return nil }
        }
    }

    /// At least one byte and at most `count`; none at the end.
    func bytes(_ count: Int) throws(ClientError) -> [UInt8] {
        if start == buffer.count, try !fill() { return [] }
        let piece = buffer[start...].prefix(count)
        start += piece.count
        return Array(piece)
    }

    /// Reads once more after the buffered bytes; false at the end.
    private func fill() throws(ClientError) -> Bool {
        buffer.removeFirst(start)
        start = 0
        var piece = [UInt8](repeating: 0, count: 16_384)
        var count = recv(descriptor, &piece, piece.count, 0)
        while count < 0, errno == EINTR { count = recv(descriptor, &piece, piece.count, 0) }
        guard count >= 0 else { throw Self.failure(errno) }
        buffer += piece.prefix(count)
        return count > 0
    }

    private static func failure(_ code: CInt) -> ClientError {
        switch code {
        case ECONNREFUSED, ENOENT: .refused
        case EAGAIN, ETIMEDOUT, EINPROGRESS: .silent
        case ECONNRESET, EPIPE: .ended
        default: .unreachable(reason: String(cString: strerror(code)))
        }
    }

    private static func connect(path: String, _ timeout: Int) throws(ClientError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return try withUnsafeBytes(of: &address) { bytes throws(ClientError) in
            try connect(AF_UNIX, bytes, timeout)
        }
    }

    /// Connects to the first address of the host that accepts.
    private static func connect(host: String, port: Int, _ timeout: Int) throws(ClientError) -> CInt {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw .unreachable(reason: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(list) }
        var failure = ClientError.refused
        var next = list
        while let entry = next?.pointee {
            do throws(ClientError) {
                let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
                return try connect(entry.ai_family, bytes, timeout)
            } catch { failure = error }
            next = entry.ai_next
        }
        throw failure
    }

    private static func connect(
        _ family: CInt, _ address: UnsafeRawBufferPointer, _ timeout: Int
    ) throws(ClientError) -> CInt {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(errno) }
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let pointer = address.baseAddress?.assumingMemoryBound(to: sockaddr.self)
        guard Glibc.connect(descriptor, pointer, socklen_t(address.count)) == 0 else {
            let reason = errno
            close(descriptor)
            throw failure(reason)
        }
        return descriptor
    }
}
