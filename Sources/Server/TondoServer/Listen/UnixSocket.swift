internal import Glibc
internal import SystemPackage
internal import TondoEndpoints

/// Creates listening Unix sockets.
package enum UnixSocket {
    /// A descriptor that listens at `path`, with file mode `mode`; the caller closes it.
    ///
    /// The socket file of a dead process is replaced. A socket with a listening process, or another kind of file, is
    /// not.
    package static func listen(path: String, mode: UInt32 = 0o660) throws(ListenError) -> CInt {
        guard ListenAddress(unix: path) != nil else {
            throw .cannotListen(address: path, reason: "the path is empty or too long")
        }
        try removeStale(path)
        let descriptor = try open(path)
        // The mode is set between bind and listen, so that no client connects before.
        let done =
            with(path) { bind(descriptor, $0, $1) } == 0 && chmod(path, mode) == 0
            && Glibc.listen(descriptor, 1024) == 0
        guard done else {
            let reason = errno
            close(descriptor)
            throw reason == EADDRINUSE ? .inUse(path: path) : failure(of: path, code: reason)
        }
        return descriptor
    }

    private static func removeStale(_ path: String) throws(ListenError) {
        guard let status = try? Stat(FilePath(path), followTargetSymlink: false) else { return }
        guard status.type == .socket else { throw .notASocket(path: path) }
        // The file of a dead process looks like that of a living one; only a connection shows the difference.
        let descriptor = try open(path)
        defer { close(descriptor) }
        // EAGAIN: a process listens, and its queue is full (connect(2)).
        if with(path, body: { connect(descriptor, $0, $1) }) == 0 || errno == EAGAIN { throw .inUse(path: path) }
        guard errno == ECONNREFUSED else { throw failure(of: path, code: errno) }
        unlink(path)
    }

    private static func open(_ path: String) throws(ListenError) -> CInt {
        let flags = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { throw ListenError(address: path, errno: errno) }
        return descriptor
    }

    private static func failure(of path: String, code: CInt) -> ListenError {
        .cannotListen(address: path, reason: String(cString: strerror(code)))
    }

    /// The path as a socket address; `path` is checked by `ListenAddress`.
    private static func with(_ path: String, body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
