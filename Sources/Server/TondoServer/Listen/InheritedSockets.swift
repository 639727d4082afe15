internal import Glibc

/// The listening sockets that the parent process passed (sd_listen_fds(3)).
package struct InheritedSockets: Equatable, Sendable {
    /// An inherited listening socket.
    package struct Socket: Equatable, Sendable {
        /// 3 or higher; `check` confirms that it is a listening socket.
        package let descriptor: CInt
        /// The name from `FileDescriptorName=`; `unknown` without one.
        package let name: String
    }

    /// The first descriptor (SD_LISTEN_FDS_START).
    package static let first: CInt = 3
    /// More than any unit passes.
    static let most = 1024

    /// In the order of their descriptors; empty without a parent that passes sockets.
    package let sockets: [Socket]

    /// Reads `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`; none if they are missing or meant for another process.
    /// Does not use the descriptors.
    package init(environment: [String: String], process: Int32) throws(ListenError) {
        guard let pid = environment["LISTEN_PID"], let count = environment["LISTEN_FDS"] else {
            sockets = []
            return
        }
        guard let pid = Int32(pid) else { throw .badEnvironment("LISTEN_PID=\(pid)") }
        // Child processes inherit the variables, which are not meant for them.
        guard pid == process else {
            sockets = []
            return
        }
        guard let count = Int(count), 0...Self.most ~= count else { throw .badEnvironment("LISTEN_FDS=\(count)") }
        let names = environment["LISTEN_FDNAMES"].map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        // An empty variable counts as one empty name.
        if let names, names.count != count, !(count == 0 && names == [""]) {
            throw .badEnvironment("LISTEN_FDNAMES has \(names.count) names for \(count) sockets")
        }
        sockets = (0..<count).map { index in
            Socket(descriptor: Self.first + CInt(index), name: names.map { String($0[index]) } ?? "unknown")
        }
    }
}

extension InheritedSockets.Socket {
    /// Checks that it is a listening stream socket, and sets close-on-exec.
    func check() throws(ListenError) {
        guard Self.option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
            Self.option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw .notListening(descriptor: descriptor, name: name) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
