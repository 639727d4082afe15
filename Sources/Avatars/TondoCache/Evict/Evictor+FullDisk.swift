internal import FoundationEssentials
internal import SystemPackage
internal import TondoFiles

/// Making room on a full disk, where SQLite cannot write: the oldest files are found by their times.
extension Evictor {
    /// Evicts if the files exceed the limit, or are most of the content of a full disk, so that a disk that is smaller
    /// than the limit keeps accepting new entries. Space used by other programs is not compensated. True if something
    /// was removed. At most every half minute, since it scans all files.
    func makeRoomOnFullDisk() -> Bool {
        let (isDue, maxSize) = beginScan()
        guard isDue else { return false }
        var pruning = AvatarCache.Pruning()
        do {
            try evictFiles(&pruning) { bytes in
                if let maxSize, bytes > maxSize { return Totals.goal(maxSize) }
                return storage.files.folder.isMostOfDisk(bytes) ? Totals.goal(bytes) : nil
            }
        } catch { storage.diagnostics.report(.cannotMakeRoom(error), once: "room-\(error.code)") }
        guard pruning.entries + pruning.failures > 0 else { return false }
        storage.pause.endWithRoom()
        return true
    }

    /// Builds the index again. Evicts nothing unless it needs room.
    func makeRoomForIndex() throws(CacheError) {
        var pruning = AvatarCache.Pruning()
        try evictFiles(&pruning) { $0 }
    }

    /// Removes what is older than `date`, then the oldest until at most `goal` of the present bytes are left; nil:
    /// nothing is to be done. Then rebuilds the index, for which more files may have to be removed.
    func evictFiles(
        _ pruning: inout AvatarCache.Pruning, before date: Date? = nil, isSparingFailures: Bool = false,
        downTo goal: (_ bytes: Int) -> Int?
    ) throws(CacheError) {
        let cache = storage.files
        var stored: StoredFiles
        do { stored = try StoredFiles(cache: cache, isSparingFailures: isSparingFailures) } catch {
            throw CacheError(error, at: storage.path)
        }
        guard let goal = goal(stored.totals.bytes) else { return }
        var gone: [Candidate] = []
        defer {
            pruning.count(gone)
            pruning.left = stored.totals
        }
        try cache.index.rebuild { attempt throws(CacheError) in
            // The index itself needs room, more with each attempt.
            let bytes = stored.totals.bytes
            // At least 256 KB: a tenth of a small cache has no room for an index.
            let enough = attempt == 0 ? goal : bytes - max(bytes / 10, 1 << 18)
            if attempt > 0, stored.files.isEmpty { return false }
            let chosen = stored.take(before: attempt == 0 ? date : nil, downTo: enough)
            let problems = cache.unlink(chosen)
            gone += chosen.filter { problems[$0.key] == nil }
            try throwFirst(of: problems)
            return true
        }
    }
}

/// Files of entries and negative entries, the oldest last, so that they are taken from the end.
private struct StoredFiles {
    /// Those that may be taken.
    private(set) var files: [Candidate] = []
    private(set) var totals = Totals()

    /// `isSparingFailures`: negative entries only count.
    init(cache: CacheFiles, isSparingFailures: Bool) throws(Errno) {
        for number in UInt8.min ... .max {
            guard let shard = try cache.objects.shard(number) else { continue }
            for key in try shard.content().keys {
                if let state = try shard.status(key) { add(key, state: state, isFailure: false) }
            }
        }
        for key in try cache.failureKeys() {
            if let state = try cache.folder.failures.status(key.hexadecimal) { add(key, state: state, isFailure: true) }
        }
        totals = Totals(files: files)
        if isSparingFailures { files.removeAll(where: \.isFailure) }
        files.sort { ($1.age, $1.key) < ($0.age, $0.key) }
    }

    private mutating func add(_ key: CacheKey, state: FileStatus, isFailure: Bool) {
        // Last uses are in the index alone, which cannot be opened here: the time of the store has to do.
        let age = Date(milliseconds: Int64(state.modified / 1_000_000))
        files.append(Candidate(key: key, size: state.size, age: age, isFailure: isFailure))
    }

    /// The files older than `date`, and more of the oldest until no more than `goal` bytes are left.
    mutating func take(before date: Date?, downTo goal: Int) -> [Candidate] {
        var taken: [Candidate] = []
        while let oldest = files.last, totals.bytes > goal || date.map({ oldest.age < $0 }) == true {
            files.removeLast()
            totals.subtract(CollectionOfOne(oldest))
            taken.append(oldest)
        }
        return taken
    }
}
