internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The avatars of a cache: lookups, reading, storing and removing. A damaged entry is removed when it is read, and is a
/// miss. Usable from any thread; calls block.
final class EntryStore: Sendable {
    let storage: Storage
    private let cloning = Cloning()

    init(storage: Storage) { self.storage = storage }

    private var objects: ObjectStore { storage.files.objects }

    /// Counts as no use.
    func contains(_ key: CacheKey) -> Bool { objects.fileState(key)?.kind == .regular }

    /// Looks for one of the two names.
    func contains(_ key: CacheKey, format: EntryFormat) -> Bool {
        objects.fileState(key, format: format)?.kind == .regular
    }

    /// Counts as a use.
    func lookup(_ key: CacheKey) -> AvatarCache.Hit? {
        guard let file = objects.fileState(key), file.kind == .regular else {
            storage.rows.noteMiss()
            return nil
        }
        storage.rows.noteHit(key, at: storage.options.now())
        return AvatarCache.Hit(key: key, size: file.size)
    }

    /// The avatar of a hit, checked; nil if it was removed or was damaged, and then removed.
    func read(_ hit: AvatarCache.Hit) throws(CacheError) -> StoredAvatar? {
        do {
            let file = try objects.openExisting(hit.key)
            defer { try? file.close() }
            if hit.size <= EntryFile.largest {
                let bytes = try EntryFile.bytes(file, size: hit.size)
                if let avatar = try? StoredAvatar(entryFile: bytes, key: hit.key) { return avatar }
            }
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isTransient { throw CacheError(error, at: storage.path) }
        }
        // Another process may have replaced the file between the two calls.
        return try readCarefully(hit.key)
    }

    /// `lookup` and `read` by one path lookup instead of two, without repairs; nil says nothing.
    func readQuickly(_ key: CacheKey, format: EntryFormat) -> StoredAvatar? {
        guard let file = try? objects.openExisting(key, format: format) else { return nil }
        defer { try? file.close() }
        guard let avatar = try? EntryFile(file).avatar(key: key) else { return nil }
        storage.rows.noteHit(key, at: storage.options.now())
        return avatar
    }

    /// Reads again, without trusting the first result. An entry that is still damaged is removed.
    private func readCarefully(_ key: CacheKey) throws(CacheError) -> StoredAvatar? {
        var inode: UInt64?
        do {
            guard let state = try objects.status(key) else { return nil }
            inode = state.inode
            guard state.kind == .regular else { return removeDamaged(key, inode: state.inode, reason: "not a file") }
            let opened = try objects.open(key)
            defer { try? opened.close() }
            let file = try EntryFile(opened)
            do throws(EntryTrailer.Damage) { return try file.avatar(key: key) } catch {
                return removeDamaged(key, inode: file.state.inode, reason: error.rawValue)
            }
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isTransient { throw CacheError(error, at: storage.path) }
            return inode.flatMap { removeDamaged(key, inode: $0, reason: error.lowercased) }
        }
    }

    private func removeDamaged(_ key: CacheKey, inode: UInt64, reason: String) -> StoredAvatar? {
        if !storage.isReadOnly { try? removeDamaged(key, inode: inode) }
        storage.diagnostics.report(.damaged(key, reason: reason), once: key.hexadecimal)
        return nil
    }

    /// `inode`: of the damaged file; another one stays.
    private func removeDamaged(_ key: CacheKey, inode: UInt64) throws(CacheError) {
        if try storage.change(key, reason: .damaged, work: { try objects.remove(key, inode: inode) }) {
            storage.rows.noteDamage()
        }
    }

    /// Removes an entry if it is damaged. It may have been replaced by an intact one since it was checked.
    func removeIfDamaged(_ key: CacheKey) throws {
        guard let state = try objects.status(key), try damage(of: key) != nil else { return }
        try removeDamaged(key, inode: state.inode)
    }

    /// Like `read`, for copying the avatar to a file.
    func open(_ hit: AvatarCache.Hit) throws(CacheError) -> OpenEntry? {
        if let entry = openQuickly(hit) { return entry }
        // On any error, the ordinary read detects and repairs it.
        return try read(hit) == nil ? nil : openQuickly(hit)
    }

    private func openQuickly(_ hit: AvatarCache.Hit) -> OpenEntry? {
        guard let file = try? objects.openExisting(hit.key) else { return nil }
        if let avatar = try? EntryFile(file).avatar(key: hit.key) {
            return OpenEntry(avatar: avatar, file: file, cloning: cloning)
        }
        try? file.close()
        return nil
    }

    /// Checks the bytes of an entry: nil if they are intact, else what is wrong. Removes nothing.
    func damage(of key: CacheKey) throws(CacheError) -> String? {
        do {
            guard let state = try objects.status(key) else { return AvatarCache.missing }
            guard state.kind == .regular else { return "not a file" }
            let file = try objects.open(key)
            defer { try? file.close() }
            let entryFile = try EntryFile(file)
            do throws(EntryTrailer.Damage) { _ = try entryFile.entry(key: key) } catch { return error.rawValue }
            return nil
        } catch {
            if error.isTransient { throw CacheError(error, at: storage.path) }
            return error == .noSuchFileOrDirectory ? AvatarCache.missing : error.lowercased
        }
    }

    /// Removes an entry, intact or not. Returns whether there was one.
    func remove(_ key: CacheKey) throws(CacheError) -> Bool {
        try storage.checkWritable()
        return try storage.change(key, reason: .removed) { try objects.remove(key) }
    }

    /// Lets only the owner read and write the file.
    func protect(_ key: CacheKey) throws {
        let file = try objects.open(key)
        defer { try? file.close() }
        if fchmod(file.rawValue, 0o600) != 0 { throw Errno(rawValue: errno) }
    }
}
