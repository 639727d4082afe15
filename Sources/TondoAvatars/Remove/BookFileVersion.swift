internal import CLinux
internal import Glibc
internal import SystemPackage

/// A book's file as it was read, and the last step of changing it: only that version is ever replaced or deleted, so that
/// a change that another program makes meanwhile is not lost.
///
/// `renameat2` exchanges the new file and the one that has the name in one step. What came out is compared with what was
/// read: inode, size, time of change and every byte. A read lease on it is refused while another program has it open for
/// writing, and lost when one opens it. Where it is not what was read, the names are exchanged back.
///
/// File systems that cannot exchange names (`EINVAL`: NFS, FAT) get the check immediately before the rename. A change in
/// the microseconds between the two is lost there.
struct BookFileVersion {
    let path: FilePath
    let bytes: [UInt8]
    /// Open for reading.
    let descriptor: FileDescriptor
    let status: stat

    /// The name still leads to it, and nothing changed it.
    var isCurrent: Bool { isUnchanged && Self.status(of: path).map { isSame($0) } == true }

    /// Puts the file `temporary` in its place; nothing has the temporary name then, also when this throws `changed`.
    func replace(by temporary: FilePath) throws {
        guard isCurrent else { throw RemovalProblem.changed(path) }
        // From now on the temporary name may be that of another program's change.
        AtomicFile.forget(temporary)
        guard let new = Self.status(of: temporary) else { throw Errno.noSuchFileOrDirectory }
        switch Self.exchange(temporary, path) {
        case nil: break
        case .noSuchFileOrDirectory?: throw RemovalProblem.changed(path)
        case .invalidArgument?, .noFunction?:
            guard isCurrent else { throw RemovalProblem.changed(path) }
            return try AtomicFile.rename(temporary, to: path)
        case let error?: throw error
        }
        if isWhatCameOut(at: temporary) { return AtomicFile.remove(temporary) }
        putBack(temporary, new)
        throw RemovalProblem.changed(path)
    }

    /// Deletes it. `hidden`: a name in its folder that nothing has.
    func delete(by hidden: FilePath) throws {
        guard isCurrent else { throw RemovalProblem.changed(path) }
        do { try AtomicFile.renameAnew(path, to: hidden) } catch Errno.noSuchFileOrDirectory {
            throw RemovalProblem.changed(path)
        }
        defer { AtomicFile.remove(hidden) }
        if isWhatCameOut(at: hidden) { return }
        // Where the name was taken meanwhile, that file is the later change.
        try? AtomicFile.renameAnew(hidden, to: path)
        throw RemovalProblem.changed(path)
    }

    /// No program changed the file before its name was taken from it, or can change it any more.
    private func isWhatCameOut(at name: FilePath) -> Bool {
        guard Self.status(of: name).map({ isSame($0) }) == true else { return false }
        let lease = ReadLease(descriptor)
        defer { lease.end() }
        // The time of its inode's change is that of the exchange.
        return lease.isGranted != false && hasSameTimes && hasSameBytes && lease.isGranted != false
    }

    /// `temporary`: the name of what must have `path` again; `new`: what has it now. Other programs may go on renaming:
    /// the last file that one put there stays.
    private func putBack(_ temporary: FilePath, _ new: stat) {
        var expected = new
        while let held = Self.status(of: temporary) {
            // Deleted meanwhile: that is the later change.
            if Self.exchange(temporary, path) != nil { break }
            guard let out = Self.status(of: temporary), !Self.isSame(out, expected) else { break }
            expected = held
        }
        AtomicFile.remove(temporary)
    }

    private var isUnchanged: Bool {
        var now = stat()
        return fstat(descriptor.rawValue, &now) == 0 && hasSameTimes && now.st_ctim.tv_sec == status.st_ctim.tv_sec
            && now.st_ctim.tv_nsec == status.st_ctim.tv_nsec
    }

    private var hasSameTimes: Bool {
        var now = stat()
        return fstat(descriptor.rawValue, &now) == 0 && now.st_size == status.st_size
            && now.st_mtim.tv_sec == status.st_mtim.tv_sec && now.st_mtim.tv_nsec == status.st_mtim.tv_nsec
    }

    /// Coarse clocks give two writes one time.
    private var hasSameBytes: Bool {
        var part = [UInt8](repeating: 0, count: 1 << 18)
        var offset = 0
        while true {
            guard
                let count = try? part.withUnsafeMutableBytes({ buffer in
                    try descriptor.read(fromAbsoluteOffset: Int64(offset), into: buffer)
                })
            else { return false }
            if count == 0 { return offset == bytes.count }
            guard offset + count <= bytes.count, bytes[offset..<offset + count] == part[..<count] else { return false }
            offset += count
        }
    }

    private func isSame(_ other: stat) -> Bool { Self.isSame(other, status) }

    private static func isSame(_ one: stat, _ other: stat) -> Bool { FileIdentity(one) == FileIdentity(other) }

    private static func status(of path: FilePath) -> stat? {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 ? status : nil
    }

    private static func exchange(_ one: FilePath, _ other: FilePath) -> Errno? {
        let status = one.withPlatformString { one in
            other.withPlatformString { clinux_exchange(AT_FDCWD, one, AT_FDCWD, $0) }
        }
        return status == 0 ? nil : Errno(rawValue: errno)
    }
}

/// A lease that the kernel grants while no program has the file open for writing, and takes back when one opens it
/// (fcntl(2), F_SETLEASE).
private struct ReadLease {
    private let descriptor: FileDescriptor
    /// Another owner's file, or a file system without leases.
    private let isUnknown: Bool
    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025

    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
        LeasedMapping.ignoreLeaseSignal()
        isUnknown = fcntl(descriptor.rawValue, Self.setLease, F_RDLCK) != 0 && errno != EAGAIN
    }

    /// Nil where it cannot be known.
    var isGranted: Bool? { isUnknown ? nil : fcntl(descriptor.rawValue, Self.getLease) == F_RDLCK }

    func end() { _ = fcntl(descriptor.rawValue, Self.setLease, F_UNLCK) }
}
