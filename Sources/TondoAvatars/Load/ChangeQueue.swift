internal import Dispatch
internal import Synchronization

/// Coalesces changes of a book for the thread that reads it: all changes during one reading are delivered as one, so
/// that no backlog builds up. Usable from any thread.
final class ChangeQueue: Sendable {
    typealias Handler = @Sendable (BookChangeFeed.Change) -> Void

    private struct State {
        var handler: Handler?
        var pending: BookChangeFeed.Change?
        var isPaused = false
    }

    private let reader: DispatchQueue
    private let state = Mutex(State())

    /// `reader`: a serial queue.
    init(_ reader: DispatchQueue) { self.reader = reader }

    /// Earlier changes are kept for the first closure set here: the reader may be idle long before. Nil: nothing is
    /// delivered any more.
    func use(_ handler: Handler?) {
        let isKept = state.withLock { state in
            state.handler = handler
            return handler != nil && state.pending != nil
        }
        if isKept { deliver() }
    }

    /// Merges further changes into one until `resume`.
    func pause() { state.withLock { $0.isPaused = true } }

    func resume() {
        let isKept = state.withLock { state in
            state.isPaused = false
            return state.pending != nil
        }
        if isKept { deliver() }
    }

    func take(_ change: BookChangeFeed.Change) {
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
    /// This change and the next one as one.
    func merged(with next: Self) -> Self {
        switch (self, next) {
        case (.exchanged, _), (_, .exchanged): .exchanged
        case (.ended, _), (_, .ended): .ended
        case (.everything, _), (_, .everything): .everything
        case (.files(let files), .files(let more)): .files(files.union(more))
        }
    }
}
