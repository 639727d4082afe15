internal import Dispatch
internal import SystemPackage
internal import TondoJobs

/// Watches a book's folder, or its one file. What happens before anybody listens, or while it looks at what happened
/// before, is kept as one change: a book that changes faster than it is read leaves nothing behind but that.
final class BookWatch: Sendable {
    /// What is to be looked at again.
    enum Change: Equatable, Sendable {
        /// Paths below the book's folder.
        case files(Set<String>)
        case everything
        /// The book is gone; nothing follows.
        case ended
        /// The book's path leads to another one now; nothing follows.
        case exchanged
    }

    /// Begins to watch a folder or file and gives what ends that. When it returns, nothing is missed any more.
    typealias Source = @Sendable (FilePath, _ tell: @escaping @Sendable (Change) -> Void) throws -> @Sendable () -> Void

    private let end: @Sendable () -> Void
    private let changes: ChangeLine

    /// When this returns, nothing is missed any more. `reader`: a serial queue; changes are told on it, once it has done
    /// what it had to do before.
    init(_ path: FilePath, reader: DispatchQueue, source: Source = BookWatch.watchFolder) throws {
        let changes = ChangeLine(reader)
        end = try source(path) { changes.take($0) }
        self.changes = changes
    }

    static let watchFolder: Source = { path, tell in
        var options = FolderWatcher.Options()
        // Writers of address books rename whole files into place: there is little to wait for.
        options.settle = .milliseconds(50)
        options.ignored = .init(hidden: true, suffixes: [".tmp"])
        let watcher = try FolderWatcher(path.string, options) { tell(Change($0)) }
        return { watcher.close() }
    }

    /// To be called on the reader's queue.
    func begin(_ tell: @escaping @Sendable (Change) -> Void) { changes.use(tell) }

    /// What could not be looked at comes once more, with what else happened meanwhile.
    func take(again change: Change) { changes.take(change) }

    /// Changes are kept until `resume`.
    func pause() { changes.pause() }

    func resume() { changes.resume() }

    func close() {
        end()
        changes.use(nil)
    }
}

extension BookWatch.Change {
    fileprivate init(_ event: FolderWatcher.Event) {
        switch event {
        case .changed(let changes): self = .files(changes.added.union(changes.changed).union(changes.removed))
        case .rescanNeeded: self = .everything
        case .ended(.exchanged): self = .exchanged
        case .ended: self = .ended
        }
    }
}
