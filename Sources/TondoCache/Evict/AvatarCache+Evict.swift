internal import FoundationEssentials
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

extension AvatarCache {
    /// What was removed, or would be.
    package struct Pruning: Equatable, Sendable {
        package var entries = 0
        /// Negative entries.
        package var failures = 0
        /// Bytes of the files of both.
        package var bytes = 0
        /// What remains; the bytes of entries and negative entries.
        package var entriesLeft = 0
        package var failuresLeft = 0
        package var bytesLeft = 0

        package init() {}

        init(left totals: Totals) {
            (entriesLeft, failuresLeft, bytesLeft) = (totals.entries, totals.failures, totals.bytes)
        }
    }

    /// Entries processed in one step.
    private static let step = 512

    /// Evicts what was not used for `maxAge` (seconds), then, if the rest is larger than `maxSize` (bytes), expired
    /// negative entries and the least recently used ones until 90 % of it is left. The age of a negative entry counts
    /// from its creation. `isTrial`: only counts. On a full disk the times of the files count instead of the index.
    package func prune(
        maxSize: Int? = nil, maxAge: Double? = nil, isTrial: Bool = false
    ) throws(CacheError) -> Pruning {
        if isReadOnly && !isTrial { throw .readOnly(path) }
        try bringUpToDate()
        let oldest = maxAge.map { options.now().addingTimeInterval(-$0) }
        var pruning = Pruning(left: try index.read { try $0.totals() })
        if isTrial {
            try rehearse(&pruning, maxSize: maxSize, before: oldest)
            return pruning
        }
        do throws(CacheError) {
            if let oldest { try evict(&pruning, before: oldest) }
            if let maxSize, pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Self.goal(maxSize)) }
        } catch {
            guard error.isFull else { throw error }
            try evictFiles(&pruning, before: oldest) { bytes in
                maxSize.map { bytes > $0 ? Self.goal($0) : bytes } ?? bytes
            }
        }
        return pruning
    }

    /// Evicts if the cache exceeds its limit.
    func evict(maxSize: Int) throws(CacheError) -> Pruning {
        var pruning = Pruning(left: try index.read { try $0.totals() })
        if pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Self.goal(maxSize)) }
        return pruning
    }

    /// Evicts negative entries if there are too many.
    func evictFailures() throws(CacheError) {
        var pruning = Pruning(left: try index.read { try $0.totals() })
        let now = options.now()
        let goal = Self.goal(options.mostFailures)
        try remove(&pruning, reason: .size) { reader, stuck in
            let excess = try reader.totals().failures - goal
            return try reader.oldestFailures(now: now, skipped: stuck, limit: min(max(excess, 0), Self.step))
        }
    }

    /// Removes every entry, and everything in the index except the negative entries, which stay.
    package func clear() throws(CacheError) -> Pruning {
        if isReadOnly { throw .readOnly(path) }
        try bringUpToDate()
        var pruning = Pruning(left: try index.read { try $0.totals() })
        do throws(CacheError) { try clear(&pruning) } catch {
            guard error.isFull else { throw error }
            try evictFiles(&pruning, isSparingFailures: true) { _ in -1 }
        }
        return pruning
    }

    private func clear(_ pruning: inout Pruning) throws(CacheError) {
        let now = options.now()
        try index.write { try $0.removePhotos() }
        photoDigests.forgetAll()
        try remove(&pruning, reason: .removed) { reader, stuck in
            try reader.oldestEntries(skipped: stuck, limit: Self.step)
        }
        // Files without a row.
        for shard in UInt8.min ... .max {
            let keys: [CacheKey]
            do { keys = try objects.keys(inShard: shard) } catch { throw CacheError(error, at: path) }
            guard !keys.isEmpty else { continue }
            let files = keys.map { Candidate(key: $0, size: 0, age: now, isFailure: false) }
            let problems = try remove(files, &pruning, reason: .removed).problems
            if let problem = problems.first { throw CacheError(problem.value, at: file(of: problem.key)) }
        }
    }

    /// The number of bytes to keep after eviction.
    static func goal(_ maxSize: Int) -> Int { Int(Double(maxSize) * 0.9) }

    private func evict(_ pruning: inout Pruning, before date: Date) throws(CacheError) {
        let now = options.now()
        try index.write { try $0.bringBack(to: now) }
        try remove(&pruning, reason: .age) { reader, stuck in
            try reader.oldest(before: date, now: now, skipped: stuck, limit: Self.step)
        }
    }

    private func evict(_ pruning: inout Pruning, downTo goal: Int) throws(CacheError) {
        let now = options.now()
        try remove(&pruning, reason: .size) { reader, stuck in
            Self.oldest(
                try reader.oldest(before: nil, now: now, skipped: stuck, limit: Self.step), until: goal,
                of: try reader.totals().bytes)
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
        _ pruning: inout Pruning, reason: RemovalRecord.Reason,
        choose: (_ reader: IndexReader, _ stuck: Int) throws -> [Candidate]
    ) throws(CacheError) {
        var left = try index.read { try $0.count() }
        var stuck = 0
        var problem: CacheError?
        while left > 0 {
            let chosen = try index.read { try choose($0, stuck) }
            if chosen.isEmpty { break }
            left -= chosen.count
            let result = try remove(chosen, &pruning, reason: reason)
            stuck += result.stuck
            if let (key, error) = result.problems.first { problem = problem ?? CacheError(error, at: file(of: key)) }
        }
        if let problem { throw problem }
    }

    /// Returns what could not be removed, and how many of those still have a row.
    @discardableResult
    private func remove(
        _ files: [Candidate], _ pruning: inout Pruning, reason: RemovalRecord.Reason
    ) throws(CacheError) -> (problems: [CacheKey: Errno], stuck: Int) {
        let session = try announceIfRoom(files.map(\.key))
        let problems = unlink(files)
        let gone = files.filter { problems[$0.key] == nil }
        pruning.count(gone)
        let stuck: Int
        do {
            let totals: Totals
            (stuck, totals) = try commit(files, without: problems, reason)
            (pruning.entriesLeft, pruning.failuresLeft) = (totals.entries, totals.failures)
            pruning.bytesLeft = totals.bytes
        } catch {
            // Their rows are settled with the next flush.
            let changes = files.map { ($0.key, $0.change(reason, announced: session == nil ? 0 : 1)) }
            note(Dictionary(changes, uniquingKeysWith: { $1 }))
            throw error
        }
        session?.commit(files.map(\.key))
        return (problems, stuck)
    }

    /// Returns how many of the problems still have a row.
    private func commit(
        _ files: [Candidate], without problems: [CacheKey: Errno], _ reason: RemovalRecord.Reason
    ) throws(CacheError) -> (stuck: Int, Totals) {
        let now = options.now()
        return try index.write { writer in
            for file in files { try commit(file.key, file.change(reason), now, in: &writer) }
            if reason == .size || reason == .age {
                try writer.count("evicted", files.count { !$0.isFailure && problems[$0.key] == nil })
            }
            try writer.tidy()
            let reader = IndexReader(database: writer.database)
            return (try problems.keys.filter { try reader.hasRow($0) }.count, try reader.totals())
        }
    }

    /// Returns those that could not be removed; a missing file is not an error.
    func unlink(_ files: [Candidate]) -> [CacheKey: Errno] {
        var problems = objects.remove(files.filter { !$0.isFailure }.map(\.key))
        for file in files where file.isFailure {
            do throws(Errno) { try folder.failures.remove(file.key.hexadecimal) } catch {
                if error != .noSuchFileOrDirectory { problems[file.key] = error }
            }
        }
        return problems
    }

    private func rehearse(_ pruning: inout Pruning, maxSize: Int?, before oldest: Date?) throws(CacheError) {
        let now = options.now()
        var aged: [Candidate] = []
        if let oldest { aged = try index.read { try $0.oldest(before: oldest, now: now) } }
        pruning.count(aged)
        pruning.subtract(aged)
        guard let maxSize, pruning.bytesLeft > maxSize else { return }
        let isAged = Set(aged.map(\.key))
        let rest = try index.read { try $0.oldest(before: nil, now: now) }.filter { !isAged.contains($0.key) }
        let gone = Self.oldest(rest, until: Self.goal(maxSize), of: pruning.bytesLeft)
        pruning.count(gone)
        pruning.subtract(gone)
    }
}

extension AvatarCache.Pruning {
    /// Counts these as removed.
    mutating func count(_ files: [Candidate]) {
        entries += files.count { !$0.isFailure }
        failures += files.count(where: \.isFailure)
        bytes += files.reduce(0) { $0 + $1.size }
    }

    /// Subtracts these from what remains.
    mutating func subtract(_ files: [Candidate]) {
        entriesLeft -= files.count { !$0.isFailure }
        failuresLeft -= files.count(where: \.isFailure)
        bytesLeft -= files.reduce(0) { $0 + $1.size }
    }
}

extension Candidate {
    /// Why its row is removed.
    fileprivate func change(_ reason: RemovalRecord.Reason, announced: Int = 1) -> AvatarCache.Change {
        AvatarCache.Change(kind: isFailure ? .failure : .entry, reason: reason, announced: announced)
    }
}
