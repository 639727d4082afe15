internal import Synchronization
internal import SystemPackage
internal import TondoFiles

/// A folder that is deleted during use, completely or in part, is created again by the next store or query.
extension AvatarCache {
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
        case .incomplete: if !state.withLock({ $0.isGone }) { _ = try? reopen(files) }
        case .gone: forgetChanges()
        }
    }

    /// Opens the folder in place of `files`, and creates what is missing there. False if that does not help.
    private func reopen(_ old: CacheFiles) throws(CacheError) -> Bool {
        guard options.isMaking, !isReadOnly else { return false }
        let result = reopening.withLock { _ in Result { () throws(CacheError) in try open(inPlaceOf: old) } }
        do {
            let (isOther, new) = try result.get()
            guard let new else { return isOther }
            old.index.close()
            forgetJournal()
            // The rest of an index need not agree with other folders of files.
            if !new.folder.hasFiles(of: old.folder) {
                _ = try? new.index.rebuild(reason: new.folder.isNew ? Index.missing : "out of date")
            }
            return true
        } catch {
            pause(error)
            throw error
        }
    }

    /// Returns the opened files, if any; `isOther`: they differ from `old`.
    private func open(inPlaceOf old: CacheFiles) throws(CacheError) -> (isOther: Bool, new: CacheFiles?) {
        // Another thread was faster.
        if files !== old { return (true, nil) }
        if old.folder.presence == .whole { return (false, nil) }
        let new = CacheFiles(
            try CacheFolder(path, isMaking: true), isReadOnly: false, busyTimeout: options.busyTimeout,
            diagnostics: diagnostics)
        replaceFiles(new)
        return (true, new)
    }

    /// They concern files that no longer exist.
    private func forgetChanges() {
        state.withLock { _ = $0.takeBatch() }
        forgetJournal()
    }

    /// Keys announced in the old journal need not be settled here. If its file is left, it is settled like that of a
    /// dead process.
    private func forgetJournal() {
        let session = state.withLock { state in
            for key in state.changes.keys { state.changes[key]?.announced = 0 }
            defer { state.session = nil }
            return state.session
        }
        withExtendedLifetime(session) {}
    }
}

extension CacheFolder {
    enum Presence {
        case whole
        /// The folder exists, but a part of it was deleted or replaced.
        case incomplete
        case gone
    }

    /// Whether the open folder still exists, under any name.
    var presence: Presence {
        if (try? root.status())?.links == 0 { return .gone }
        let parts = [("objects", objects), ("failures", failures), ("tmp", temporary)]
        let isWhole = parts.allSatisfy { name, part in stands(name, part.identity) }
        guard isWhole, stands("VERSION", indexLock.identity), (try? root.status("CACHEDIR.TAG")) != nil else {
            return .incomplete
        }
        return .whole
    }

    /// Whether both have the same entries and negative entries.
    func hasFiles(of other: CacheFolder) -> Bool {
        [(objects, other.objects), (failures, other.failures)].allSatisfy {
            $0.identity == $1.identity
        }
    }

    private func stands(_ name: String, _ identity: FileIdentity?) -> Bool {
        guard let state = try? root.status(name) else { return false }
        return state.identity == identity
    }
}
