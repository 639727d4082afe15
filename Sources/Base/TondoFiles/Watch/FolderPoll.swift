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
    /// Nil until the first look.
    private let known = Mutex<[RelativePath: FileStatus]?>(nil)

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

    /// Once this returns, no change is missed, as long as the poll lives. Blocks while it lists all folders. Again: without effect.
    package func begin() { if known.withLock({ $0 == nil }) { compare() } }

    private func compare() {
        let now = look()
        let before = known.withLock { known in
            defer { known = now }
            return known ?? now
        }
        let changed = Set(now.keys).union(before.keys).filter { now[$0] != before[$0] }.map(\.bytes)
        let names = Set(changed.map { String(decoding: $0, as: UTF8.self) })
        if !names.isEmpty { event(.changed(FolderChanges(changed: names))) }
        queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in self?.compare() }
    }

    /// Links count as what they lead to.
    private func look() -> [RelativePath: FileStatus] {
        guard let real = path.real, let status = FileStatus(real) else { return [:] }
        guard status.kind == .folder else { return [RelativePath(real.lastComponent?.string ?? ""): status] }
        let root = real.bytes + [UInt8(ascii: "/")]
        var found: [RelativePath: FileStatus] = [:]
        var folders: [RelativePath] = [""]
        while let folder = folders.popLast() {
            let entries = try? FolderEntries.list((root + folder.bytes + [0]).map { CChar(bitPattern: $0) })
            for entry in entries ?? [] where !ignored.contains(entry.name) {
                let path = folder.appending(entry.name)
                if entry.isFolder { folders.append(path) }
                let file = (root + path.bytes + [0]).map { CChar(bitPattern: $0) }
                if !entry.isFolder { found[path] = FileStatus(FilePath(platformString: file)) }
            }
        }
        return found
    }
}
