internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoJobs

/// Watches a book's folder, or its one file. What happens before anybody listens is kept.
final class BookWatch: Sendable {
    /// What is to be looked at again.
    enum Change: Sendable {
        /// Paths below the book's folder.
        case files(Set<String>)
        case everything
        /// The book is gone; nothing follows.
        case ended
    }

    private let watcher: FolderWatcher
    private let listener: Listener

    private final class Listener: Sendable {
        let reader: DispatchQueue
        let tell = Mutex<(@Sendable (Change) -> Void)?>(nil)

        init(_ reader: DispatchQueue) { self.reader = reader }
    }

    /// When this returns, nothing is missed any more. `reader`: a serial queue; changes are told on it, once it has done
    /// what it had to do before.
    init(_ path: FilePath, reader: DispatchQueue) throws {
        let listener = Listener(reader)
        var options = FolderWatcher.Options()
        // Writers of address books rename whole files into place: there is little to wait for.
        options.settle = .milliseconds(50)
        options.ignored = .init(hidden: true, suffixes: [".tmp"])
        watcher = try FolderWatcher(path.string, options) { event in
            let change = Change(event)
            listener.reader.async { listener.tell.withLock { $0 }?(change) }
        }
        self.listener = listener
    }

    /// To be called on the reader's queue.
    func begin(_ tell: @escaping @Sendable (Change) -> Void) { listener.tell.withLock { $0 = tell } }

    func close() {
        watcher.close()
        listener.tell.withLock { $0 = nil }
    }
}

extension BookWatch.Change {
    fileprivate init(_ event: FolderWatcher.Event) {
        switch event {
        case .changed(let changes): self = .files(changes.added.union(changes.changed).union(changes.removed))
        case .rescanNeeded: self = .everything
        case .ended: self = .ended
        }
    }
}
