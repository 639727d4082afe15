internal import Glibc
internal import Synchronization
package import SystemPackage

/// An entry that was found intact, with its file still open, so that exactly the checked bytes can be copied.
package final class OpenEntry {
    package let avatar: StoredAvatar
    private let file: FileDescriptor
    private let cache: AvatarCache

    init(avatar: StoredAvatar, file: FileDescriptor, cache: AvatarCache) {
        (self.avatar, self.file, self.cache) = (avatar, file, cache)
    }

    deinit { try? file.close() }

    /// Writes the avatar to an empty file. If the file system supports it, the two files share their blocks (`FICLONE`,
    /// ioctl_ficlone(2)) up to the trailer, which is replaced by the end of the PNG.
    package func write(to target: FileDescriptor) throws {
        if try !clone(to: target) { _ = try target.writeAll(avatar.png) }
    }

    private func clone(to target: FileDescriptor) throws -> Bool {
        guard cache.state.withLock({ $0.isCloning }) else { return false }
        let ficlone: UInt = 0x4004_9409
        guard ioctl(target.rawValue, ficlone, file.rawValue) == 0 else {
            // Another file system, or one without support: a retry would fail again.
            if [EOPNOTSUPP, ENOTTY, EXDEV, EINVAL].contains(errno) { cache.state.withLock { $0.isCloning = false } }
            return false
        }
        let size = avatar.png.count
        let end = avatar.png.suffix(EntryTrailer.end.count)
        _ = try target.writeAll(toAbsoluteOffset: Int64(size - end.count), end)
        if ftruncate(target.rawValue, off_t(size)) != 0 { throw Errno(rawValue: errno) }
        return true
    }
}

extension AvatarCache {
    /// Like `read`, for copying the avatar to a file.
    package func open(_ hit: Hit) throws(CacheError) -> OpenEntry? {
        if let entry = openQuickly(hit) { return entry }
        // On any error, the ordinary read detects and repairs it.
        return try read(hit) == nil ? nil : openQuickly(hit)
    }

    private func openQuickly(_ hit: Hit) -> OpenEntry? {
        guard let file = try? objects.openExisting(hit.key) else { return nil }
        if let entryFile = try? EntryFile(file), let avatar = StoredAvatar(entryFile: entryFile.bytes, key: hit.key) {
            return OpenEntry(avatar: avatar, file: file, cache: self)
        }
        try? file.close()
        return nil
    }
}
