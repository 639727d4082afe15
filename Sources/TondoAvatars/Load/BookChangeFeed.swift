internal import Dispatch
internal import SystemPackage
internal import TondoFiles

/// Watches a book's folder, or its one file. Changes before the reader is ready, or while it is busy, are merged into
/// one: a book that changes faster than it is read causes no backlog.
final class BookChangeFeed: Sendable {
    /// What to scan again.
    enum Change: Equatable, Sendable {
        /// Paths below the book's folder.
        case files(Set<String>)
        case everything
        /// The book no longer exists; nothing follows.
        case ended
        /// The book's path leads to another file or folder now; nothing follows.
        case exchanged
    }

    /// Begins to watch a folder or file and returns the means to end it. Once it returns, no change is missed.
    typealias Source =
        @Sendable (FilePath, _ handler: @escaping @Sendable (Change) -> Void) throws -> @Sendable () -> Void

    private let end: @Sendable () -> Void
    private let changes: ChangeQueue

    /// Once this returns, no change is missed. `reader`: a serial queue; changes are delivered on it, after its earlier
    /// work.
    init(_ path: FilePath, reader: DispatchQueue, source: Source = BookChangeFeed.watchFolder) throws {
        let changes = ChangeQueue(reader)
        end = try source(path) { changes.take($0) }
        self.changes = changes
    }

    static let watchFolder: Source = { path, handler in
        var options = FolderWatcher.Options()
        // Writers of address books rename complete files into place, so a short debounce is enough.
        options.debounceDelay = .milliseconds(50)
        options.ignored = .init(hidden: true, suffixes: [".tmp"])
        let watcher = try FolderWatcher(path.string, options) { handler(Change($0)) }
        return { watcher.close() }
    }

    /// Call on the reader's queue.
    func begin(_ handler: @escaping @Sendable (Change) -> Void) { changes.use(handler) }

    /// Delivers a change again that could not be scanned, merged with later ones.
    func take(again change: Change) { changes.take(change) }

    /// Merges changes until `resume`.
    func pause() { changes.pause() }

    func resume() { changes.resume() }

    func close() {
        end()
        changes.use(nil)
    }
}

extension BookChangeFeed.Change {
    fileprivate init(_ event: FolderWatcher.Event) {
        switch event {
        case .changed(let changes): self = .files(changes.added.union(changes.changed).union(changes.removed))
        case .rescanNeeded: self = .everything
        case .ended(.exchanged): self = .exchanged
        case .ended: self = .ended
        }
    }
}
