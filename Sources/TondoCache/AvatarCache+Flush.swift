internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

extension AvatarCache {
    /// Rows are written when this many are pending, or after five seconds.
    private static let batch = 256
    /// With more pending rows, a store blocks until the index is written.
    private static let mostWaiting = 4096

    func note(_ changes: [CacheKey: Change]) {
        let waiting = state.withLock { state in
            for (key, change) in changes { state.note(key, change) }
            return state.changes.count
        }
        if waiting >= Self.mostWaiting { flush() } else { planFlush(afterChanges: waiting >= Self.batch) }
    }

    /// A timer that runs only while rows are pending. It retains neither the cache nor its sink.
    func planFlush(afterChanges isDue: Bool) {
        if isReadOnly { return }
        let isWanted = state.withLock { state in
            if state.isGone || (state.isFlushPlanned && !isDue) { return false }
            state.isFlushPlanned = true
            return true
        }
        guard isWanted else { return }
        let work = { @Sendable [weak self] in
            guard let diagnostics = self?.diagnostics else { return }
            self?.flushNow()
            DispatchQueue.global().async { diagnostics.reportPending() }
        }
        if isDue {
            diagnostics.queue.async(execute: work)
        } else {
            diagnostics.queue.asyncAfter(deadline: .now() + 5, execute: work)
        }
    }

    /// Brings the index up to date. Rows that it does not accept now are kept for the next flush.
    package func flush() { onQueue { flushNow() } }

    /// The same soon, on the cache's queue.
    func flushSoon() { planFlush(afterChanges: true) }

    /// Flushes and closes the index. The cache may be used again.
    package func close() {
        onQueue {
            flushNow()
            index.close()
            state.withLock { state in
                if state.session?.close(in: folder.temporary) == true { state.session = nil }
            }
        }
    }

    /// One flush at a time; directly if this is the queue already, as when the queue held the last reference to the
    /// cache.
    private func onQueue(_ work: () -> Void) {
        if diagnostics.isOnQueue { return work() }
        diagnostics.queue.sync(execute: work)
        diagnostics.reportPending()
    }

    private func flushNow() {
        if isReadOnly { return }
        makeWhole()
        var batch = state.withLock { $0.takeBatch() }
        batch.photos = photoDigests.takePending()
        if !batch.isEmpty {
            do { try commit(batch) } catch {
                state.withLock { $0.putBack(batch) }
                // Retried with the room that could be made, else later.
                if !error.isFull || !makeRoomOnFullDisk() || !isCommitted() { postpone(error) }
            }
        }
        // The index accepts its rows, but there is no room for avatars.
        if state.withLock({ $0.paused?.error.isFull == true }) { _ = makeRoomOnFullDisk() }
    }

    /// Rows that were put back, and later ones.
    private func isCommitted() -> Bool {
        let batch = state.withLock { $0.takeBatch() }
        do { try commit(batch) } catch {
            state.withLock { $0.putBack(batch) }
            return false
        }
        return true
    }

    private func postpone(_ error: CacheError) {
        planFlush(afterChanges: false)
        report(.indexPostponed(error), once: error.code)
    }

    private func commit(_ batch: Batch) throws(CacheError) {
        let totals: Totals
        do { totals = try write(batch) } catch {
            state.withLock { $0.isIndexFull = error.isFull }
            throw error
        }
        state.withLock { $0.isIndexFull = false }
        let session = state.withLock { $0.session }
        session?.commit(batch.changes.flatMap { repeatElement($0.key, count: $0.value.announced) })
        makeRoom(totals)
    }

    private func makeRoom(_ totals: Totals) {
        let maxSize = state.withLock { $0.maxSize }
        do {
            if let maxSize, totals.bytes > maxSize, try evict(maxSize: maxSize).entries > 0 { resumeStoring() }
            if totals.failures > options.mostFailures { try evictFailures() }
        } catch { report(.cannotMakeRoom(error), once: "room-\(error.code)") }
    }

    private func write(_ batch: Batch) throws(CacheError) -> Totals {
        let now = options.now()
        if let fault = options.fault(.index) { throw fault }
        try commitAbandoned()
        return try index.write { writer in
            for (key, change) in batch.changes { try commit(key, change, now, in: &writer) }
            for (key, date) in batch.touched { try writer.touch(key, date) }
            try writer.put(batch.photos, limit: PhotoDigests.most)
            try writer.count("hits", batch.hits)
            try writer.count("misses", batch.misses)
            try writer.count("damaged", batch.damaged)
            return try IndexReader(database: writer.database).totals()
        }
    }

    /// Makes a key's row agree with its file. Inside the transaction, so that the later one of two processes is right.
    func commit(_ key: CacheKey, _ change: Change, _ now: Date, in writer: inout IndexWriter) throws {
        if change.kind != .entry { try commitFailure(key, change, in: &writer) }
        if change.kind == .failure { return }
        if let known = change.entry, let placed = change.file, objects.stands(placed, for: key) {
            return try writer.put(known)
        }
        // Another process may have put its own file there.
        if var entry = try objects.entry(key) {
            entry.used = max(entry.used, change.entry?.used ?? entry.used)
            return try writer.put(entry)
        }
        try writer.remove(key, reason: change.reason, date: now)
    }

    /// Settles the journals of processes that ended without doing so.
    func commitAbandoned() throws(CacheError) {
        let own = state.withLock { $0.session?.name }
        do {
            let journals = try folder.temporary.names().map(\.string).filter {
                $0.hasSuffix(Session.suffix) && $0 != own.map { $0 + Session.suffix }
            }
            for name in journals {
                guard let file = try? folder.temporary.open(name, O_RDWR) else { continue }
                defer { try? file.close() }
                guard LockKind.exclusive.tryLock(file.rawValue) else { continue }
                let keys = try Journal.keys(file)
                let now = options.now()
                try index.write { writer in
                    for key in Set(keys) { try commit(key, Change(kind: .any), now, in: &writer) }
                }
                try? folder.temporary.remove(name)
            }
        } catch let error as CacheError {
            throw error
        } catch { throw CacheError(error as? Errno ?? .ioError, at: path) }
    }
}

extension AvatarCache {
    /// Changes that the index does not have yet.
    struct Batch {
        var changes: [CacheKey: Change] = [:]
        var touched: [CacheKey: Date] = [:]
        /// Lost if they cannot be written.
        var photos: [PhotoPlace: PhotoFacts] = [:]
        var hits = 0
        var misses = 0
        var damaged = 0

        var isEmpty: Bool {
            changes.isEmpty && touched.isEmpty && photos.isEmpty && hits == 0 && misses == 0 && damaged == 0
        }
    }
}

extension AvatarCache.State {
    /// A later change of the same key replaces the known data, and adds the announcements.
    mutating func note(_ key: CacheKey, _ change: AvatarCache.Change) {
        var change = change
        change.announced += changes[key]?.announced ?? 0
        changes[key] = change
    }

    mutating func takeBatch() -> AvatarCache.Batch {
        defer {
            (changes, touched, hits, misses, damaged) = ([:], [:], 0, 0, 0)
            isFlushPlanned = false
        }
        return AvatarCache.Batch(changes: changes, touched: touched, hits: hits, misses: misses, damaged: damaged)
    }

    /// Later changes take precedence.
    mutating func putBack(_ batch: AvatarCache.Batch) {
        for (key, old) in batch.changes {
            var change = changes[key] ?? old
            if changes[key] != nil { change.announced += old.announced }
            changes[key] = change
        }
        touched.merge(batch.touched, uniquingKeysWith: max)
        (hits, misses, damaged) = (hits + batch.hits, misses + batch.misses, damaged + batch.damaged)
    }
}
