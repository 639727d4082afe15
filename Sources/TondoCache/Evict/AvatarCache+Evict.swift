internal import FoundationEssentials
internal import Synchronization
internal import SystemPackage

extension AvatarCache {
    /// What was removed, or would be.
    package struct Pruning: Equatable, Sendable {
        package var entries = 0
        /// Bytes of their files.
        package var bytes = 0
        package var failures = 0
        /// What is left.
        package var entriesLeft = 0
        package var bytesLeft = 0

        package init() {}
    }

    /// Entries looked at in one go.
    private static let step = 512

    /// Removes what was not used for `maxAge` (seconds), then, when the rest is larger than `maxSize` (bytes), the
    /// least recently used until 90 % of that are left. `isTrial`: only tells what would go.
    package func prune(
        maxSize: Int? = nil, maxAge: Double? = nil, isTrial: Bool = false
    ) throws(CacheError) -> Pruning {
        flush()
        if isReadOnly && !isTrial { throw .readOnly(path) }
        try settleAbandonedIfWritable()
        var pruning = Pruning()
        (pruning.entriesLeft, pruning.bytesLeft) = try index.read { try $0.totals() }
        if isTrial {
            try rehearse(&pruning, maxSize: maxSize, maxAge: maxAge)
        } else {
            if let maxAge { try evict(&pruning, before: options.now().addingTimeInterval(-maxAge)) }
            if let maxSize, pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Self.goal(maxSize)) }
        }
        if let maxAge { pruning.failures = try pruneFailures(maxAge: maxAge, isTrial: isTrial) }
        return pruning
    }

    /// Makes room when the cache has outgrown its limit.
    func evict(maxSize: Int) throws(CacheError) -> Pruning {
        var pruning = Pruning()
        (pruning.entriesLeft, pruning.bytesLeft) = try index.read { try $0.totals() }
        if pruning.bytesLeft > maxSize { try evict(&pruning, downTo: Self.goal(maxSize)) }
        return pruning
    }

    /// Removes every entry, and everything in the index. Failures stay.
    package func clear() throws(CacheError) -> Pruning {
        flush()
        if isReadOnly { throw .readOnly(path) }
        try settleAbandonedIfWritable()
        var pruning = Pruning()
        (pruning.entriesLeft, pruning.bytesLeft) = try index.read { try $0.totals() }
        try remove(&pruning, reason: .removed) { reader, stuck in
            try reader.leastRecentlyUsed(before: nil, skipped: stuck, limit: Self.step)
        }
        // What no row told of.
        for shard in UInt8.min ... .max {
            let keys: [CacheKey]
            do { keys = try objects.keys(inShard: shard) } catch { throw CacheError(error, at: path) }
            guard !keys.isEmpty else { continue }
            let problems = try remove(keys, &pruning, sizes: [:], reason: .removed).problems
            if let problem = problems.first { throw CacheError(problem.value, at: file(of: problem.key)) }
        }
        return pruning
    }

    /// Bytes that are left after making room.
    private static func goal(_ maxSize: Int) -> Int { Int(Double(maxSize) * 0.9) }

    private func evict(_ pruning: inout Pruning, before date: Date) throws(CacheError) {
        let now = options.now()
        try index.write { try $0.bringBack(to: now) }
        try remove(&pruning, reason: .age) { reader, stuck in
            try reader.leastRecentlyUsed(before: date, skipped: stuck, limit: Self.step)
        }
    }

    private func evict(_ pruning: inout Pruning, downTo goal: Int) throws(CacheError) {
        try remove(&pruning, reason: .size) { reader, stuck in
            try Self.oldest(
                reader.leastRecentlyUsed(before: nil, skipped: stuck, limit: Self.step), until: goal,
                of: reader.totals().bytes)
        }
    }

    /// As many of the oldest as it takes to come from `bytes` down to `goal`.
    private static func oldest(
        _ entries: [(key: CacheKey, size: Int)], until goal: Int, of bytes: Int
    ) -> [(key: CacheKey, size: Int)] {
        var left = bytes
        return Array(
            entries.prefix { entry in
                defer { left -= entry.size }
                return left > goal
            })
    }

    /// Removes what `choose` names until it names nothing more; `stuck` of the oldest could not be removed and are to be
    /// passed over. No more than there are now, since others may store as fast as this removes.
    private func remove(
        _ pruning: inout Pruning, reason: Departure.Reason,
        choose: (_ reader: IndexReader, _ stuck: Int) throws -> [(key: CacheKey, size: Int)]
    ) throws(CacheError) {
        var left = try index.read { try $0.count() }
        var stuck = 0
        var problem: CacheError?
        while left > 0 {
            let chosen = try index.read { try choose($0, stuck) }
            if chosen.isEmpty { break }
            left -= chosen.count
            let sizes = Dictionary(chosen.map { ($0.key, $0.size) }, uniquingKeysWith: max)
            let result = try remove(chosen.map(\.key), &pruning, sizes: sizes, reason: reason)
            stuck += result.stuck
            if let (key, error) = result.problems.first { problem = problem ?? CacheError(error, at: file(of: key)) }
        }
        if let problem { throw problem }
    }

    /// Gives what could not be removed, and how many of those still have a row.
    @discardableResult
    private func remove(
        _ keys: [CacheKey], _ pruning: inout Pruning, sizes: [CacheKey: Int], reason: Departure.Reason
    ) throws(CacheError) -> (problems: [CacheKey: Errno], stuck: Int) {
        let session = try announce(keys)
        let problems = objects.remove(keys)
        let gone = keys.filter { problems[$0] == nil }
        let now = options.now()
        let stuck: Int
        do {
            (stuck, pruning.entriesLeft, pruning.bytesLeft) = try index.write { writer in
                for key in keys { try settle(key, Change(reason: reason), now, in: &writer) }
                if reason == .size || reason == .age { try writer.count("evicted", gone.count) }
                try writer.tidy()
                let reader = IndexReader(database: writer.database)
                let totals = try reader.totals()
                let stuck = try problems.keys.filter { try reader.listed($0) != nil }.count
                return (stuck, totals.entries, totals.bytes)
            }
        } catch {
            // Their rows are settled with the next flush.
            note(Dictionary(keys.map { ($0, Change(reason: reason)) }, uniquingKeysWith: { $1 }))
            throw error
        }
        session.settle(keys)
        pruning.entries += gone.count
        pruning.bytes += gone.reduce(0) { $0 + sizes[$1, default: 0] }
        return (problems, stuck)
    }

    private func rehearse(_ pruning: inout Pruning, maxSize: Int?, maxAge: Double?) throws(CacheError) {
        let now = options.now()
        let all = try index.read { try $0.byLastUse() }
        var (left, entries) = (pruning.bytesLeft, pruning.entriesLeft)
        let oldest = maxAge.map { now.addingTimeInterval(-$0) }
        let aged = oldest.map { oldest in all.prefix { $0.used < oldest } } ?? all.prefix(0)
        var gone = aged.count
        left -= aged.reduce(0) { $0 + $1.size }
        if let maxSize, left > maxSize {
            while gone < all.count, left > Self.goal(maxSize) {
                left -= all[gone].size
                gone += 1
            }
        }
        entries -= gone
        (pruning.entries, pruning.bytes) = (gone, pruning.bytesLeft - left)
        (pruning.entriesLeft, pruning.bytesLeft) = (entries, left)
    }

    func settleAbandonedIfWritable() throws(CacheError) {
        if !isReadOnly { try settleAbandoned() }
    }
}
