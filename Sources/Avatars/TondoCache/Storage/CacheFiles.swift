internal import FoundationEssentials
internal import Glibc
internal import SystemPackage
internal import TondoFiles

/// The open folder of a cache, with its entries, its index and its journal.
final class CacheFiles: Sendable {
    let folder: CacheFolder
    let objects: ObjectStore
    let index: Index
    let journal: Journal

    init(
        _ folder: CacheFolder, isReadOnly: Bool, options: AvatarCache.Options, diagnostics: DiagnosticSink,
        pause: StorePause
    ) {
        self.folder = folder
        objects = ObjectStore(folder: folder)
        index = Index(
            folder, isReadOnly: isReadOnly, busyTimeout: options.busyTimeout, diagnostics: diagnostics)
        journal = Journal(in: folder, pause: pause)
    }

    /// Makes a key's row agree with its file. Inside the transaction, so that the later one of two processes is right.
    func settle(_ key: CacheKey, change: RowChange, at now: Date, in writer: inout IndexWriter) throws {
        if change.kind != .entry { try settleFailure(key, change: change, in: &writer) }
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

    /// Makes a negative entry's row agree with its file.
    private func settleFailure(_ key: CacheKey, change: RowChange, in writer: inout IndexWriter) throws {
        if let known = change.failure, let placed = change.file,
            try folder.failures.status(key.hexadecimal)?.isSame(as: placed) == true
        {
            return try writer.put(known)
        }
        if let found = try FailureFile.read(key, in: folder.failures) {
            try writer.put(FailureRow(failure: found.failure, key: key, size: found.state.size))
        } else {
            try writer.removeFailure(key)
        }
    }

    /// Settles the journals of processes that ended without doing so.
    func settleAbandoned(_ now: () -> Date) throws(CacheError) {
        do {
            for name in try folder.temporary.names().map(\.string) where name.hasSuffix(Session.suffix) {
                if journal.isNamed(name) { continue }
                guard let file = try? folder.temporary.open(name, flags: O_RDWR) else { continue }
                defer { try? file.close() }
                guard LockKind.exclusive.tryLock(file.rawValue) else { continue }
                let keys = try Journal.keys(file)
                let now = now()
                try index.write { writer in
                    for key in Set(keys) { try settle(key, change: RowChange(kind: .any), at: now, in: &writer) }
                }
                try? folder.temporary.remove(name)
            }
        } catch { throw CacheError(error, at: folder.path) }
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

    /// The keys of negative entries.
    func failureKeys() throws(Errno) -> [CacheKey] { try folder.failures.names().compactMap { CacheKey($0.string) } }
}
