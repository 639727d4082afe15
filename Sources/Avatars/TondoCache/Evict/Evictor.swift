internal import FoundationEssentials
internal import Synchronization
internal import SystemPackage

/// Keeps a cache within its limits: removes files and their rows, expired negative entries and the least recently used
/// entries first. Rows that cannot be removed at once wait for the next flush. Usable from any thread; calls block.
final class Evictor: Sendable {
    /// Entries processed in one step.
    private static let step = 512

    /// Minimum seconds between two scans of all files.
    private static let retryInterval = 30.0

    private struct State {
        /// The size limit of all entries in bytes; nil: no limit.
        var maxSize: Int?
        /// When all files were last scanned for room on a full disk.
        var scanned = Date.distantPast
    }

    let storage: Storage
    private let state: Mutex<State>

    init(storage: Storage) {
        self.storage = storage
        state = Mutex(State(maxSize: storage.options.maxSize))
    }

    /// Changes the size limit, in bytes.
    func limit(to bytes: Int?) { state.withLock { $0.maxSize = bytes } }

    /// Whether all files may be scanned for room on a full disk, which then counts as done; and the size limit.
    func beginScan() -> (isDue: Bool, maxSize: Int?) {
        let now = now
        return state.withLock { state in
            // A time in the future comes from a clock that was put back since.
            let isDue = state.scanned > now || now.timeIntervalSince(state.scanned) >= Self.retryInterval
            if isDue { state.scanned = now }
            return (isDue, state.maxSize)
        }
    }

    private var index: Index { storage.files.index }
    private var now: Date { storage.options.now() }

    /// See `AvatarCache.prune`. The index is to be up to date.
    func prune(maxSize: Int?, maxAge: Double?, isTrial: Bool) throws(CacheError) -> AvatarCache.Pruning {
        let oldest = maxAge.map { now.addingTimeInterval(-$0) }
        var pruning = try begin()
        if isTrial {
            try rehearse(&pruning, maxSize: maxSize, before: oldest)
            return pruning
        }
        do throws(CacheError) {
            if let oldest { try evict(&pruning, before: oldest) }
            if let maxSize, pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Totals.goal(maxSize)) }
        } catch {
            guard error.isFull else { throw error }
            try evictFiles(&pruning, before: oldest) { bytes in
                maxSize.map { bytes > $0 ? Totals.goal($0) : bytes } ?? bytes
            }
        }
        return pruning
    }

    /// Removes every entry, and everything in the index except the negative entries, which stay.
    func clear(_ photoDigests: PhotoDigests) throws(CacheError) -> AvatarCache.Pruning {
        var pruning = try begin()
        do throws(CacheError) {
            try index.write { try $0.removePhotos() }
            photoDigests.forgetAll()
            try clear(&pruning)
        } catch {
            guard error.isFull else { throw error }
            try evictFiles(&pruning, isSparingFailures: true) { _ in -1 }
        }
        return pruning
    }

    private func clear(_ pruning: inout AvatarCache.Pruning) throws(CacheError) {
        let now = now
        try remove(&pruning, reason: .removed) { reader, stuck in
            try reader.oldestEntries(skipped: stuck, limit: Self.step)
        }
        // Files without a row.
        for shard in UInt8.min ... .max {
            let keys: [CacheKey]
            do { keys = try storage.files.objects.keys(inShard: shard) } catch {
                throw CacheError(error, at: storage.path)
            }
            guard !keys.isEmpty else { continue }
            let files = keys.map { Candidate(key: $0, size: 0, age: now, isFailure: false) }
            try throwFirst(of: try remove(files, pruning: &pruning, reason: .removed).problems)
        }
    }

    /// Evicts what exceeds the limits.
    func enforceLimits(_ totals: Totals) {
        do {
            if let maxSize = state.withLock({ $0.maxSize }), totals.bytes > maxSize {
                var pruning = try begin()
                if pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Totals.goal(maxSize)) }
                if pruning.entries > 0 { storage.pause.endWithRoom() }
            }
            if totals.failures > storage.options.mostFailures { try evictFailures() }
        } catch { storage.diagnostics.report(.cannotMakeRoom(error), once: "room-\(error.code)") }
    }

    private func begin() throws(CacheError) -> AvatarCache.Pruning {
        AvatarCache.Pruning(left: try index.read { try $0.totals() })
    }

    private func evictFailures() throws(CacheError) {
        var pruning = try begin()
        let (now, goal) = (now, Totals.goal(storage.options.mostFailures))
        try remove(&pruning, reason: .size) { reader, stuck in
            let excess = try reader.totals().failures - goal
            return try reader.oldestFailures(now: now, skipped: stuck, limit: min(max(excess, 0), Self.step))
        }
    }

    private func evict(_ pruning: inout AvatarCache.Pruning, before date: Date) throws(CacheError) {
        let now = now
        try index.write { try $0.bringBack(to: now) }
        try remove(&pruning, reason: .age) { reader, stuck in
            try reader.oldest(before: date, now: now, skipped: stuck, limit: Self.step)
        }
    }

    private func evict(_ pruning: inout AvatarCache.Pruning, downTo goal: Int) throws(CacheError) {
        let now = now
        try remove(&pruning, reason: .size) { reader, stuck in
            let oldest = try reader.oldest(before: nil, now: now, skipped: stuck, limit: Self.step)
            return Self.oldest(oldest, until: goal, of: try reader.totals().bytes)
        }
    }

    /// The oldest files whose removal reduces `bytes` to `goal`.
    private static func oldest(_ files: [Candidate], until goal: Int, of bytes: Int) -> [Candidate] {
        var left = bytes
        return Array(
            files.prefix { file in
                defer { left -= file.size }
                return left > goal
            })
    }

    /// Removes what `choose` returns until it returns nothing more; `stuck` of the oldest could not be removed and are
    /// to be skipped. Removes no more than exist now, since other processes may store as fast as this removes.
    private func remove(
        _ pruning: inout AvatarCache.Pruning, reason: RemovalRecord.Reason,
        choose: (_ reader: IndexReader, _ stuck: Int) throws -> [Candidate]
    ) throws(CacheError) {
        var left = try index.read { try $0.count() }
        var stuck = 0
        var problems: [CacheKey: Errno] = [:]
        while left > 0 {
            let chosen = try index.read { try choose($0, stuck) }
            if chosen.isEmpty { break }
            left -= chosen.count
            let result = try remove(chosen, pruning: &pruning, reason: reason)
            stuck += result.stuck
            if problems.isEmpty { problems = result.problems }
        }
        try throwFirst(of: problems)
    }

    func throwFirst(of problems: [CacheKey: Errno]) throws(CacheError) {
        guard let (key, error) = problems.first else { return }
        throw CacheError(error, at: storage.path.appending(storage.files.objects.relativePath(of: key)))
    }

    /// Returns what could not be removed, and how many of those still have a row.
    private func remove(
        _ files: [Candidate], pruning: inout AvatarCache.Pruning, reason: RemovalRecord.Reason
    ) throws(CacheError) -> (problems: [CacheKey: Errno], stuck: Int) {
        let cache = storage.files
        // Named before the files go: rows that a kill leaves behind are settled by the next process.
        let session = try cache.journal.announceIfRoom(files.map(\.key))
        let problems = cache.unlink(files)
        pruning.count(files.filter { problems[$0.key] == nil })
        let now = now
        let stuck: Int
        do {
            (stuck, pruning.left) = try cache.index.write { writer in
                for file in files { try cache.settle(file.key, change: file.change(reason), at: now, in: &writer) }
                if reason == .size || reason == .age {
                    try writer.count("evicted", more: files.count { !$0.isFailure && problems[$0.key] == nil })
                }
                try writer.removeUnusedTemplates()
                let reader = IndexReader(database: writer.database)
                return (try problems.keys.count { try reader.hasRow($0) }, try reader.totals())
            }
        } catch {
            // Their rows are settled with the next flush.
            let changes = files.map { ($0.key, $0.change(reason, announced: session == nil ? 0 : 1)) }
            storage.rows.note(Dictionary(changes, uniquingKeysWith: { $1 }))
            throw error
        }
        session?.commit(files.map(\.key))
        return (problems, stuck)
    }

    private func rehearse(
        _ pruning: inout AvatarCache.Pruning, maxSize: Int?, before oldest: Date?
    ) throws(CacheError) {
        let now = now
        var gone: [Candidate] = []
        if let oldest { gone = try index.read { try $0.oldest(before: oldest, now: now) } }
        pruning.left.subtract(gone)
        if let maxSize, pruning.bytesLeft > maxSize {
            let isAged = Set(gone.map(\.key))
            let rest = try index.read { try $0.oldest(before: nil, now: now) }.filter { !isAged.contains($0.key) }
            let evicted = Self.oldest(rest, until: Totals.goal(maxSize), of: pruning.bytesLeft)
            pruning.left.subtract(evicted)
            gone += evicted
        }
        pruning.count(gone)
    }
}
