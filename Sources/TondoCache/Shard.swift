internal import Glibc
internal import SystemPackage

/// One of the 256 folders of entries, opened once for any number of its files. Links are not followed, so all of them
/// are in it.
struct Shard {
    let folder: Folder
    let number: UInt8

    /// What stands under the key's name; nil when nothing does.
    func status(_ key: CacheKey) throws(Errno) -> FileState? {
        try Objects.withShardName(key) { name throws(Errno) in try folder.status(name) }
    }

    func open(_ key: CacheKey) throws(Errno) -> FileDescriptor {
        try Objects.withShardName(key) { name throws(Errno) in try folder.open(name, O_RDONLY) }
    }

    /// An entry as its file tells it; nil when there is none, or it is damaged. An error means that it may be there.
    func entry(_ key: CacheKey) throws(Errno) -> Entry? {
        do {
            guard try status(key)?.kind == .regular else { return nil }
            let file = try open(key)
            defer { try? file.close() }
            let sealed = try SealedFile(file)
            return try? sealed.entry(key: key)
        } catch {
            if error.isPassing { throw error }
            return nil
        }
    }

    /// What stands under the key's name, with its bytes if it is a file; nil when nothing does.
    func file(_ key: CacheKey) throws(Errno) -> SealedFile? {
        let opened: FileDescriptor
        do { opened = try open(key) } catch {
            // Links and sockets cannot be opened; for all others, asking first would cost a tenth of the time.
            guard let state = try status(key) else { return nil }
            if state.kind == .regular { throw error }
            return SealedFile(bytes: [], state: state)
        }
        defer { try? opened.close() }
        return try SealedFile(opened)
    }

    /// Keys, as far as names are keys of this folder, and all other names. To be asked once.
    func content() throws(Errno) -> (keys: [CacheKey], others: [FilePath.Component]) {
        var (keys, others): ([CacheKey], [FilePath.Component]) = ([], [])
        try folder.forEachNameOnce { name in
            if let key = key(name) {
                keys.append(key)
            } else if let other = FilePath.Component(platformString: name) {
                others.append(other)
            }
        }
        return (keys, others)
    }

    /// The key that a file's name tells, if that is where it belongs.
    private func key(_ name: UnsafePointer<CChar>) -> CacheKey? {
        let digits = 2 * CacheKey.byteCount
        guard strlen(name) == digits + 4, strcmp(name + digits, ".png") == 0,
            let key = CacheKey(digits: UnsafeRawBufferPointer(start: name, count: digits)), key.shard == number
        else { return nil }
        return key
    }
}
