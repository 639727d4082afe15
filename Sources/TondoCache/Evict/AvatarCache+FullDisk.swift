internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// Making room on a full disk, where SQLite cannot write: the oldest files are found by their times.
extension AvatarCache {
    /// Minimum seconds between two scans of all files.
    private static let retryInterval = 30.0

    /// Evicts if the files exceed the limit, or are most of the content of a full disk, so that a disk that is smaller
    /// than the limit keeps accepting new entries. Space used by other programs is not compensated. True if something
    /// was removed. At most every half minute, since it scans all files.
    func makeRoomOnFullDisk() -> Bool {
        let now = options.now()
        let (isDue, maxSize) = state.withLock { state in
            if let last = state.relieved, last <= now, now.timeIntervalSince(last) < Self.retryInterval {
                return (false, state.maxSize)
            }
            state.relieved = now
            return (true, state.maxSize)
        }
        guard isDue else { return false }
        var pruning = Pruning()
        do {
            try evictFiles(&pruning) { bytes in
                if let maxSize, bytes > maxSize { return Self.goal(maxSize) }
                return folder.isMostOfDisk(bytes) ? Self.goal(bytes) : nil
            }
        } catch { report(.cannotMakeRoom(error), once: "room-\(error.code)") }
        guard pruning.entries + pruning.failures > 0 else { return false }
        resumeStoring()
        return true
    }

    /// There is room again before the pause ends.
    func resumeStoring() {
        state.withLock { if $0.paused?.error.isFull == true { $0.paused = nil } }
    }

    /// Removes what is older than `date`, then the oldest until at most `goal` of the present bytes are left; nil:
    /// nothing is to be done. Then rebuilds the index, for which more files may have to be removed.
    func evictFiles(
        _ pruning: inout Pruning, before date: Date? = nil, isSparingFailures: Bool = false,
        downTo goal: (_ bytes: Int) -> Int?
    ) throws(CacheError) {
        var files = try storedFiles(isSparingFailures: isSparingFailures)
        guard let goal = goal(files.bytes) else { return }
        var gone: [Candidate] = []
        func remove(_ chosen: [Candidate]) throws(CacheError) {
            let problems = unlink(chosen)
            gone += chosen.filter { problems[$0.key] == nil }
            if let problem = problems.first { throw CacheError(problem.value, at: file(of: problem.key)) }
        }
        defer {
            pruning.count(gone)
            (pruning.entriesLeft, pruning.failuresLeft) = (files.entries, files.failures)
            pruning.bytesLeft = files.bytes
        }
        try index.rebuild { attempt throws(CacheError) in
            // The index itself needs room, more with each attempt.
            let enough = attempt == 0 ? goal : files.bytes - max(files.bytes / 10, 1 << 18)
            if attempt > 0, files.isEmpty { return false }
            try remove(files.take(before: attempt == 0 ? date : nil, downTo: enough))
            return true
        }
    }

    private func storedFiles(isSparingFailures: Bool) throws(CacheError) -> StoredFiles {
        var files = StoredFiles(isSparingFailures: isSparingFailures)
        do {
            for number in UInt8.min ... .max {
                guard let shard = try objects.shard(number) else { continue }
                for key in try shard.content().keys {
                    if let state = try shard.status(key) { files.add(key, state, isFailure: false) }
                }
            }
            for key in try folder.failures.names().compactMap({ CacheKey($0.string) }) {
                if let state = try folder.failures.status(key.hexadecimal) { files.add(key, state, isFailure: true) }
            }
        } catch { throw CacheError(error, at: path) }
        files.sort()
        return files
    }
}

/// Files of entries and negative entries, the oldest last, so that they are taken from the end.
private struct StoredFiles {
    private var files: [Candidate] = []
    private(set) var bytes = 0
    private(set) var failures = 0
    private let isSparingFailures: Bool

    init(isSparingFailures: Bool) { self.isSparingFailures = isSparingFailures }

    /// No file is left to take.
    var isEmpty: Bool { files.isEmpty }
    private(set) var entries = 0

    mutating func add(_ key: CacheKey, _ state: FileStatus, isFailure: Bool) {
        bytes += state.size
        if isFailure { failures += 1 } else { entries += 1 }
        if isFailure && isSparingFailures { return }
        let age = Date(milliseconds: Int64(state.modified / 1_000_000))
        files.append(Candidate(key: key, size: state.size, age: age, isFailure: isFailure))
    }

    mutating func sort() { files.sort { ($1.age, $1.key) < ($0.age, $0.key) } }

    /// The files older than `date`, and more of the oldest until no more than `goal` bytes are left.
    mutating func take(before date: Date?, downTo goal: Int) -> [Candidate] {
        var taken: [Candidate] = []
        while let oldest = files.last, bytes > goal || date.map({ oldest.age < $0 }) == true {
            files.removeLast()
            bytes -= oldest.size
            if oldest.isFailure { failures -= 1 } else { entries -= 1 }
            taken.append(oldest)
        }
        return taken
    }
}

extension CacheFolder {
    /// Whether this many bytes are at least half of the size of the file system.
    func isMostOfDisk(_ bytes: Int) -> Bool {
        var disk = statvfs()
        guard fstatvfs(root.descriptor, &disk) == 0 else { return false }
        let (size, isOverflow) = UInt64(disk.f_blocks).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return !isOverflow && UInt64(bytes) >= size / 2
    }
}
