internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

extension AvatarCache {
    /// Checks everything: the checksum of every entry, files without rows, rows without files, files that do not belong
    /// to the cache. Works on all cores, and while other processes use the cache.
    ///
    /// - Parameters:
    ///   - isRepairing: repairs the problems; failed repairs are reported as not repaired.
    ///   - progress: called with the numbers of checked and of all entries, on any thread, one call at a time.
    ///   - isStopped: called often; once true, the problems so far are returned.
    package func verify(
        isRepairing: Bool, progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) throws(CacheError) -> Verification {
        if isRepairing && isReadOnly { throw .readOnly(path) }
        try bringUpToDate()
        try commitFailures()
        var verification = Verification()
        verification.isIndexIntact = try index.read { try $0.isIntact() }
        if !verification.isIndexIntact && isRepairing {
            try rebuildDamagedIndex()
            verification.isIndexIntact = true
        }
        let total = try index.read { try $0.totals().entries }
        let tally = Tally(total: total, progress: progress)
        let listing = Listing(index)
        DispatchQueue.concurrentPerform(iterations: 256) { number in
            do throws(CacheError) {
                try inspect(atShard: UInt8(number), listing, tally: tally, isStopped: isStopped)
            } catch { tally.fail(error) }
        }
        let (entries, bytes, found) = try tally.result()
        (verification.entries, verification.bytes) = (entries, bytes)
        verification.problems = try confirmed(found) + foreignFolders() + strays() + unreadableFailures()
        verification.problems.sort { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
        if isRepairing {
            for number in verification.problems.indices {
                verification.problems[number].isRepaired = repair(verification.problems[number])
            }
            flush()
            if state.withLock({ $0.isIndexFull }) { try makeRoomForIndex() }
            // Rows that the index did not accept are not repaired yet.
            let waiting = state.withLock { Set($0.changes.keys) }
            for number in verification.problems.indices where !waiting.isEmpty {
                guard let key = verification.problems[number].key, waiting.contains(key) else { continue }
                verification.problems[number].isRepaired = false
            }
        }
        return verification
    }

    private func rebuildDamagedIndex() throws(CacheError) {
        do { _ = try index.rebuild(reason: "damaged") } catch {
            guard error.isFull else { throw error }
            try makeRoomForIndex()
        }
    }

    /// On a full disk: evicts nothing unless the index needs room.
    private func makeRoomForIndex() throws(CacheError) {
        var pruning = Pruning()
        try evictFiles(&pruning) { $0 }
        flush()
    }

    private func inspect(
        atShard number: UInt8, _ listing: Listing, tally: Tally, isStopped: () -> Bool
    ) throws(CacheError) {
        if isStopped() { return }
        var rows = try listing.rows(ofShard: number)
        let place = FilePath("objects").appending(ObjectStore.name(ofShard: number))
        do {
            if let shard = try objects.shard(number) {
                let (keys, others) = try shard.content()
                for name in others {
                    tally.add(Problem(kind: .foreign, place: place.appending(name), reason: "not an entry's name"))
                }
                for key in keys {
                    if isStopped() { return }
                    inspect(at: key, in: shard, row: rows.removeValue(forKey: key), tally: tally)
                }
            }
        } catch {
            if error.isTransient { throw CacheError(error, at: path.pushing(place)) }
            tally.add(Problem(kind: .foreign, place: place, reason: error.lowercased))
        }
        for key in rows.keys where !isStopped() {
            tally.add(Problem(kind: .missing, key: key, place: Self.place(key), reason: "row without a file"))
        }
    }

    /// Relative to the cache's folder.
    private static func place(_ key: CacheKey) -> FilePath {
        FilePath("objects").appending(ObjectStore.name(ofShard: key.shard)).appending("\(key).png")
    }

    /// `row`: the entry's row in the index, if there is one.
    private func inspect(at key: CacheKey, in shard: Shard, row: ListedFile?, tally: Tally) {
        func problem(_ kind: Problem.Kind, _ reason: String) {
            tally.add(Problem(kind: kind, key: key, place: Self.place(key), reason: reason))
        }
        do {
            guard let file = try shard.file(key) else {
                // Removed meanwhile; the row was read before.
                if row != nil { problem(.missing, "row without a file") }
                return
            }
            guard file.state.kind == .regular else { return problem(.foreign, "not a file") }
            tally.count(bytes: file.bytes.count)
            let entry: Entry
            do throws(EntryTrailer.Damage) { entry = try file.entry(key: key) } catch {
                return problem(.damaged, error.rawValue)
            }
            if file.state.mode & 0o077 != 0 { problem(.exposed, "mode 0\(String(file.state.mode, radix: 8))") }
            switch row {
            case nil: problem(.unlisted, "file without a row")
            case let row? where row.size != entry.size: problem(.differing, "the row has \(row.size) bytes")
            case let row? where row != ListedFile(entry):
                problem(.differing, "the row has another recipe, cost or time")
            default: break
            }
        } catch {
            if error != .noSuchFileOrDirectory { problem(.damaged, error.lowercased) }
        }
    }

    /// Without those that only looked like problems because another process was changing them.
    private func confirmed(_ problems: [Problem]) throws(CacheError) -> [Problem] {
        let kinds: Set<Problem.Kind> = [.unlisted, .missing, .differing]
        guard problems.contains(where: { kinds.contains($0.kind) }) else { return problems }
        func isOne(_ problem: Problem, _ reader: IndexReader) throws -> Bool {
            guard kinds.contains(problem.kind), let key = problem.key else { return true }
            return try objects.entry(key).map(ListedFile.init) != reader.listed(key)
        }
        var left = try index.read { reader in try problems.filter { try isOne($0, reader) } }
        // A process that touched a file before the check has its row pending, or has written it since.
        let busy = announcedKeys()
        left.removeAll { kinds.contains($0.kind) && $0.key.map(busy.contains) == true }
        return try index.read { reader in try left.filter { try isOne($0, reader) } }
    }

    /// Keys in the journals of all processes.
    private func announcedKeys() -> Set<CacheKey> {
        var keys: Set<CacheKey> = []
        for name in (try? folder.temporary.names()) ?? [] where name.string.hasSuffix(Session.suffix) {
            guard let file = try? folder.temporary.open(name.string, 0) else { continue }
            keys.formUnion((try? Journal.keys(file)) ?? [])
            try? file.close()
        }
        return keys
    }

    /// Names in `objects` itself that are not one of its 256 folders.
    private func foreignFolders() throws(CacheError) -> [Problem] {
        let shards = Set((UInt8.min ... .max).map(ObjectStore.name))
        do throws(Errno) {
            let names = try folder.objects.names().filter { name in
                let state = try? name.withName { name throws(Errno) in try folder.objects.status(name) }
                return !shards.contains(name.string) || state?.kind != .folder
            }
            return names.map {
                Problem(kind: .foreign, place: FilePath("objects").appending($0), reason: "not a folder of entries")
            }
        } catch { throw CacheError(error, at: path.appending("objects")) }
    }

    private func unreadableFailures() throws(CacheError) -> [Problem] {
        do {
            return try folder.failures.names().compactMap { name in
                if let key = CacheKey(name.string), negativeEntry(key) != nil { return nil }
                return Problem(kind: .failure, place: FilePath("failures").appending(name), reason: "cannot be read")
            }
        } catch { throw CacheError(error, at: path.appending("failures")) }
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

    init(_ index: Index) {
        self.index = index
        parts = (0..<16).map { _ in Part() }
    }

    /// Call once for each folder.
    func rows(ofShard shard: UInt8) throws(CacheError) -> [CacheKey: ListedFile] {
        let digit = shard >> 4
        let result: Result<[CacheKey: ListedFile], CacheError> = parts[Int(digit)].rows.withLock { part in
            do throws(CacheError) {
                var rows: [UInt8: [CacheKey: ListedFile]]
                if let part { rows = part } else { rows = try listed(digit) }
                let found = rows.removeValue(forKey: shard) ?? [:]
                part = rows
                return .success(found)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func listed(_ digit: UInt8) throws(CacheError) -> [UInt8: [CacheKey: ListedFile]] {
        try index.read { try $0.listed(beginningWith: digit) }
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
        (self.total, self.progress) = (total, progress)
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
