internal import FoundationEssentials
internal import Synchronization
internal import SystemPackage

/// Keeps the index up to date: writes the rows that wait, one flush at a time on the cache's queue, and lets the evictor
/// enforce the limits. Usable from any thread; calls block.
final class IndexUpdater: Sendable {
    private let storage: Storage
    private let evictor: Evictor
    private let photoDigests: PhotoDigests
    /// The index had no room for the last rows.
    private let isFull = Atomic(false)

    init(storage: Storage, evictor: Evictor, photoDigests: PhotoDigests) {
        self.storage = storage
        self.evictor = evictor
        self.photoDigests = photoDigests
        storage.rows.onTimer { [weak self] in self?.flushNow() }
    }

    /// Brings the index up to date. Rows that it does not accept now are kept for the next flush.
    func flush() { storage.diagnostics.run { flushNow() } }

    /// Flushes and closes the index. The cache may be used again.
    func close() {
        storage.diagnostics.run {
            flushNow()
            storage.files.index.close()
            storage.files.journal.close()
        }
    }

    /// Reads the index, after it was brought up to date.
    func read<Result: Sendable>(_ body: (IndexReader) throws -> Result) throws(CacheError) -> Result {
        try bringUpToDate()
        return try storage.files.index.read(body)
    }

    /// Creates the folder again first, if it was deleted. An index without room for rows is used without them.
    func bringUpToDate() throws(CacheError) {
        flush()
        if storage.isReadOnly { return }
        do throws(CacheError) {
            try storage.inWholeFolder { () throws(CacheError) in
                let files = storage.files
                // A deleted folder can still be listed: it is empty.
                if files.folder.presence == .gone { throw .missing(storage.path) }
                try files.settleAbandoned(storage.options.now)
            }
        } catch {
            if !error.isFull { throw error }
        }
    }

    /// Rebuilds the index from the files; returns the number of entries.
    func rebuild() throws(CacheError) -> Int {
        flush()
        return try storage.files.index.rebuild(reason: "discarded on request")
    }

    /// Replaces a damaged index. On a full disk, entries are evicted as far as the new one needs room.
    func rebuildDamaged() throws(CacheError) {
        do { _ = try storage.files.index.rebuild(reason: "damaged") } catch {
            guard error.isFull else { throw error }
            try makeRoom()
        }
    }

    /// Flushes, and makes room for rows that the index had no room for.
    func flushMakingRoom() throws(CacheError) {
        flush()
        if isFull.load(ordering: .relaxed) { try makeRoom() }
    }

    private func makeRoom() throws(CacheError) {
        try evictor.makeRoomForIndex()
        flush()
    }

    private func flushNow() {
        if storage.isReadOnly { return }
        storage.makeWhole()
        let (batch, photos) = (storage.rows.take(), photoDigests.takePending())
        if !batch.isEmpty || !photos.isEmpty {
            do { try commit(batch, photos: photos) } catch {
                // Retried with the room that could be made, else later. The photos are lost.
                if !error.isFull || !evictor.makeRoomOnFullDisk() || (try? commit(storage.rows.take())) == nil {
                    storage.rows.planFlush()
                    storage.diagnostics.report(.indexPostponed(error), once: error.code)
                }
            }
        }
        // The index accepts its rows, but there is no room for avatars.
        if storage.pause.isForLackOfRoom { _ = evictor.makeRoomOnFullDisk() }
    }

    /// Puts the rows back if they cannot be written.
    private func commit(_ batch: RowBatch, photos: [PhotoIdentity: PhotoFacts] = [:]) throws(CacheError) {
        let totals: Totals
        do { totals = try write(batch, photos: photos) } catch {
            isFull.store(error.isFull, ordering: .relaxed)
            storage.rows.putBack(batch)
            throw error
        }
        isFull.store(false, ordering: .relaxed)
        // Only now: after a kill before this, the next process settles the keys once more.
        storage.files.journal.commit(batch.changes)
        evictor.enforceLimits(totals)
    }

    private func write(_ batch: RowBatch, photos: [PhotoIdentity: PhotoFacts]) throws(CacheError) -> Totals {
        let now = storage.options.now()
        if let fault = storage.options.fault(.index) { throw fault }
        let files = storage.files
        try files.settleAbandoned(storage.options.now)
        return try files.index.write { writer in
            for (key, change) in batch.changes { try files.settle(key, change: change, at: now, in: &writer) }
            for (key, date) in batch.touched { try writer.touch(key, at: date) }
            try writer.put(photos, limit: PhotoDigests.most)
            try writer.count("hits", more: batch.hits)
            try writer.count("misses", more: batch.misses)
            try writer.count("damaged", more: batch.damaged)
            return try IndexReader(database: writer.database).totals()
        }
    }
}
