package import FoundationEssentials
package import SystemPackage

/// A cache of avatars on disk. The files are authoritative; an index is derived from them for queries.
///
/// A hit costs one `stat` and one read and never touches the index. Bytes are checked against their checksum, so wrong
/// bytes are never served: a damaged entry is removed and is a miss. Several processes may share the folder, and any of
/// them may be killed at any time. Rows and last uses are written in batches, after five seconds at most, or at
/// `flush()`. Usable from any thread; calls block.
package final class AvatarCache: Sendable {
    /// How a cache is opened and bounded. Only the size limit can be changed later, see `limit(to:)`.
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
        /// The requested key. Whether the recipe in the file belongs to it is not checked yet.
        package let key: CacheKey
        /// Bytes of the file.
        package let size: Int
    }

    /// 1 GiB.
    package static let defaultMaxSize = 1 << 30
    /// As many negative entries as a very large book has broken photos: about 4 MB of files.
    package static let mostFailures = 10_000

    /// The result of `damage(of:)` for an entry that does not exist.
    package static let missing = "missing"

    let storage: Storage
    let entries: EntryStore
    let negatives: NegativeCache
    private let photoDigests = PhotoDigests()
    private let evictor: Evictor
    private let updater: IndexUpdater
    let verifier: Verifier

    /// Opens the cache with the default options, and creates a missing one.
    package convenience init(_ path: FilePath) throws(CacheError) { try self.init(path, options: Options()) }

    /// Opens the folder, and creates what is missing if `isMaking` permits that. A read-only folder with a complete
    /// cache is opened for reading. Blocks.
    ///
    /// - Throws: `.missing`, `.notCache` or `.newerVersion` before anything in the folder is changed; errors of the
    /// system.
    package init(_ path: FilePath, options: Options) throws(CacheError) {
        storage = try Storage(path: path, options: options)
        entries = EntryStore(storage: storage)
        negatives = NegativeCache(storage: storage)
        evictor = Evictor(storage: storage)
        updater = IndexUpdater(storage: storage, evictor: evictor, photoDigests: photoDigests)
        verifier = Verifier(storage: storage, entries: entries, negatives: negatives, updater: updater)
    }

    deinit {
        // First, so that the flush of `close` plans no further one.
        storage.rows.stop()
        close()
    }

    /// The folder as it was named to the initialiser, relative or absolute.
    package var path: FilePath { storage.path }
    /// The folder or its disk is read-only: hits are served, nothing is stored.
    package var isReadOnly: Bool { storage.isReadOnly }

    /// Changes the size limit from the next store on.
    package func limit(to bytes: Int?) { evictor.limit(to: bytes) }

    /// Brings the index up to date. Rows that it does not accept now are kept for the next flush.
    package func flush() { updater.flush() }

    /// Flushes and closes the index. The cache may be used again.
    package func close() { updater.close() }
}

/// Entries.
extension AvatarCache {
    /// Whether the key has an entry, by one `stat`. Counts as no use.
    package func contains(_ key: CacheKey) -> Bool { entries.contains(key) }

    /// Whether the cache has an entry of a key whose format is known.
    package func contains(_ key: CacheKey, format: EntryFormat) -> Bool { entries.contains(key, format: format) }

    /// Looks up the avatar of a key. Counts as a use.
    package func lookup(_ key: CacheKey) -> Hit? { entries.lookup(key) }

    /// The avatar of a hit, checked; nil if it was removed or was damaged, and then removed.
    ///
    /// ```swift
    /// if let hit = cache.lookup(CacheKey(recipe: "photo=sha256:00")), let avatar = try cache.read(hit) {
    ///     print(avatar)
    /// }
    /// ```
    package func read(_ hit: Hit) throws(CacheError) -> StoredAvatar? { try entries.read(hit) }

    /// Both in one step, of a key whose format is known; nil if there is no intact entry at first sight: then both are to be
    /// called, which repair. Counts as a use only if there is an avatar.
    package func readQuickly(_ key: CacheKey, format: EntryFormat) -> StoredAvatar? {
        entries.readQuickly(key, format: format)
    }

    /// Like `read`, for copying the avatar to a file.
    package func open(_ hit: Hit) throws(CacheError) -> OpenEntry? { try entries.open(hit) }

    /// Stores an avatar. Every process can read it when this returns; a power loss soon after may lose it.
    ///
    /// - Parameters:
    ///   - avatar: a PNG or WebP, with its recipe in a tEXt chunk.
    ///   - key: of that recipe.
    ///   - cost: milliseconds it took to draw.
    ///   - contacts: the contacts of the avatar; known ones are kept.
    /// - Throws: `.full` and `.readOnly` among others; nothing is left behind then.
    package func store(
        _ avatar: [UInt8], key: CacheKey, cost: Double, contacts: [String] = []
    ) throws(CacheError) {
        try entries.store(avatar, key: key, cost: cost, contacts: contacts)
    }

    /// Records further contacts of an entry. Rewrites its file if they are new.
    package func add(contacts: [String], to key: CacheKey) throws(CacheError) {
        try entries.add(contacts: contacts, to: key)
    }

    /// Removes an entry, intact or not. Returns whether there was one.
    @discardableResult
    package func remove(_ key: CacheKey) throws(CacheError) -> Bool { try entries.remove(key) }

    /// Checks the bytes of an entry: nil if they are intact, else what is wrong. Removes nothing.
    package func damage(of key: CacheKey) throws(CacheError) -> String? { try entries.damage(of: key) }

    /// The path of an entry's file; of a PNG if there is none.
    package func file(of key: CacheKey) -> FilePath { path.appending(storage.files.objects.relativePath(of: key)) }

    /// The file of an entry in this format, existing or not.
    package func file(of key: CacheKey, _ format: EntryFormat) -> FilePath {
        path.appending(Self.relativePath(of: key, format))
    }

    /// The path of an entry inside the cache folder. Its characters need no encoding in a URL.
    package static func relativePath(of key: CacheKey, _ format: EntryFormat) -> String {
        ObjectStore.relativePath(of: key, format)
    }

    /// The key of an entry's file, given by its path.
    package static func key(ofFile path: FilePath) -> CacheKey? {
        guard let name = path.lastComponent, name.extension.flatMap(EntryFormat.init) != nil else { return nil }
        return CacheKey(name.stem)
    }

    /// What is known of the photo with this identity, without reading it.
    package func photo(at id: PhotoIdentity) -> PhotoFacts? { photoDigests.facts(of: id, in: storage.files.index) }

    /// `identity`: settled, see `PhotoIdentity.isSettled`, when the photo was read.
    package func remember(_ facts: PhotoFacts, of identity: PhotoIdentity) {
        if isReadOnly { return }
        photoDigests.remember(identity, facts: facts)
        storage.rows.planFlush()
    }

    /// Frees memory that only speeds up lookups, as after the last of many requests.
    package func releaseMemory() { photoDigests.releaseMemory() }
}

/// Queries of users and services. All results come from the index, after it was brought up to date.
extension AvatarCache {
    /// The cost does not depend on the size of the cache, so that it can be called for every scrape. Changes by other
    /// processes in the last five seconds may be missing.
    ///
    /// ```swift
    /// print(try cache.statistics())
    /// ```
    package func statistics() throws(CacheError) -> Statistics { try updater.read { try $0.statistics() } }

    /// Counts entries without styles and dates, which takes equally long whatever the cache holds.
    package func tallies() throws(CacheError) -> Statistics { try updater.read { try $0.tallies() } }

    /// Entries that match all conditions of the query, in its order.
    package func entries(_ query: EntryQuery) throws(CacheError) -> [Entry] {
        try updater.read { try $0.entries(query) }
    }

    /// The row of an entry; nil if there is none. Neither the file nor its bytes are checked.
    package func entry(_ key: CacheKey) throws(CacheError) -> Entry? { try updater.read { try $0.entry(key) } }

    /// Keys that begin with these hexadecimal digits, in their order.
    package func keys(prefix: String, limit: Int) throws(CacheError) -> [CacheKey] {
        try updater.read { try $0.keys(prefix: prefix.lowercased(), limit: limit) }
    }

    /// When and why an entry was removed, if that is recorded.
    package func removalRecord(of key: CacheKey) throws(CacheError) -> RemovalRecord? {
        try updater.read { try $0.removalRecord(key) }
    }

    /// Removed entries of a contact, latest first, as far as they are recorded.
    package func removalRecords(contact: String) throws(CacheError) -> [RemovalRecord] {
        try updater.read { try $0.removalRecords(contact: contact) }
    }
}

/// Negative entries.
extension AvatarCache {
    /// The negative entry of a photo, if it is still valid. `memoryLimit`: bytes a decode may use now.
    package func failure(of subject: String, memoryLimit: Int) -> Failure? {
        negatives.failure(of: subject, memoryLimit: memoryLimit)
    }

    /// Stores a negative entry. `isTransient`: the cause may go away by itself, so that the photo is retried after a
    /// minute, then after two, and so on up to a day; else not before the photo's bytes change.
    package func note(
        failureOf subject: String, stage: String, code: String, reason: String, memoryLimit: Int? = nil,
        isTransient: Bool = false
    ) throws(CacheError) {
        try negatives.note(
            failureOf: subject, stage: stage, code: code, reason: reason, memoryLimit: memoryLimit,
            isTransient: isTransient)
    }

    /// The photo could be drawn after all.
    package func forgetFailure(of subject: String) { negatives.forget(subject) }

    /// All negative entries, including expired ones, latest first. Reads every file.
    package func failures() throws(CacheError) -> [Failure] { try negatives.all() }

    /// Removes all negative entries, and returns their number.
    package func clearFailures() throws(CacheError) -> Int {
        try storage.checkWritable()
        try updater.bringUpToDate()
        let count = try negatives.removeAll()
        flush()
        return count
    }

    /// From now on records the photos being drawn, so that the next process knows the photo after a crash. Photos that
    /// crashed processes were drawing get negative entries with back-off. Blocks for a moment.
    package func startDrawingJournal() { negatives.startDrawingJournal() }

    /// Runs `body`, which draws the photo with this subject.
    package func drawing<Result>(_ subject: String, body: () throws -> Result) rethrows -> Result {
        try negatives.drawing(subject, body: body)
    }
}

/// Maintenance.
extension AvatarCache {
    /// Evicts what was not used for `maxAge` (seconds), then, if the rest is larger than `maxSize` (bytes), expired
    /// negative entries and the least recently used ones until 90 % of it is left. The age of a negative entry counts
    /// from its creation. `isTrial`: only counts. On a full disk the times of the files count instead of the index.
    package func prune(
        maxSize: Int? = nil, maxAge: Double? = nil, isTrial: Bool = false
    ) throws(CacheError) -> Pruning {
        if !isTrial { try storage.checkWritable() }
        try updater.bringUpToDate()
        return try evictor.prune(maxSize: maxSize, maxAge: maxAge, isTrial: isTrial)
    }

    /// Removes every entry, and everything in the index except the negative entries, which stay.
    package func clear() throws(CacheError) -> Pruning {
        try storage.checkWritable()
        try updater.bringUpToDate()
        return try evictor.clear(photoDigests)
    }

    /// Checks everything: the checksum of every entry, files without rows, rows without files, files that do not belong
    /// to the cache. Works on all cores, and while other processes use the cache.
    ///
    /// - Parameters:
    ///   - isRepairing: repairs the problems; failed repairs are reported as not repaired.
    ///   - progress: called with the numbers of checked and of all entries, on any thread, one call at a time.
    ///   - isStopped: called often; once true, the problems so far are returned.
    package func verify(
        isRepairing: Bool, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws(CacheError) -> Verification {
        try verifier.verify(isRepairing: isRepairing, progress: progress, isStopped: isStopped)
    }

    /// Rebuilds the index from the files; returns the number of entries.
    package func rebuildIndex() throws(CacheError) -> Int { try updater.rebuild() }
}
