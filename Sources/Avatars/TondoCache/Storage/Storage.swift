internal import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// The files of a cache. All of its parts share it: the open folder, the rows that wait for the index, and whether
/// anything may be stored now. A folder that is deleted during use, completely or in part, is created again by the next
/// store or query. Usable from any thread; calls block.
final class Storage: Sendable {
    let path: FilePath
    let options: AvatarCache.Options
    /// The folder or its disk is read-only: hits are served, nothing is stored.
    let isReadOnly: Bool
    let diagnostics: DiagnosticSink
    let rows: PendingRows
    let pause: StorePause
    /// Replaced when the folder was deleted and is created again.
    private let opened: Mutex<CacheFiles>
    /// Held by the one thread that creates the folder again.
    private let reopening = Mutex(())

    init(path: FilePath, options: AvatarCache.Options) throws(CacheError) {
        let folder = try Self.folder(path, isMaking: options.isMaking)
        self.path = path
        self.options = options
        // Every change begins with a file in `tmp`.
        isReadOnly = faccessat(folder.temporary.descriptor, ".", W_OK, 0) != 0
        diagnostics = DiagnosticSink(handler: options.notice)
        rows = PendingRows(isReadOnly: isReadOnly, diagnostics: diagnostics)
        pause = StorePause(now: options.now, rows: rows, diagnostics: diagnostics)
        opened = Mutex(
            CacheFiles(folder, isReadOnly: isReadOnly, options: options, diagnostics: diagnostics, pause: pause))
        // A look at a cache changes nothing.
        if !isReadOnly, options.isMaking { folder.removeLeftovers() }
        // Before there are entries, so that a missing index always means a lost one. A full disk is reported by the
        // first store.
        if folder.isNew { _ = try? files.index.rebuild(reason: Index.missing) }
    }

    private static func folder(_ path: FilePath, isMaking: Bool) throws(CacheError) -> CacheFolder {
        do { return try CacheFolder(path: path, isMaking: isMaking) } catch {
            guard case .readOnly = error, isMaking else { throw error }
            // A complete cache can be read all the same.
            do { return try CacheFolder(path: path, isMaking: false) } catch .missing { throw error }
        }
    }

    /// The files of the folder as it was opened last.
    var files: CacheFiles { opened.withLock { $0 } }

    /// Throws if nothing can be changed.
    func checkWritable() throws(CacheError) {
        if isReadOnly { throw .readOnly(path) }
    }

    /// Throws if nothing is to be stored now.
    func checkStoring() throws(CacheError) {
        if isReadOnly {
            diagnostics.report(.stoppedStoring(.readOnly(path)), once: "read-only")
            throw .readOnly(path)
        }
        try pause.check()
        if let fault = options.fault(.store) { throw fault }
    }

    /// Another process may delete the folder again meanwhile.
    private static let attempts = 3

    /// `work`, retried in the new folder if the old one was missing.
    func inWholeFolder<Result>(_ work: () throws(CacheError) -> Result) throws(CacheError) -> Result {
        for _ in 1..<Self.attempts {
            let files = files
            do { return try work() } catch {
                guard case .missing = error, try reopen(files) else { throw error }
            }
        }
        return try work()
    }

    /// Completes an incomplete folder. A deleted folder stays deleted until the next store or query: the last flush of
    /// a program must not restore what the user deleted.
    func makeWhole() {
        let files = files
        switch files.folder.presence {
        case .whole: break
        case .incomplete: if !rows.isStopped { _ = try? reopen(files) }
        case .gone:
            // They concern files that no longer exist.
            _ = rows.take()
            files.journal.forget()
        }
    }

    /// Opens the folder in place of `old`, and creates what is missing there. False if that does not help.
    private func reopen(_ old: CacheFiles) throws(CacheError) -> Bool {
        guard options.isMaking, !isReadOnly else { return false }
        let new: CacheFiles?
        do throws(CacheError) {
            new = try reopening.withLock { _ throws(CacheError) in try open(inPlaceOf: old) }
        } catch {
            pause.begin(error)
            throw error
        }
        // Whole again, or another thread was faster.
        guard let new else { return files !== old }
        old.index.close()
        // The new journal does not have to settle the keys of the old one. If its file is left, it is settled like
        // that of a dead process.
        rows.forgetAnnouncements()
        old.journal.forget()
        // The rest of an index need not agree with other folders of files.
        if !new.folder.hasFiles(of: old.folder) {
            _ = try? new.index.rebuild(reason: new.folder.isNew ? Index.missing : "out of date")
        }
        return true
    }

    /// Nil if there is nothing to do.
    private func open(inPlaceOf old: CacheFiles) throws(CacheError) -> CacheFiles? {
        if files !== old || old.folder.presence == .whole { return nil }
        let folder = try CacheFolder(path: path, isMaking: true)
        let new = CacheFiles(
            folder, isReadOnly: false, options: options, diagnostics: diagnostics, pause: pause)
        opened.withLock { $0 = new }
        return new
    }
}

/// Changing a key's file: the journal names the key before, its row follows after.
extension Storage {
    /// `work` changes the key's file, without needing disk space, between the journal and the row.
    @discardableResult
    func change<Result>(
        _ key: CacheKey, reason: RemovalRecord.Reason? = nil, kind: RowChange.Kind = .entry, work: () throws -> Result
    ) throws(CacheError) -> Result {
        let isAnnounced = try files.journal.announceIfRoom([key]) != nil
        return try noting(key, unknown: RowChange(kind: kind, reason: reason, announced: isAnnounced ? 1 : 0)) {
            change in
            (try work(), change)
        }
    }

    /// `work` gives the file in `tmp/` with these bytes the key's name; false if another file has it.
    func write(
        _ bytes: [UInt8], of key: CacheKey, change: RowChange,
        work: (_ name: String, _ files: CacheFiles) throws(Errno) -> Bool
    ) throws(CacheError) -> Bool {
        let files = files
        // A store needs room anyway: without room for the journal it fails before it has touched a file.
        let session = try files.journal.announce([key])
        return try noting(key, unknown: RowChange(kind: change.kind)) { unknown in
            let (name, temporary) = (session.newName(), files.folder.temporary)
            do {
                var change = change
                change.file = try temporary.write(bytes, to: name)
                if try work(name, files) { return (true, change) }
                try? temporary.remove(name)
                return (false, unknown)
            } catch {
                try? temporary.remove(name)
                throw error
            }
        }
    }

    /// `unknown`: recorded if `work` fails. The row must agree with whatever file is there then.
    private func noting<Result>(
        _ key: CacheKey, unknown: RowChange, work: (RowChange) throws -> (Result, RowChange)
    ) throws(CacheError) -> Result {
        do {
            let (result, change) = try work(unknown)
            rows.note([key: change])
            return result
        } catch {
            rows.note([key: RowChange(kind: unknown.kind, announced: unknown.announced)])
            throw CacheError(error, at: path)
        }
    }
}

extension Folder {
    /// A new file.
    fileprivate func write(_ bytes: [UInt8], to name: String) throws -> FileStatus {
        let file = try open(name, flags: O_WRONLY | O_CREAT | O_EXCL)
        return try file.closeAfter {
            _ = try file.writeAll(bytes)
            return try FileStatus(file)
        }
    }
}
