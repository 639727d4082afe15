internal import DequeModule
internal import Dispatch
internal import Synchronization

/// Passes events from a thread, which blocks while too many are pending, to one task.
final class EventChannel: Sendable {
    private struct State {
        var events = Deque<LoaderEvent>()
        var waiter: CheckedContinuation<Void, Never>?
        var end: Result<Void, LoadError>?
        var isFullFor: DispatchSemaphore?
    }

    private let state = Mutex(State())
    private let limit = 256

    /// Blocks while the subscriber is behind. Nil: the end.
    func push(_ event: LoaderEvent?) {
        guard let event else { return finish(.success(())) }
        let (waiter, full) = state.withLock { state -> (CheckedContinuation<Void, Never>?, DispatchSemaphore?) in
            if state.end != nil { return (nil, nil) }
            state.events.append(event)
            let full = state.events.count >= limit ? DispatchSemaphore(value: 0) : nil
            state.isFullFor = full
            return (state.waiter.take(), full)
        }
        waiter?.resume()
        full?.wait()
    }

    func fail(_ error: LoadError) { finish(.failure(error)) }

    /// The subscriber has ended.
    func close() { finish(.success(())) }

    private func finish(_ end: Result<Void, LoadError>) {
        let (waiter, full) = state.withLock { state in
            if state.end == nil { state.end = end }
            return (state.waiter.take(), state.isFullFor.take())
        }
        waiter?.resume()
        full?.signal()
    }

    /// Nil at the end. For one task.
    func next() async throws(LoadError) -> LoaderEvent? {
        while true {
            if let received = take() { return try received.get() }
            await wait()
        }
    }

    /// Nil: nothing is there yet.
    private func take() -> Result<LoaderEvent?, LoadError>? {
        let (received, full) = state.withLock { state -> (Result<LoaderEvent?, LoadError>?, DispatchSemaphore?) in
            guard let event = state.events.popFirst() else {
                return (state.end?.map { nil }, state.isFullFor.take())
            }
            return (.success(event), state.events.count < limit / 2 ? state.isFullFor.take() : nil)
        }
        full?.signal()
        return received
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if !state.events.isEmpty || state.end != nil { return true }
                    state.waiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            close()
        }
    }
}
