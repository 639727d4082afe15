import Synchronization

@testable import TondoAvatars

/// Time that passes when a test says so.
final class ManualTime: Sendable {
    typealias Body = @Sendable () -> Void

    private struct State {
        var timers: [(delay: Duration, body: Body)] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func add(_ delay: Duration, _ body: @escaping Body) {
        let waiting = state.withLock { state in
            state.timers.append((delay, body))
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Until a timer is set.
    func waitForOne() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.timers.isEmpty { return true }
                state.waiting.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends the wait of the first who waits, or will. Gives how long that would have been.
    func passNext() async -> Duration {
        while true {
            if let timer = state.withLock({ $0.timers.isEmpty ? nil : $0.timers.removeFirst() }) {
                timer.body()
                return timer.delay
            }
            await waitForOne()
        }
    }
}

/// A watcher that reports what a test says.
final class ManualWatch: Sendable {
    private let handlers = Mutex<[Int: @Sendable (BookChangeFeed.Change) -> Void]>([:])

    var source: BookChangeFeed.Source {
        { [self] _, send in
            let number = handlers.withLock { handlers in
                let number = (handlers.keys.max() ?? 0) + 1
                handlers[number] = send
                return number
            }
            return BookChangeFeed.Watch { [self] in handlers.withLock { $0[number] = nil } }
        }
    }

    func send(_ change: BookChangeFeed.Change) {
        let recorded = handlers.withLock { handlers in
            // Nothing follows the end.
            defer { if change == .ended { handlers = [:] } }
            return Array(handlers.values)
        }
        for send in recorded { send(change) }
    }
}
