internal import Dispatch
internal import Synchronization
internal import SystemPackage

/// Finds changes in a folder, or of one file, by looking at all files now and then: for where the kernel permits no more watches.
/// Reports what `FolderWatcher` does, later, and new and removed files as changed ones.
package final class FolderPoll: Sendable {
    private let path: FilePath
    private let ignored: FolderWatcher.Ignored
    private let interval: Int
    private let event: @Sendable (FolderWatcher.Event) -> Void
    private let queue = DispatchQueue(label: "tondo.files.poll")
    private let state = Mutex(State())

    private struct State {
        /// Nil until the first look.
        var known: [RelativePath: FileStatus]?
        /// See `FolderWatcher.include`.
        var included: Set<RelativePath> = []
    }

    /// Looks at nothing yet. `ignored`: as for a watcher; `interval`: milliseconds.
    package init(
        _ path: String, ignored: FolderWatcher.Ignored = .init(), interval: Int = 5_000,
        event: @escaping @Sendable (FolderWatcher.Event) -> Void
    ) {
        self.path = FilePath(path)
        self.ignored = ignored
        self.interval = interval
        self.event = event
    }

    /// Once this returns, no change is missed, as long as the poll lives. Blocks while it lists all folders. False: it had begun before.
    @discardableResult
    package func begin() -> Bool {
        guard state.withLock({ $0.known == nil }) else { return false }
        compare()
        return true
    }

    /// As a watcher does, also before the beginning. `old`: nil for all of an earlier call.
    package func include(_ new: Set<String>, excluding old: Set<String>? = nil) {
        state.withLock { state in
            state.included = old.map { state.included.subtracting($0.map { RelativePath($0) }) } ?? []
            state.included.formUnion(new.map { RelativePath($0) })
        }
    }

    private func compare() {
        let now = look()
        let before = state.withLock { state in
            defer { state.known = now }
            return state.known ?? now
        }
        let changed = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.map(\.bytes)
        let names = Set(changed.map { String(decoding: $0, as: UTF8.self) })
        if !names.isEmpty { event(.changed(FolderChanges(changed: names))) }
        queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in self?.compare() }
    }

    /// Links count as what they lead to.
    private func look() -> [RelativePath: FileStatus] {
        guard let real = path.real, let status = FileStatus(real) else { return [:] }
        let isFolder = status.kind == .folder
        let root = (isFolder ? real : real.removingLastComponent()).bytes + [UInt8(ascii: "/")]
        var found = isFolder ? files(below: root) : [RelativePath(real.lastComponent?.string ?? ""): status]
        for file in state.withLock(\.included) where found[file] == nil { found[file] = Self.status(root + file.bytes) }
        return found
    }

    private func files(below root: [UInt8]) -> [RelativePath: FileStatus] {
        var found: [RelativePath: FileStatus] = [:]
        var folders: [RelativePath] = [""]
        while let folder = folders.popLast() {
            let entries = try? FolderEntries.list((root + folder.bytes + [0]).map { CChar(bitPattern: $0) })
            for entry in entries ?? [] where !ignored.contains(entry.name) {
                let path = folder.appending(entry.name)
                if entry.isFolder { folders.append(path) } else { found[path] = Self.status(root + path.bytes) }
            }
        }
        return found
    }

    private static func status(_ path: [UInt8]) -> FileStatus? {
        FileStatus(FilePath(platformString: (path + [0]).map { CChar(bitPattern: $0) }))
    }
}
