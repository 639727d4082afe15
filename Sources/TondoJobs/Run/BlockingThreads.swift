internal import Dispatch

/// A few Dispatch threads for blocking work, first in, first out: it takes no threads from the rest of the process, and
/// does not wait for them. Usable from any thread; never blocks.
package final class BlockingThreads: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        private var waiting: [Work?] = []
        /// The index of the first queued work.
        private var head = 0
        var idle: [DispatchQueue]

        init(idle: [DispatchQueue]) { self.idle = idle }

        mutating func add(_ work: @escaping Work) { waiting.append(work) }

        mutating func takeFirst() -> Work? {
            guard head < waiting.count else { return nil }
            defer {
                head += 1
                // So that each element is moved once, on average.
                if 2 * head >= waiting.count {
                    waiting.removeFirst(head)
                    head = 0
                }
            }
            return waiting[head].take()
        }
    }

    private let state: Locked<State>

    /// `count`: the number of threads.
    package init(_ count: Int, label: String) {
        // Serial queues get a thread each, even while others block theirs.
        state = Locked(State(idle: (0..<max(count, 1)).map { DispatchQueue(label: "\(label)-\($0)") }))
    }

    package func run(_ work: @escaping Work) {
        let thread = state.withLock { state in
            if state.idle.isEmpty { state.add(work) }
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
            if let work = state.takeFirst() { return work }
            if let thread { state.idle.append(thread) }
            return nil
        }
    }
}
