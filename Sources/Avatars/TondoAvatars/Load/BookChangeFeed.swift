internal import Dispatch
internal import Synchronization
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
        /// The book no longer exists, or its path leads to another file or folder now; nothing follows. Which of them it is,
        /// the next look at the path decides.
        case ended
    }

    /// Begins to watch a folder or file. Once it returns, no change is missed.
    typealias Source = @Sendable (FilePath, _ handler: @escaping @Sendable (Change) -> Void) throws -> Watch

    /// What a source watches.
    struct Watch: Sendable {
        let end: @Sendable () -> Void
        /// Includes files that the source would ignore, see `FolderWatcher.include`.
        var include: @Sendable (NamedPhotoFiles.Change) -> Void = { _ in }
    }

    typealias Handler = @Sendable (Change) -> Void

    private struct State {
        var handler: Handler?
        var pending: Change?
        var isPaused = false
    }

    private let reader: DispatchQueue
    private let state = Mutex(State())
    private let watch = Mutex<Watch?>(nil)

    /// Once this returns, no change is missed. `reader`: a serial queue; changes are delivered on it, after its earlier
    /// work.
    init(path: FilePath, reader: DispatchQueue, source: Source) throws {
        self.reader = reader
        let watch = try source(path) { [weak self] in self?.take($0) }
        self.watch.withLock { $0 = watch }
    }

    /// `onPolling`: called where changes are looked for instead, now and then.
    static func folders(onPolling: @escaping @Sendable (FilePath) -> Void) -> Source {
        { path, handler in try watch(path, onPolling: onPolling, handler: handler) }
    }

    private static func watch(
        _ path: FilePath, onPolling: @escaping @Sendable (FilePath) -> Void, handler: @escaping Handler
    ) throws -> Watch {
        var options = FolderWatcher.Options()
        // Writers of address books rename complete files into place, so a short debounce is enough.
        options.debounceDelay = .milliseconds(50)
        options.ignored = .init(hidden: true, suffixes: [".tmp"])
        // The kernel permits each user so many watches, of which other programs take their share.
        let poll = FolderPoll(path.string, ignored: options.ignored) { handler(Change($0)) }
        let watcher: FolderWatcher?
        do {
            watcher = try FolderWatcher(path.string, options: options) { event in
                if event == .rescanNeeded(.watchLimit), poll.begin() { onPolling(path) }
                handler(Change(event))
            }
        } catch WatchError.unavailable {
            watcher = nil
            if poll.begin() { onPolling(path) }
        }
        // Nothing is delivered after the end; the poll lives as long as the watch.
        return Watch(
            end: { withExtendedLifetime(poll) { watcher?.close() } },
            include: { include($0, in: watcher, poll: poll) })
    }

    private static func include(_ change: NamedPhotoFiles.Change, in watcher: FolderWatcher?, poll: FolderPoll) {
        switch change {
        case .all(let files):
            watcher?.include(files)
            poll.include(files)
        case .few(let new, let gone):
            watcher?.include(new, excluding: gone)
            poll.include(new, excluding: gone)
        }
    }

    /// Call on the reader's queue. Earlier changes are kept for the first closure set here: the reader may be idle long
    /// before.
    func begin(_ handler: @escaping Handler) { use(handler) }

    /// Reports changes of these files, too: photos that cards name may be hidden.
    func include(_ files: NamedPhotoFiles.Change) { watch.withLock { $0 }?.include(files) }

    func close() {
        watch.withLock { $0.take() }?.end()
        use(nil)
    }

    /// Nil: nothing is delivered any more.
    private func use(_ handler: Handler?) {
        let isKept = state.withLock { state in
            state.handler = handler
            return handler != nil && state.pending != nil
        }
        if isKept { deliver() }
    }

    /// Merges changes into one until `resume`.
    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
        let isKept = state.withLock { state in
            state.isPaused = false
            return state.pending != nil
        }
        if isKept { deliver() }
    }

    /// Also for a change that could not be scanned: it is delivered again, merged with later ones.
    func take(_ change: Change) {
        let isFirst = state.withLock { state in
            defer { state.pending = state.pending?.merged(with: change) ?? change }
            return state.pending == nil && !state.isPaused
        }
        if isFirst { deliver() }
    }

    private func deliver() {
        reader.async { [self] in
            let (handler, change) = state.withLock { state in
                state.isPaused || state.handler == nil ? (nil, nil) : (state.handler, state.pending.take())
            }
            if let change { handler?(change) }
        }
    }
}

extension BookChangeFeed.Change {
    fileprivate init(_ event: FolderWatcher.Event) {
        switch event {
        case .changed(let changes): self = .files(changes.added.union(changes.changed).union(changes.removed))
        case .rescanNeeded: self = .everything
        case .ended: self = .ended
        }
    }

    /// This change and the next one as one.
    func merged(with next: Self) -> Self {
        switch (self, next) {
        case (.ended, _), (_, .ended): .ended
        case (.everything, _), (_, .everything): .everything
        case (.files(let files), .files(let more)): .files(files.union(more))
        }
    }
}
