internal import FoundationEssentials
internal import Synchronization
internal import TondoFiles

/// A key whose file was or will be touched, and the change of its row.
struct RowChange {
    /// The kind of its file. The journal names keys of both kinds.
    enum Kind { case entry, failure, any }

    var kind = Kind.entry
    /// The known data of the entry; nil: the file is read.
    var entry: Entry?
    /// The row of a negative entry.
    var failure: FailureRow?
    /// The file it was written to.
    var file: FileStatus?
    /// Why the file was removed, if it was.
    var reason: RemovalRecord.Reason?
    /// How often it was announced in the journal.
    var announced = 1
}

/// Changes that the index does not have yet.
struct RowBatch {
    var changes: [CacheKey: RowChange] = [:]
    var touched: [CacheKey: Date] = [:]
    var hits = 0
    var misses = 0
    var damaged = 0

    var isEmpty: Bool { changes.isEmpty && touched.isEmpty && hits == 0 && misses == 0 && damaged == 0 }

    /// A later change of the same key replaces the known data, and adds the announcements. Both of a key's files have
    /// rows of their own: after changes of both, neither may be forgotten, so both are read.
    mutating func note(_ key: CacheKey, change: RowChange) {
        var change = change
        if let earlier = changes[key] {
            change.announced += earlier.announced
            if change.kind != earlier.kind {
                let reason = change.kind == .failure ? earlier.reason : change.reason
                change = RowChange(kind: .any, reason: reason, announced: change.announced)
            }
        }
        changes[key] = change
    }

    mutating func add(_ later: RowBatch) {
        for (key, change) in later.changes { note(key, change: change) }
        touched.merge(later.touched, uniquingKeysWith: max)
        hits = hits + later.hits
        misses = misses + later.misses
        damaged = damaged + later.damaged
    }
}

/// The changes that wait for the index, and the timer of the flush that writes them. The timer runs only while changes
/// wait. Usable from any thread.
final class PendingRows: Sendable {
    /// Rows are written when this many are pending, or after five seconds.
    private static let batch = 256
    /// With more pending rows, a store blocks until the index is written.
    private static let mostWaiting = 4096
    /// Seconds.
    private static let delay = 5.0

    private struct State {
        var batch = RowBatch()
        var isFlushPlanned = false
        /// The cache is being released: no thread may wait for it any longer.
        var isStopped = false
        var flush: @Sendable () -> Void = {}

        /// Whether a flush is to be planned now; it counts as planned then.
        mutating func plan(isDue: Bool = false) -> Bool {
            if isStopped || (isFlushPlanned && !isDue) { return false }
            isFlushPlanned = true
            return true
        }
    }

    /// Nothing is ever flushed.
    private let isReadOnly: Bool
    private let diagnostics: DiagnosticSink
    private let state = Mutex(State())

    init(isReadOnly: Bool, diagnostics: DiagnosticSink) {
        self.isReadOnly = isReadOnly
        self.diagnostics = diagnostics
    }

    /// `flush`: runs on the cache's queue when the timer ends. It must not retain the cache.
    func onTimer(_ flush: @escaping @Sendable () -> Void) { state.withLock { $0.flush = flush } }

    /// From now on no flush is planned.
    func stop() { state.withLock { $0.isStopped = true } }

    var isStopped: Bool { state.withLock { $0.isStopped } }
    var isFlushPlanned: Bool { state.withLock { $0.isFlushPlanned } }
    /// The keys of pending changes.
    var keys: Set<CacheKey> { state.withLock { Set($0.batch.changes.keys) } }

    func noteHit(_ key: CacheKey, at date: Date) {
        // In a read-only cache, pending uses could never be written.
        if isReadOnly { return }
        let isPlanned = state.withLock { state in
            state.batch.hits += 1
            state.batch.touched[key] = date
            return state.plan()
        }
        if isPlanned { start(isDue: false) }
    }

    // Plans no flush: it is written with the next rows.
    func noteMiss() { state.withLock { $0.batch.misses += 1 } }

    /// An entry was damaged and is removed.
    func noteDamage() { state.withLock { $0.batch.damaged += 1 } }

    func note(_ changes: [CacheKey: RowChange]) {
        let waiting = state.withLock { state in
            for (key, change) in changes { state.batch.note(key, change: change) }
            return state.batch.changes.count
        }
        if waiting >= Self.mostWaiting { diagnostics.run(flush) } else { planFlush(isDue: waiting >= Self.batch) }
    }

    /// The next flush begins at once, on the cache's queue.
    func flushSoon() { planFlush(isDue: true) }

    /// `isDue`: at once, else within five seconds.
    func planFlush(isDue: Bool = false) {
        if !isReadOnly, state.withLock({ $0.plan(isDue: isDue) }) { start(isDue: isDue) }
    }

    private func start(isDue: Bool) {
        diagnostics.run(after: isDue ? 0 : Self.delay) { [weak self] in self?.flush() }
    }

    private func flush() {
        let flush = state.withLock { $0.flush }
        flush()
    }

    /// Takes all changes; the caller writes them, or puts them back.
    func take() -> RowBatch {
        state.withLock { state in
            defer {
                state.batch = RowBatch()
                state.isFlushPlanned = false
            }
            return state.batch
        }
    }

    /// Later changes take precedence.
    func putBack(_ batch: RowBatch) {
        state.withLock { state in
            var batch = batch
            batch.add(state.batch)
            state.batch = batch
        }
    }

    /// The journal that announced the keys is no longer used.
    func forgetAnnouncements() {
        state.withLock { state in
            for key in state.batch.changes.keys { state.batch.changes[key]?.announced = 0 }
        }
    }
}
