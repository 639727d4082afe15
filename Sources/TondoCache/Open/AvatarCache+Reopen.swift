internal import Synchronization
internal import SystemPackage

/// A folder that is deleted while it is used, as a whole or in part, is made again by the next store or question.
extension AvatarCache {
    /// Another process may delete the folder again while it is made.
    private static let attempts = 3

    /// `work`, once more in the folder made again when it was missing.
    func inWholeFolder<Result>(_ work: () throws(CacheError) -> Result) throws(CacheError) -> Result {
        for _ in 1..<Self.attempts {
            let files = files
            do { return try work() } catch {
                guard case .missing = error, try reopen(files) else { throw error }
            }
        }
        return try work()
    }

    /// What a flush finds incomplete is made whole. A folder that is gone stays so until something is stored or asked for:
    /// the last flush of a program must not bring back what a person has deleted.
    func makeWhole() {
        let files = files
        switch files.folder.presence {
        case .whole: break
        case .incomplete: if !state.withLock({ $0.isGone }) { _ = try? reopen(files) }
        case .gone: forgetChanges()
        }
    }

    /// Opens the folder in place of `files`, and makes what is missing there. False when that is of no use.
    private func reopen(_ old: CacheFiles) throws(CacheError) -> Bool {
        guard options.isMaking, !isReadOnly else { return false }
        let result = reopening.withLock { _ in Result { () throws(CacheError) in try open(inPlaceOf: old) } }
        do {
            let (isOther, new) = try result.get()
            guard let new else { return isOther }
            old.index.close()
            forgetJournal()
            // What is left of the index need not agree with other folders of files.
            if !new.folder.hasFiles(of: old.folder) {
                _ = try? new.index.rebuild(reason: new.folder.isNew ? Index.missing : "out of date")
            }
            return true
        } catch {
            pause(error)
            throw error
        }
    }

    /// Gives what was opened now, if anything; `isOther`: there is something else than `old` to work with.
    private func open(inPlaceOf old: CacheFiles) throws(CacheError) -> (isOther: Bool, new: CacheFiles?) {
        // Another thread was faster.
        if files !== old { return (true, nil) }
        if old.folder.presence == .whole { return (false, nil) }
        let new = CacheFiles(
            try CacheFolder(path, isMaking: true), isReadOnly: false, busyTimeout: options.busyTimeout, teller: teller)
        replaceFiles(new)
        return (true, new)
    }

    /// They were about files that are no longer there.
    private func forgetChanges() {
        state.withLock { _ = $0.takeBatch() }
        forgetJournal()
    }

    /// What was announced in the old one need not be settled there. If its file is left, it is settled like that of a
    /// process that is gone.
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
        /// It is there, but something that belongs in it was deleted or replaced.
        case incomplete
        case gone
    }

    /// Whether the folder that was opened still is one, wherever it was moved.
    var presence: Presence {
        if let state = try? FileState(FileDescriptor(rawValue: root.descriptor)), state.links == 0 { return .gone }
        let parts = [("objects", objects), ("failures", failures), ("tmp", temporary)]
        let isWhole = parts.allSatisfy { name, part in stands(name, FileIdentity(part.descriptor)) }
        guard isWhole, stands("VERSION", indexLock.identity), (try? root.status("CACHEDIR.TAG")) != nil else {
            return .incomplete
        }
        return .whole
    }

    /// Whether both hold the same entries and failures.
    func hasFiles(of other: CacheFolder) -> Bool {
        [(objects, other.objects), (failures, other.failures)].allSatisfy {
            FileIdentity($0.descriptor) == FileIdentity($1.descriptor)
        }
    }

    private func stands(_ name: String, _ identity: FileIdentity?) -> Bool {
        guard let state = try? root.status(name) else { return false }
        return FileIdentity(state) == identity
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Hashable {
    var device: UInt64
    var inode: UInt64

    init(_ state: FileState) { (device, inode) = (state.device, state.inode) }

    /// Nil when the descriptor is none.
    init?(_ descriptor: Int32) {
        guard let state = try? FileState(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.init(state)
    }
}
