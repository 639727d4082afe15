internal import Glibc
internal import Synchronization
internal import SystemPackage
internal import TondoFiles

extension Verifier {
    /// Repairs one problem; returns whether that succeeded.
    func repair(_ problem: Problem) -> Bool {
        do {
            switch (problem.kind, problem.key) {
            case (.damaged, let key?): try entries.removeIfDamaged(key)
            case (.unlisted, let key?), (.missing, let key?), (.differing, let key?):
                // A change of nothing: its row is made to agree with whatever file is there.
                try storage.change(key) {}
            case (.exposed, let key?): try entries.protect(key)
            case (.foreign, let key?): try storage.change(key) { try takeAway(problem.path) }
            case (.foreign, nil): try takeAway(problem.path)
            case (.stray, _): try removeStray(problem.path)
            case (.failure, _): try removeTree(problem.path)
            default: return false
            }
            return true
        } catch { return false }
    }

    /// Moves something out of `objects` and removes it.
    private func takeAway(_ path: FilePath) throws {
        let (parent, last) = try parent(of: path)
        let target = "misplaced-\(TemporaryName.random())"
        try last.withName { last throws(Errno) in
            try parent.rename(last, to: storage.files.folder.temporary, as: target)
        }
        try removeTree(FilePath("tmp").appending(target))
    }

    /// A journal's keys are settled first. It stays if its process is alive after all, and was just being created.
    private func removeStray(_ path: FilePath) throws {
        if path.string.hasSuffix(Session.suffix) { try storage.files.settleAbandoned(storage.options.now) }
        guard let name = path.lastComponent, !isAlive(name.string) else { return }
        do { try removeTree(path) } catch Errno.noSuchFileOrDirectory {}
    }

    private func removeTree(_ path: FilePath) throws {
        let (parent, last) = try parent(of: path)
        try parent.removeTree(last)
    }

    /// The parent folder of a path below the cache's folder, without following links.
    private func parent(of path: FilePath) throws -> (Folder, FilePath.Component) {
        guard let last = path.lastComponent else { throw Errno.invalidArgument }
        var parent = storage.files.folder.root
        for component in path.components.dropLast() {
            parent = try component.withName { name throws(Errno) in try parent.folder(name) }
        }
        return (parent, last)
    }

    /// Files in `tmp` of dead processes.
    func strays() throws(CacheError) -> [Problem] {
        let folder = storage.files.folder
        do {
            // No process builds a new index while this is locked, so that a draft of one is a leftover.
            let lock = try folder.root.open("VERSION", flags: O_RDONLY)
            defer { try? lock.close() }
            try LockKind.shared.take(lock.rawValue)
            return try folder.temporary.names().filter { name in
                // A file that its process renamed or removed meanwhile is not a leftover.
                if isAlive(name.string) { return false }
                return try name.withName { name throws(Errno) in try folder.temporary.status(name) } != nil
            }.map { Problem(kind: .stray, path: FilePath("tmp").appending($0), reason: "left behind") }
        } catch { throw CacheError(error, at: storage.path.appending("tmp")) }
    }

    /// Whether a file in `tmp` belongs to a running process: its journal is locked.
    private func isAlive(_ name: String) -> Bool {
        storage.files.journal.isNamed(name) || storage.files.folder.isAlive(String(name.prefix(16)))
    }
}

extension Folder {
    /// Removes a file, a link, or a folder with its contents. Links are not followed.
    func removeTree(_ name: FilePath.Component) throws(Errno) {
        try name.withName { platform throws(Errno) in
            guard try status(platform)?.kind == .folder else { return try remove(platform) }
            let inner = try folder(platform)
            for child in try inner.names() { try inner.removeTree(child) }
            try removeFolder(platform)
        }
    }
}
