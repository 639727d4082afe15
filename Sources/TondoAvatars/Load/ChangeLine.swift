internal import Dispatch
internal import Synchronization

/// Changes of a book on their way to the thread that reads it: whatever comes while that has other things to do is one
/// change, so that nothing piles up. Usable from any thread.
final class ChangeLine: Sendable {
    typealias Tell = @Sendable (BookWatch.Change) -> Void

    private struct State {
        var tell: Tell?
        var pending: BookWatch.Change?
    }

    private let reader: DispatchQueue
    private let state = Mutex(State())

    /// `reader`: a serial queue.
    init(_ reader: DispatchQueue) { self.reader = reader }

    /// Nil: what comes is forgotten.
    func use(_ tell: Tell?) { state.withLock { $0.tell = tell } }

    func take(_ change: BookWatch.Change) {
        let isFirst = state.withLock { state in
            defer { state.pending = state.pending?.merged(with: change) ?? change }
            return state.pending == nil
        }
        guard isFirst else { return }
        reader.async { [self] in
            let (tell, change) = state.withLock { ($0.tell, $0.pending.take()) }
            if let change { tell?(change) }
        }
    }
}

extension BookWatch.Change {
    /// What this and the next come to.
    func merged(with next: Self) -> Self {
        switch (self, next) {
        case (.exchanged, _), (_, .exchanged): .exchanged
        case (.ended, _), (_, .ended): .ended
        case (.everything, _), (_, .everything): .everything
        case (.files(let files), .files(let more)): .files(files.union(more))
        }
    }
}
