internal import Dispatch
package import FoundationEssentials
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A cache of renditions on disk. Files are the truth; an index of them, which is derived, answers questions.
///
/// A hit costs one `stat` and one read and never touches the index. What is read is checked against its checksum, so
/// wrong bytes are never served: a damaged entry is removed and is a miss. Several processes may share the folder, and
/// any of them may be killed at any time. Rows and last uses are written in batches, five seconds later at most, or at
/// `flush()`. Usable from any thread; calls block.
package final class AvatarCache: Sendable {
    package struct Options: Sendable {
        /// Makes the cache when there is none; else that is an error.
        package var isMaking = true
        /// Bytes of entries beyond which the least recently used make room, down to 90 %; nil: no limit.
        package var maxSize: Int? = AvatarCache.defaultMaxSize
        /// Negative entries beyond which expired and old ones are evicted, down to 90 %; fewer in tests.
        var mostFailures = AvatarCache.mostFailures
        /// Seconds to wait for another process that holds the index; less in tests.
        var busyTimeout = 10.0
        /// The time; replaced in tests.
        package var now: @Sendable () -> Date = { Date() }
        /// Told what was found and mended, once each, on any thread, outside every lock.
        package var notice: @Sendable (CacheNotice) -> Void = { _ in }

        /// Asked before each step whether it fails, and why; replaced in tests.
        package var fault: @Sendable (Step) -> CacheError? = { _ in nil }

        package init() {}
    }

    /// What a test may let fail.
    package enum Step: Sendable {
        /// An entry is stored, or its contacts are noted.
        case store
        /// The index is brought up to date.
        case index
    }

    /// An entry that is there, as far as its name tells; only `read` knows whether it is whole.
    package struct Hit: Sendable {
        package let key: CacheKey
        /// Bytes of the file.
        package let size: Int
    }

    /// 1 GiB.
    package static let defaultMaxSize = 1 << 30
    /// As many failures are remembered as there are broken photos in a very large book: about 4 MB of files.
    package static let mostFailures = 10_000

    package let path: FilePath
    /// Replaced when the folder was deleted and is made again.
    private let opened: Mutex<CacheFiles>
    /// Held by the one thread that makes the folder again.
    let reopening = Mutex(())
    let options: Options
    /// The folder or its disk takes no changes: hits are served, nothing is stored.
    package let isReadOnly: Bool
    let state: Mutex<State>
    let teller: Teller
    /// Nil: what is drawn is not noted.
    let drawings = Mutex<DrawingNotes?>(nil)

    struct State {
        /// See `Options`.
        var maxSize: Int?
        /// Made with the first change.
        var session: Session?
        var changes: [CacheKey: Change] = [:]
        var touched: [CacheKey: Date] = [:]
        var hits = 0
        var misses = 0
        var damaged = 0
        var isFlushPlanned = false
        /// The cache is on its way out: nobody may wait for it any longer.
        var isGone = false
        /// Nothing is stored before this time, since the disk was full or the folder could not be made again.
        var paused: (until: Date, error: CacheError)?
        /// The index had no room for the last rows.
        var isIndexFull = false
        /// When room was made on a full disk last.
        var relieved: Date?
        /// Files may share their blocks with entries, as far as is known.
        var isCloning = true
    }

    package convenience init(_ path: FilePath) throws(CacheError) { try self.init(path, Options()) }

    package init(_ path: FilePath, _ options: Options) throws(CacheError) {
        let folder = try Self.folder(path, isMaking: options.isMaking)
        (self.path, self.options) = (path, options)
        state = Mutex(State(maxSize: options.maxSize))
        isReadOnly = faccessat(folder.temporary.descriptor, ".", W_OK, 0) != 0
        teller = Teller(options.notice)
        opened = Mutex(CacheFiles(folder, isReadOnly: isReadOnly, busyTimeout: options.busyTimeout, teller: teller))
        if !isReadOnly { folder.removeLeftovers() }
        // Before there are entries, so that a missing index always means a lost one. A full disk is told when storing.
        if folder.isNew { _ = try? index.rebuild(reason: Index.missing) }
    }

    var files: CacheFiles { opened.withLock { $0 } }
    var folder: CacheFolder { files.folder }
    var objects: Objects { files.objects }
    var index: Index { files.index }

    func replaceFiles(_ files: CacheFiles) { opened.withLock { $0 = files } }

    /// Bytes of entries beyond which the least recently used make room, from the next store on.
    package func limit(to bytes: Int?) { state.withLock { $0.maxSize = bytes } }

    private static func folder(_ path: FilePath, isMaking: Bool) throws(CacheError) -> CacheFolder {
        do { return try CacheFolder(path, isMaking: isMaking) } catch {
            guard case .readOnly = error, isMaking else { throw error }
            // A cache that is complete can be read all the same.
            do { return try CacheFolder(path, isMaking: false) } catch .missing { throw error }
        }
    }

    deinit {
        state.withLock { $0.isGone = true }
        close()
    }

    /// Whether there is an entry of this key, by one `stat`. Counts as a use.
    package func lookup(_ key: CacheKey) -> Hit? {
        guard let file = objects.glance(key), file.kind == .regular else {
            state.withLock { $0.misses += 1 }
            return nil
        }
        // Where nothing can be written, it would wait for ever.
        if isReadOnly { return Hit(key: key, size: file.size) }
        let now = options.now()
        state.withLock { state in
            state.hits += 1
            state.touched[key] = now
        }
        planFlush(afterChanges: false)
        return Hit(key: key, size: file.size)
    }

    /// The picture of an entry that was found, checked; nil when it is gone or was damaged, and then removed.
    package func read(_ hit: Hit) throws(CacheError) -> Rendition? {
        do {
            let file = try objects.openGlanced(hit.key)
            defer { try? file.close() }
            if hit.size <= SealedFile.largest {
                let bytes = try SealedFile.bytes(file, size: hit.size)
                if let rendition = Rendition(sealed: bytes, key: hit.key) { return rendition }
            }
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isPassing { throw CacheError(error, at: path) }
        }
        return try readCarefully(hit.key)
    }

    /// Once more, without trusting what was found before. What is still wrong is removed.
    private func readCarefully(_ key: CacheKey) throws(CacheError) -> Rendition? {
        var inode: UInt64?
        do {
            guard let state = try objects.status(key) else { return nil }
            inode = state.inode
            guard state.kind == .regular else { return removeDamaged(key, inode: state.inode, reason: "not a file") }
            let opened = try objects.open(key)
            defer { try? opened.close() }
            let file = try SealedFile(opened)
            guard let damage = file.damage(key: key) else { return Rendition(sealed: file.bytes, key: key) }
            return removeDamaged(key, inode: file.state.inode, reason: damage.rawValue)
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            if error.isPassing { throw CacheError(error, at: path) }
            return inode.flatMap { removeDamaged(key, inode: $0, reason: error.lowercased) }
        }
    }

    private func removeDamaged(_ key: CacheKey, inode: UInt64, reason: String) -> Rendition? {
        if !isReadOnly, (try? change(key, reason: .damaged, { try objects.remove(key, inode: inode) })) == true {
            state.withLock { $0.damaged += 1 }
        }
        tell(.damaged(key, reason: reason), once: key.hexadecimal)
        return nil
    }

    /// Tells a notice the first time only.
    func tell(_ notice: CacheNotice, once name: String) { teller.tell(notice, once: name) }
}

/// The bytes of a picture from the cache, checked and without their seal: a PNG as the renderer made it.
package struct Rendition: Sendable {
    package let png: [UInt8]
    private let fields: String

    /// Nil when the file is damaged.
    init?(sealed file: consuming [UInt8], key: CacheKey) {
        let found = file.withUnsafeBytes { file in
            (try? Seal.check(file, key: key)).map { ($0, Seal.text(file)) }
        }
        guard let (body, fields) = found else { return nil }
        var file = file
        file.replaceSubrange(body..., with: Seal.end)
        (png, self.fields) = (file, fields)
    }

    /// Who shows it.
    package var contacts: [String] { Seal.kept(Fields(fields).all("contact")) }
}
