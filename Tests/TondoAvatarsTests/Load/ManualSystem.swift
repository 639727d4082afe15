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
    private let tellers = Mutex<[Int: @Sendable (BookWatch.Change) -> Void]>([:])

    var source: BookWatch.Source {
        { [self] _, tell in
            let number = tellers.withLock { tellers in
                let number = (tellers.keys.max() ?? 0) + 1
                tellers[number] = tell
                return number
            }
            return { [self] in tellers.withLock { $0[number] = nil } }
        }
    }

    func tell(_ change: BookWatch.Change) {
        let told = tellers.withLock { tellers in
            // Nothing follows the end.
            defer { if change == .ended { tellers = [:] } }
            return Array(tellers.values)
        }
        for tell in told { tell(change) }
    }
}
