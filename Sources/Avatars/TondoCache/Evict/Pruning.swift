internal import FoundationEssentials

extension AvatarCache {
    /// What was removed, or would be.
    package struct Pruning: Equatable, Sendable {
        /// Entries with avatars; negative entries are counted apart.
        package var entries = 0
        /// Negative entries.
        package var failures = 0
        /// Bytes of the files of both.
        package var bytes = 0
        /// Entries that remain, without the negative ones.
        package var entriesLeft: Int { left.entries }
        /// Negative entries that remain, expired ones included.
        package var failuresLeft: Int { left.failures }
        /// Bytes of all files that remain, entries and negative entries together: the size limit applies to this sum.
        package var bytesLeft: Int { left.bytes }
        var left = Totals()

        package init() {}

        init(left: Totals) { self.left = left }

        /// Counts these as removed.
        mutating func count(_ files: [Candidate]) {
            let gone = Totals(files: files)
            entries = entries + gone.entries
            failures = failures + gone.failures
            bytes = bytes + gone.bytes
        }
    }
}

/// The totals of a cache.
struct Totals: Equatable, Sendable {
    var entries = 0
    var entryBytes = 0
    /// Negative entries.
    var failures = 0
    var failureBytes = 0

    /// The number that is compared with the size limit.
    var bytes: Int { entryBytes + failureBytes }

    /// The number of bytes to keep after eviction, or of negative entries.
    static func goal(_ limit: Int) -> Int { Int(Double(limit) * 0.9) }

    mutating func add(_ files: some Sequence<Candidate>, sign: Int = 1) {
        for file in files {
            if file.isFailure {
                failures = failures + sign
                failureBytes = failureBytes + sign * file.size
            } else {
                entries = entries + sign
                entryBytes = entryBytes + sign * file.size
            }
        }
    }

    mutating func subtract(_ files: some Sequence<Candidate>) { add(files, sign: -1) }
}

extension Totals {
    init(files: [Candidate]) { add(files) }
}

/// A file that may be evicted.
struct Candidate: Equatable {
    var key: CacheKey
    /// Bytes of its file.
    var size: Int
    /// An entry's last use, or a negative entry's creation.
    var age: Date
    var isFailure: Bool
    /// A negative entry whose photo may be retried. It is evicted before all others.
    var isExpired = false

    /// Why its row is removed.
    func change(_ reason: RemovalRecord.Reason, announced: Int = 1) -> RowChange {
        RowChange(kind: isFailure ? .failure : .entry, reason: reason, announced: announced)
    }
}
