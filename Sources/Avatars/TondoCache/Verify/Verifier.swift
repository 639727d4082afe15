internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// Checks a cache, and repairs it. Works on all cores, and while other processes use the cache. Usable from any thread;
/// calls block.
final class Verifier: Sendable {
    let storage: Storage
    let entries: EntryStore
    private let negatives: NegativeCache
    private let updater: IndexUpdater

    init(storage: Storage, entries: EntryStore, negatives: NegativeCache, updater: IndexUpdater) {
        self.storage = storage
        self.entries = entries
        self.negatives = negatives
        self.updater = updater
    }

    private var index: Index { storage.files.index }

    /// See `AvatarCache.verify`.
    func verify(
        isRepairing: Bool, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void,
        isStopped: @escaping @Sendable () -> Bool
    ) throws(CacheError) -> Verification {
        if isRepairing { try storage.checkWritable() }
        // Entries whose rows still wait would seem to be unlisted.
        try updater.bringUpToDate()
        if try negatives.recount() { updater.flush() }
        var verification = Verification()
        verification.isIndexIntact = try index.read { try $0.isIntact() }
        if !verification.isIndexIntact && isRepairing {
            try updater.rebuildDamaged()
            verification.isIndexIntact = true
        }
        let tally = Tally(total: try index.read { try $0.totals().entries }, progress: progress)
        let listing = Listing(index: index)
        DispatchQueue.concurrentPerform(iterations: 256) { number in
            do throws(CacheError) {
                try inspect(atShard: UInt8(number), listing, tally: tally, isStopped: isStopped)
            } catch { tally.fail(error) }
        }
        let (entries, bytes, found) = try tally.result()
        verification.entries = entries
        verification.bytes = bytes
        verification.problems = try confirmed(found) + foreignFolders() + strays() + unreadableFailures()
        verification.problems.sort { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
        if isRepairing { try repair(&verification.problems) }
        return verification
    }

    private func repair(_ problems: inout [Problem]) throws(CacheError) {
        for number in problems.indices { problems[number].isRepaired = repair(problems[number]) }
        try updater.flushMakingRoom()
        // Rows that the index did not accept are not repaired yet.
        let waiting = storage.rows.keys
        for number in problems.indices where problems[number].key.map(waiting.contains) == true {
            problems[number].isRepaired = false
        }
    }

    private func inspect(
        atShard number: UInt8, _ listing: Listing, tally: Tally, isStopped: () -> Bool
    ) throws(CacheError) {
        if isStopped() { return }
        var rows = try listing.rows(ofShard: number)
        // Most folders hold nothing wrong, and need no path.
        var path: FilePath { FilePath("objects").appending(ObjectStore.name(ofShard: number)) }
        do {
            if let shard = try storage.files.objects.shard(number) {
                let (keys, others) = try shard.content()
                for name in others {
                    tally.add(Problem(kind: .foreign, path: path.appending(name), reason: "not an entry's name"))
                }
                for key in keys {
                    if isStopped() { return }
                    inspect(at: key, in: shard, row: rows.removeValue(forKey: key), tally: tally)
                }
            }
        } catch {
            if error.isTransient { throw CacheError(error, at: storage.path.pushing(path)) }
            tally.add(Problem(kind: .foreign, path: path, reason: error.lowercased))
        }
        for key in rows.keys where !isStopped() {
            tally.add(Problem(kind: .missing, key: key, in: storage.files.objects, reason: "row without a file"))
        }
    }

    /// `row`: the entry's row in the index, if there is one.
    private func inspect(at key: CacheKey, in shard: Shard, row: ListedFile?, tally: Tally) {
        func problem(_ kind: Problem.Kind, reason: String) {
            tally.add(Problem(kind: kind, key: key, in: storage.files.objects, reason: reason))
        }
        do {
            guard let file = try shard.file(key) else {
                // Removed meanwhile; the row was read before.
                if row != nil { problem(.missing, reason: "row without a file") }
                return
            }
            guard file.state.kind == .regular else { return problem(.foreign, reason: "not a file") }
            tally.count(bytes: file.bytes.count)
            let entry: Entry
            do throws(EntryTrailer.Damage) { entry = try file.entry(key: key) } catch {
                return problem(.damaged, reason: error.rawValue)
            }
            if file.state.mode & 0o077 != 0 { problem(.exposed, reason: "mode 0\(String(file.state.mode, radix: 8))") }
            switch row {
            case nil: problem(.unlisted, reason: "file without a row")
            case let row? where row.size != entry.size: problem(.differing, reason: "the row has \(row.size) bytes")
            case let row? where row != ListedFile(entry):
                problem(.differing, reason: "the row has another recipe, cost or time")
            default: break
            }
        } catch {
            if error != .noSuchFileOrDirectory { problem(.damaged, reason: error.lowercased) }
        }
    }

    /// Without those that only looked like problems because another process was changing them.
    private func confirmed(_ problems: [Problem]) throws(CacheError) -> [Problem] {
        let kinds: Set<Problem.Kind> = [.unlisted, .missing, .differing]
        guard problems.contains(where: { kinds.contains($0.kind) }) else { return problems }
        func isOne(_ problem: Problem, in reader: IndexReader) throws -> Bool {
            guard kinds.contains(problem.kind), let key = problem.key else { return true }
            return try storage.files.objects.entry(key).map(ListedFile.init) != reader.listed(key)
        }
        var left = try index.read { reader in try problems.filter { try isOne($0, in: reader) } }
        // A process that touched a file before the check has its row pending, or has written it since.
        let busy = announcedKeys()
        left.removeAll { kinds.contains($0.kind) && $0.key.map(busy.contains) == true }
        return try index.read { reader in try left.filter { try isOne($0, in: reader) } }
    }

    /// Keys in the journals of all processes.
    private func announcedKeys() -> Set<CacheKey> {
        var keys: Set<CacheKey> = []
        let temporary = storage.files.folder.temporary
        for name in (try? temporary.names()) ?? [] where name.string.hasSuffix(Session.suffix) {
            guard let file = try? temporary.open(name.string, flags: 0) else { continue }
            keys.formUnion((try? Journal.keys(file)) ?? [])
            try? file.close()
        }
        return keys
    }

    /// Names in `objects` itself that are not one of its 256 folders.
    private func foreignFolders() throws(CacheError) -> [Problem] {
        let objects = storage.files.folder.objects
        let shards = Set((UInt8.min ... .max).map(ObjectStore.name))
        do throws(Errno) {
            return try objects.names().compactMap { name in
                let state = try? name.withName { name throws(Errno) in try objects.status(name) }
                if shards.contains(name.string), state?.kind == .folder { return nil }
                return Problem(
                    kind: .foreign, path: FilePath("objects").appending(name), reason: "not a folder of entries")
            }
        } catch { throw CacheError(error, at: storage.path.appending("objects")) }
    }

    private func unreadableFailures() throws(CacheError) -> [Problem] {
        try negatives.unreadable().map {
            Problem(kind: .failure, path: FilePath("failures").appending($0), reason: "cannot be read")
        }
    }
}

/// The index's rows, queried in 16 parts: one query per folder would cost as much as reading its files.
private final class Listing: Sendable {
    private let index: Index
    /// Rows of unchecked folders, one lock per part. It is held during a query, which takes no lock of a listing.
    private let parts: [Part]

    private final class Part: Sendable {
        let rows = Mutex<[UInt8: [CacheKey: ListedFile]]?>(nil)
    }

    init(index: Index) {
        self.index = index
        parts = (0..<16).map { _ in Part() }
    }

    /// Call once for each folder.
    func rows(ofShard shard: UInt8) throws(CacheError) -> [CacheKey: ListedFile] {
        let digit = shard >> 4
        return try parts[Int(digit)].rows.withLock { part throws(CacheError) in
            var rows: [UInt8: [CacheKey: ListedFile]]
            if let part { rows = part } else { rows = try index.read { try $0.listed(beginningWith: digit) } }
            defer { part = rows }
            return rows.removeValue(forKey: shard) ?? [:]
        }
    }
}

/// The combined results of the threads of a verification.
private final class Tally: Sendable {
    private struct State {
        var problems: [Problem] = []
        var failure: CacheError?
    }

    private let entries = Atomic(0)
    private let bytes = Atomic(0)
    private let state = Mutex(State())
    private let total: Int
    private let progress: @Sendable (Int, Int) -> Void
    private let progressLock = Mutex(())

    init(total: Int, progress: @escaping @Sendable (Int, Int) -> Void) {
        self.total = total
        self.progress = progress
    }

    func count(bytes count: Int) {
        bytes.wrappingAdd(count, ordering: .relaxed)
        let done = entries.wrappingAdd(1, ordering: .relaxed).newValue
        // A separate lock that guards nothing else: it makes the calls sequential.
        if done % 64 == 0 { progressLock.withLock { _ in progress(done, max(total, done)) } }
    }

    func add(_ problem: Problem) { state.withLock { $0.problems.append(problem) } }

    func fail(_ error: CacheError) { state.withLock { $0.failure = $0.failure ?? error } }

    func result() throws(CacheError) -> (entries: Int, bytes: Int, problems: [Problem]) {
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        return (entries.load(ordering: .relaxed), bytes.load(ordering: .relaxed), state.problems)
    }
}
