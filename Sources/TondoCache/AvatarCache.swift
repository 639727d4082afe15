internal import Dispatch
package import FoundationEssentials
internal import Glibc
internal import Synchronization
package import SystemPackage
internal import TondoFiles
internal import TondoText

/// A cache of avatars on disk. The files are authoritative; an index is derived from them for queries.
///
/// A hit costs one `stat` and one read and never touches the index. Bytes are checked against their checksum, so wrong
/// bytes are never served: a damaged entry is removed and is a miss. Several processes may share the folder, and any of
/// them may be killed at any time. Rows and last uses are written in batches, after five seconds at most, or at
/// `flush()`. Usable from any thread; calls block.
package final class AvatarCache: Sendable {
    package struct Options: Sendable {
        /// Creates a missing cache; else a missing cache is an error.
        package var isMaking = true
        /// The size limit of all entries in bytes. Above it the least recently used ones are evicted, down to 90 %;
        /// nil: no limit.
        package var maxSize: Int? = AvatarCache.defaultMaxSize
        /// The limit of negative entries, above which expired and old ones are evicted, down to 90 %; fewer in tests.
        var mostFailures = AvatarCache.mostFailures
        /// Seconds to wait for another process that has locked the index; less in tests.
        var busyTimeout = 10.0
        /// The time; replaced in tests.
        package var now: @Sendable () -> Date = { Date() }
        /// Called with each problem found and repaired, once each, on any thread, outside every lock.
        package var notice: @Sendable (CacheNotice) -> Void = { _ in }

        /// Called before each step; a returned error makes the step fail. Replaced in tests.
        package var fault: @Sendable (Step) -> CacheError? = { _ in nil }

        package init() {}
    }

    /// The steps that a test can let fail.
    package enum Step: Sendable {
        /// An entry is stored, or its contacts are recorded.
        case store
        /// The index is brought up to date.
        case index
    }

    /// An entry that exists according to its name; only `read` checks the bytes.
    package struct Hit: Sendable {
        package let key: CacheKey
        /// Bytes of the file.
        package let size: Int
    }

    /// 1 GiB.
    package static let defaultMaxSize = 1 << 30
    /// As many negative entries as a very large book has broken photos: about 4 MB of files.
    package static let mostFailures = 10_000

    package let path: FilePath
    /// Replaced when the folder was deleted and is created again.
    private let opened: Mutex<CacheFiles>
    /// Held by the one thread that creates the folder again.
    let reopening = Mutex(())
    let options: Options
    /// The folder or its disk is read-only: hits are served, nothing is stored.
    package let isReadOnly: Bool
    let state: Mutex<State>
    let diagnostics: DiagnosticSink
    /// Nil: photos being drawn are not recorded.
    let drawingJournal = Mutex<DrawingJournal?>(nil)
    let photoDigests = PhotoDigests()

    struct State {
        /// See `Options`.
        var maxSize: Int?
        /// Created with the first change.
        var session: Session?
        var changes: [CacheKey: Change] = [:]
        var touched: [CacheKey: Date] = [:]
        var hits = 0
        var misses = 0
        var damaged = 0
        var isFlushPlanned = false
        /// The cache is being released: no thread may wait for it any longer.
        var isGone = false
        /// Nothing is stored before this time, since the disk was full or the folder could not be created again.
        var paused: (until: Date, error: CacheError)?
        /// The index had no room for the last rows.
        var isIndexFull = false
        /// When room was last made on a full disk.
        var relieved: Date?
        /// Whether the file system is assumed to support shared blocks.
        var isCloning = true
    }

    package convenience init(_ path: FilePath) throws(CacheError) { try self.init(path, Options()) }

    package init(_ path: FilePath, _ options: Options) throws(CacheError) {
        let folder = try Self.folder(path, isMaking: options.isMaking)
        (self.path, self.options) = (path, options)
        state = Mutex(State(maxSize: options.maxSize))
        isReadOnly = faccessat(folder.temporary.descriptor, ".", W_OK, 0) != 0
        diagnostics = DiagnosticSink(options.notice)
        opened = Mutex(
            CacheFiles(folder, isReadOnly: isReadOnly, busyTimeout: options.busyTimeout, diagnostics: diagnostics))
        if !isReadOnly { folder.removeLeftovers() }
        // Before there are entries, so that a missing index always means a lost one. A full disk is reported by the
        // first store.
        if folder.isNew { _ = try? index.rebuild(reason: Index.missing) }
    }

    var files: CacheFiles { opened.withLock { $0 } }
    var folder: CacheFolder { files.folder }
    var objects: ObjectStore { files.objects }
    var index: Index { files.index }

    func replaceFiles(_ files: CacheFiles) { opened.withLock { $0 = files } }

    /// Changes the size limit from the next store on.
    package func limit(to bytes: Int?) { state.withLock { $0.maxSize = bytes } }

    private static func folder(_ path: FilePath, isMaking: Bool) throws(CacheError) -> CacheFolder {
        do { return try CacheFolder(path, isMaking: isMaking) } catch {
            guard case .readOnly = error, isMaking else { throw error }
            // A complete cache can be read all the same.
            do { return try CacheFolder(path, isMaking: false) } catch .missing { throw error }
        }
    }

    deinit {
        state.withLock { $0.isGone = true }
        close()
    }

    /// Whether the key has an entry, by one `stat`. Counts as no use.
    package func contains(_ key: CacheKey) -> Bool { objects.fileState(key)?.kind == .regular }

    /// The same. Counts as a use.
    package func lookup(_ key: CacheKey) -> Hit? {
        guard let file = objects.fileState(key), file.kind == .regular else {
            state.withLock { $0.misses += 1 }
            return nil
        }
        // In a read-only cache, pending uses could never be written.
        if isReadOnly { return Hit(key: key, size: file.size) }
        let now = options.now()
        state.withLock { state in
            state.hits += 1
            state.touched[key] = now
        }
        planFlush(afterChanges: false)
        return Hit(key: key, size: file.size)
    }

    /// The avatar of a hit, checked; nil if it was removed or was damaged, and then removed.
    package func read(_ hit: Hit) throws(CacheError) -> StoredAvatar? {
        do {
            let file = try objects.openExisting(hit.key)
            defer { try? file.close() }
            if hit.size <= EntryFile.largest {
                let bytes = try EntryFile.bytes(file, size: hit.size)
                if let avatar = StoredAvatar(entryFile: bytes, key: hit.key) { return avatar }
            }
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isTransient { throw CacheError(error, at: path) }
        }
        return try readCarefully(hit.key)
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
            guard let damage = file.damage(key: key) else { return StoredAvatar(entryFile: file.bytes, key: key) }
            return removeDamaged(key, inode: file.state.inode, reason: damage.rawValue)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isTransient { throw CacheError(error, at: path) }
            return inode.flatMap { removeDamaged(key, inode: $0, reason: error.lowercased) }
        }
    }

    private func removeDamaged(_ key: CacheKey, inode: UInt64, reason: String) -> StoredAvatar? {
        if !isReadOnly, (try? change(key, reason: .damaged, { try objects.remove(key, inode: inode) })) == true {
            state.withLock { $0.damaged += 1 }
        }
        report(.damaged(key, reason: reason), once: key.hexadecimal)
        return nil
    }

    /// Reports a notice only the first time.
    func report(_ notice: CacheNotice, once name: String) { diagnostics.report(notice, once: name) }
}

/// The checked bytes of an avatar in the cache, without their trailer: a PNG as the renderer made it.
package struct StoredAvatar: Sendable {
    package let png: [UInt8]
    let fields: String

    /// Nil if the file is damaged.
    init?(entryFile file: consuming [UInt8], key: CacheKey) {
        let found = file.withUnsafeBytes { file in
            (try? EntryTrailer.check(file, key: key)).map { ($0, EntryTrailer.text(file)) }
        }
        guard let (body, fields) = found else { return nil }
        var file = file
        file.replaceSubrange(body..., with: EntryTrailer.end)
        (png, self.fields) = (file, fields)
    }

    /// Whether the entry names this contact. Searches the text as it is: decoding all names of an entry that many
    /// contacts share takes longer than reading it.
    package func shows(_ contact: String) -> Bool {
        strstr(" \(fields) ", " contact=\(PercentEncoding.encode(contact, as: .word)) ") != nil
    }
}
