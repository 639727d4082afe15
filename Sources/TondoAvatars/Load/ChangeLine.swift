internal import Dispatch
internal import Synchronization

/// Coalesces changes of a book for the thread that reads it: all changes during one reading are delivered as one, so
/// that no backlog builds up. Usable from any thread.
final class ChangeLine: Sendable {
    typealias Tell = @Sendable (BookWatch.Change) -> Void

    private struct State {
        var tell: Tell?
        var pending: BookWatch.Change?
        var isPaused = false
    }

    private let reader: DispatchQueue
    private let state = Mutex(State())

    /// `reader`: a serial queue.
    init(_ reader: DispatchQueue) { self.reader = reader }

    /// Earlier changes are kept for the first closure set here: the reader may be idle long before. Nil: nothing is
    /// delivered any more.
    func use(_ tell: Tell?) {
        let isKept = state.withLock { state in
            state.tell = tell
            return tell != nil && state.pending != nil
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

    func take(_ change: BookWatch.Change) {
        let isFirst = state.withLock { state in
            defer { state.pending = state.pending?.merged(with: change) ?? change }
            return state.pending == nil && !state.isPaused
        }
        if isFirst { deliver() }
    }

    private func deliver() {
        reader.async { [self] in
            let (tell, change) = state.withLock { state in
                state.isPaused || state.tell == nil ? (nil, nil) : (state.tell, state.pending.take())
            }
            if let change { tell?(change) }
        }
    }
}

extension BookWatch.Change {
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
