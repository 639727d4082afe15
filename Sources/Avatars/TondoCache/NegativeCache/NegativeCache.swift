internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The negative entries of a cache: photos that gave no avatar, with the reason. One file each, with a row in the index
/// for sums and eviction. Usable from any thread; calls block.
final class NegativeCache: Sendable {
    private let storage: Storage
    /// Nil: photos being drawn are not recorded.
    private let drawing = Mutex<DrawingJournal?>(nil)

    init(storage: Storage) { self.storage = storage }

    private var folder: CacheFolder { storage.files.folder }

    /// The negative entry of a key, still valid or not. A damaged one is ignored until it is replaced.
    func entry(_ key: CacheKey) -> Failure? { try? FailureFile.read(key, in: folder.failures)?.failure }

    /// The negative entry of a photo, if it is still valid. `memoryLimit`: bytes a decode may use now.
    func failure(of subject: String, memoryLimit: Int) -> Failure? {
        guard let failure = entry(CacheKey(recipe: subject)), failure.subject == subject,
            failure.holds(at: storage.options.now(), memoryLimit: memoryLimit)
        else { return nil }
        return failure
    }

    /// See `AvatarCache.note`.
    func note(
        failureOf subject: String, stage: String, code: String, reason: String, memoryLimit: Int?, isTransient: Bool
    ) throws(CacheError) {
        try storage.checkStoring()
        let key = CacheKey(recipe: subject)
        let attempts = (entry(key)?.attempts ?? 0) + 1
        let now = storage.options.now()
        let until = isTransient ? now.addingTimeInterval(Failure.retryDelay(attempts: attempts)) : nil
        let failure = Failure(
            subject: subject, stage: stage, code: code, reason: reason, memoryLimit: memoryLimit, attempts: attempts,
            since: now, until: until)
        let bytes = FailureFile.bytes(of: failure)
        let change = RowChange(kind: .failure, failure: FailureRow(failure: failure, key: key, size: bytes.count))
        try storage.inWholeFolder { () throws(CacheError) in
            _ = try storage.write(bytes, of: key, change: change) { name, files throws(Errno) in
                try Self.install(name, as: key, in: files.folder)
                return true
            }
        }
    }

    /// A link or folder in the place of a negative entry is moved away.
    private static func install(_ name: String, as key: CacheKey, in folder: CacheFolder) throws(Errno) {
        do { try folder.temporary.rename(name, to: folder.failures, as: key.hexadecimal) } catch Errno.isDirectory {
            try folder.failures.rename(
                key.hexadecimal, to: folder.temporary, as: "misplaced-\(TemporaryName.random())")
            try folder.temporary.rename(name, to: folder.failures, as: key.hexadecimal)
        }
    }

    /// The photo could be drawn after all.
    func forget(_ subject: String) {
        let key = CacheKey(recipe: subject)
        // Mostly there is none: one call shows that, before a journal is written.
        guard !storage.isReadOnly, (try? folder.failures.status(key.hexadecimal)) != nil else { return }
        try? remove(key)
    }

    private func remove(_ key: CacheKey) throws(CacheError) {
        try storage.change(key, kind: .failure) { try folder.failures.remove(key.hexadecimal) }
    }

    /// All negative entries, including expired ones, latest first. Reads every file.
    func all() throws(CacheError) -> [Failure] {
        do {
            return try storage.files.failureKeys().compactMap(entry)
                .sorted { ($0.since, $1.subject) > ($1.since, $0.subject) }
        } catch { throw CacheError(error, at: storage.path) }
    }

    /// Removes all negative entries, and returns their number. The rows go with the next flush.
    func removeAll() throws(CacheError) -> Int {
        do {
            var count = 0
            for key in try storage.files.failureKeys() {
                do throws(CacheError) {
                    try remove(key)
                    count += 1
                } catch {
                    // Another process removed it first, or it is not a file.
                    if error != .missing(storage.path) && error != .system(storage.path, .isDirectory) { throw error }
                }
            }
            return count
        } catch { throw CacheError(error, at: storage.path) }
    }

    /// Counts negative entries again that other processes added or removed without a journal. The rows follow with the
    /// next flush; false if there are none to write.
    func recount() throws(CacheError) -> Bool {
        if storage.isReadOnly { return false }
        do {
            let files = storage.files
            let keys = Set(try files.failureKeys())
            let differing = keys.symmetricDifference(try files.index.read { try $0.failureKeys() })
            let change = RowChange(kind: .failure, announced: 0)
            storage.rows.note(Dictionary(uniqueKeysWithValues: differing.map { ($0, change) }))
            return !differing.isEmpty
        } catch { throw CacheError(error, at: storage.path) }
    }

    /// Names in `failures` that are no readable negative entries.
    func unreadable() throws(CacheError) -> [FilePath.Component] {
        do {
            return try folder.failures.names().filter { name in CacheKey(name.string).flatMap(entry) == nil }
        } catch { throw CacheError(error, at: storage.path.appending("failures")) }
    }

    /// See `AvatarCache.startDrawingJournal`.
    func startDrawingJournal() {
        if storage.isReadOnly { return }
        let root = folder.root
        for subject in DrawingJournal.takeAbandoned(in: root) {
            try? note(
                failureOf: subject, stage: "decode", code: "decoder-crashed",
                reason: "the process ended while it drew this photo", memoryLimit: nil, isTransient: true)
        }
        drawing.withLock { drawing in
            if drawing == nil { drawing = try? DrawingJournal(in: root) }
        }
    }

    /// Runs `body`, which draws the photo with this subject.
    func drawing<Result>(_ subject: String, body: () throws -> Result) rethrows -> Result {
        guard let journal = drawing.withLock({ $0 }), let slot = journal.begin(subject) else { return try body() }
        defer { journal.end(slot) }
        return try body()
    }
}
