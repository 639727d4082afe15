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
    private typealias Handler = @Sendable (BookChangeFeed.Change) -> Void

    private let handlers = Mutex<[Int: Handler]>([:])
    private let last = Atomic<Int>(0)
    private let added = Mutex<(@Sendable () -> Void)?>(nil)

    /// `body` is called for each new watch, on the thread that adds it.
    func whenAdded(_ body: @escaping @Sendable () -> Void) { added.withLock { $0 = body } }

    var source: BookChangeFeed.Source {
        { [self] _, send in
            // Never one of before: a watch that is closed late must not close another.
            let number = last.add(1, ordering: .relaxed).newValue
            handlers.withLock { $0[number] = send }
            added.withLock { $0 }?()
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
