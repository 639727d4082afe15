internal import Glibc
internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// A book's file as it was read, and the last step of changing it: only that version is ever replaced or deleted, so
/// that a concurrent change of another program is not lost.
///
/// `renameat2` exchanges the new file and the named one in one step. The file that came out is compared with what was
/// read: inode, size, times and every byte. The kernel refuses a read lease on it while another program has it open for
/// writing, and revokes the lease when one opens it. If it is not what was read, the names are exchanged back.
///
/// File systems that cannot exchange names (`EINVAL`: NFS, FAT) get the check immediately before the rename. A change
/// in the microseconds between the two is lost there.
struct BookFileVersion {
    let path: FilePath
    let bytes: [UInt8]
    /// Open for reading.
    let descriptor: FileDescriptor
    let status: FileStatus

    /// Whether the name still leads to it, and it is unchanged.
    var isCurrent: Bool { isUnchanged && Self.status(of: path)?.identity == status.identity }

    /// Puts the file `temporary` in its place; afterwards nothing has the temporary name, even if this throws
    /// `changed`.
    func replace(by temporary: FilePath) throws {
        guard isCurrent else { throw ChangeProblem.changed(path) }
        // From now on the temporary name may belong to another program's change.
        AtomicFile.forget(temporary)
        guard let new = Self.status(of: temporary)?.identity else { throw Errno.noSuchFileOrDirectory }
        let left = LeftBook.path(beside: path, holding: [FileDigest(bytes), FileDigest(ofFileAt: temporary)])
        try AtomicFile.rename(temporary, to: left)
        do { try exchange(left) } catch {
            AtomicFile.remove(left)
            throw error
        }
        if Self.status(of: left) == nil { return }
        if isWhatCameOut(at: left) { return AtomicFile.remove(left) }
        putBack(left, new)
        throw ChangeProblem.changed(path)
    }

    /// Afterwards the name leads to the new file; where names can be exchanged, `new` leads to the one that came out.
    private func exchange(_ new: FilePath) throws {
        switch AtomicFile.exchange(new, with: path) {
        case nil: break
        case .noSuchFileOrDirectory?: throw ChangeProblem.changed(path)
        case .invalidArgument?, .noFunction?:
            guard isCurrent else { throw ChangeProblem.changed(path) }
            try AtomicFile.rename(new, to: path)
        case let error?: throw error
        }
    }

    /// Deletes it. `hidden`: an unused name in its folder.
    func delete(by hidden: FilePath) throws {
        guard isCurrent else { throw ChangeProblem.changed(path) }
        do { try AtomicFile.renameNoReplace(path, to: hidden) } catch Errno.noSuchFileOrDirectory {
            throw ChangeProblem.changed(path)
        }
        defer { AtomicFile.remove(hidden) }
        if isWhatCameOut(at: hidden) { return }
        // If the name was taken meanwhile, that file is the later change.
        try? AtomicFile.renameNoReplace(hidden, to: path)
        throw ChangeProblem.changed(path)
    }

    /// Gives another name of the file to the one that `replace(by:)` put in its place.
    func replace(otherName name: FilePath) throws {
        let temporary = LeftBook.path(
            beside: name, holding: [FileDigest(bytes), FileDigest(ofFileAt: path)])
        try AtomicFile.link(path, to: temporary)
        defer { AtomicFile.remove(temporary) }
        switch AtomicFile.exchange(temporary, with: name) {
        case nil: break
        case .invalidArgument?, .noFunction?:
            guard leads(here: name) else { throw ChangeProblem.changed(name) }
            return try AtomicFile.rename(temporary, to: name)
        case let error?: throw error
        }
        if leads(here: temporary) { return }
        // Another program put its own file there.
        _ = AtomicFile.exchange(temporary, with: name)
        throw ChangeProblem.changed(name)
    }

    /// Deletes another name of the file, after `delete(by:)`.
    func delete(otherName name: FilePath) throws {
        let hidden = LeftBook.path(beside: name, holding: [FileDigest(bytes)])
        try AtomicFile.renameNoReplace(name, to: hidden)
        if leads(here: hidden) { return AtomicFile.remove(hidden) }
        try? AtomicFile.renameNoReplace(hidden, to: name)
        throw ChangeProblem.changed(name)
    }

    private func leads(here name: FilePath) -> Bool { Self.status(of: name)?.identity == status.identity }

    /// Whether no program changed the file before its name was taken, or can change it any more.
    private func isWhatCameOut(at name: FilePath) -> Bool {
        guard Self.status(of: name)?.identity == status.identity else { return false }
        let lease = ReadLease(descriptor)
        defer { lease.end() }
        // The change time of its inode is that of the exchange.
        return lease.isGranted != false && hasSameTimes && hasSameBytes && lease.isGranted != false
    }

    /// `temporary`: the name of the file that must get `path` back; `new`: the file with that name now. Other programs
    /// may rename meanwhile: the last file that one of them put there stays.
    private func putBack(_ temporary: FilePath, _ new: FileIdentity) {
        var expected = new
        while let held = Self.status(of: temporary)?.identity {
            // Deleted meanwhile: that is the later change.
            if AtomicFile.exchange(temporary, with: path) != nil { break }
            guard let out = Self.status(of: temporary)?.identity, out != expected else { break }
            expected = held
        }
        AtomicFile.remove(temporary)
    }

    private var isUnchanged: Bool {
        guard let now = try? FileStatus(descriptor) else { return false }
        return now.isSame(as: status) && now.changed == status.changed
    }

    private var hasSameTimes: Bool { (try? FileStatus(descriptor))?.isSame(as: status) == true }

    /// With coarse clocks, two writes can have the same time.
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

    private static func status(of path: FilePath) -> FileStatus? { FileStatus(path, followingLinks: false) }
}
