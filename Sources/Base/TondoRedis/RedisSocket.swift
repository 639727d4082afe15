internal import Glibc

/// A connected socket on which every call ends at a deadline. One thread at a time.
final class RedisSocket {
    typealias Deadline = ContinuousClock.Instant

    /// For poll(2).
    let descriptor: Int32

    init(to endpoint: RedisAddress.Endpoint, by deadline: Deadline) throws(RedisError) {
        let family = endpoint.family
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .unreachable(reason: Self.reason(for: errno)) }
        if family != AF_UNIX {
            // A command is short and waits for its reply: the kernel must not hold it back for more bytes.
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        // Throwing from here on closes the descriptor, because all properties have their values.
        try connect(to: endpoint, by: deadline)
    }

    deinit { close(descriptor) }

    private func connect(to endpoint: RedisAddress.Endpoint, by deadline: Deadline) throws(RedisError) {
        let result = endpoint.withAddress { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
        if result == 0 { return }
        // EAGAIN: the backlog of a Unix socket is full, and nothing says when there is room (connect(2)).
        guard result == EINPROGRESS else { throw .unreachable(reason: Self.reason(for: result)) }
        try wait(for: POLLOUT, by: deadline)
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        if error != 0 { throw .unreachable(reason: Self.reason(for: error)) }
    }

    func send(_ bytes: [UInt8], by deadline: Deadline) throws(RedisError) {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                // Writing to a closed connection would end the process by SIGPIPE.
                Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
            }
            if sent > 0 { done += sent } else { try recover(from: errno, POLLOUT, by: deadline) }
        }
    }

    /// Waits for bytes, at least one.
    func receive(into buffer: UnsafeMutableRawBufferPointer, by deadline: Deadline) throws(RedisError) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count == 0 { throw .closed }
            try recover(from: errno, POLLIN, by: deadline)
        }
    }

    /// Sends what there is room for now. Returns the number of bytes.
    func sendSome(_ bytes: [UInt8]) throws(RedisError) -> Int {
        while true {
            let sent = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if sent >= 0 { return sent }
            if errno == EAGAIN { return 0 }
            try recover(from: errno, POLLOUT, by: .now)
        }
    }

    /// Takes what is there now; nil: nothing.
    func receiveSome(into buffer: UnsafeMutableRawBufferPointer) throws(RedisError) -> Int? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count == 0 { throw .closed }
            if errno == EAGAIN { return nil }
            try recover(from: errno, POLLIN, by: .now)
        }
    }

    /// The server has closed it, or has sent what was not asked for. One system call.
    var isStale: Bool {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 0) != 0
    }

    private func recover(from error: Int32, _ events: Int32, by deadline: Deadline) throws(RedisError) {
        switch error {
        case EAGAIN: try wait(for: events, by: deadline)
        case EINTR: break
        case EPIPE, ECONNRESET: throw .closed
        default: throw .unreachable(reason: Self.reason(for: error))
        }
    }

    private func wait(for events: Int32, by deadline: Deadline) throws(RedisError) {
        var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            // Rounded up, or the last part of a millisecond would be a busy loop. poll(2) takes 32 bits.
            let milliseconds = min((left / .milliseconds(1)).rounded(.up), 60_000)
            if poll(&item, 1, Int32(milliseconds)) > 0 { return }
        }
    }

    private static func reason(for error: Int32) -> String { String(cString: strerror(error)) }
}

extension RedisAddress.Endpoint {
    fileprivate var family: Int32 {
        switch self {
        case .unix: AF_UNIX
        case .loopback(.version4, _): AF_INET
        case .loopback(.version6, _): AF_INET6
        }
    }

    fileprivate func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch self {
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // The last byte stays zero; `RedisAddress` has refused longer paths.
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            return Self.pass(&address, to: body)
        case .loopback(.version4, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return Self.pass(&address, to: body)
        case .loopback(.version6, let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return Self.pass(&address, to: body)
        }
    }

    private static func pass<Address, Result>(
        _ address: inout Address, to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let size = socklen_t(MemoryLayout<Address>.size)
        return withUnsafeBytes(of: &address) { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size) }
    }
}
