internal import DequeModule
internal import Dispatch

/// A few Dispatch threads for blocking work, first in, first out: it takes no threads from the rest of the process, and
/// does not wait for them. Usable from any thread; never blocks.
package final class BlockingThreads: Sendable {
    /// Called once, on one of the threads, which it may block.
    package typealias Work = @Sendable () -> Void

    private struct State {
        var waiting = Deque<Work>()
        var idle: [DispatchQueue]
    }

    private let state: Locked<State>

    /// `count`: the number of threads.
    package init(count: Int, label: String) {
        // Serial queues get a thread each, even while others block theirs.
        state = Locked(State(idle: (0..<max(count, 1)).map { DispatchQueue(label: "\(label)-\($0)") }))
    }

    /// Starts the work, or queues it behind all earlier work. The queue has no limit of its own: the caller bounds it.
    package func run(_ work: @escaping Work) {
        let thread = state.withLock { state in
            if state.idle.isEmpty { state.waiting.append(work) }
            return state.idle.popLast()
        }
        thread?.async { self.run(work, on: thread) }
    }

    private func run(_ first: Work, on thread: DispatchQueue?) {
        first()
        while let work = next(for: thread) { work() }
    }

    private func next(for thread: DispatchQueue?) -> Work? {
        state.withLock { state in
            if let work = state.waiting.popFirst() { return work }
            if let thread { state.idle.append(thread) }
            return nil
        }
    }
}
