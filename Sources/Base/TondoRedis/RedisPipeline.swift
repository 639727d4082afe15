internal import Dispatch
internal import Glibc
internal import Synchronization

/// Commands of many callers on one connection of its own, behind the breaker of a pool: what comes while others wait for
/// their replies is sent at once, and one thread serves all. It costs a fraction of a call that blocks a thread of its own.
/// Usable from any thread; never blocks. Connects with the first command, and disconnects after a second without one.
package final class RedisPipeline: Sendable {
    /// A command, and what gets its reply, on the thread of the pipeline: it must not block. After an error all commands
    /// without a reply end at once, with that error, so that none waits longer than the time of the pool's options.
    package struct Call: Sendable {
        /// Called once. An error of the server is a value here, and no failure.
        package typealias Completion = @Sendable (Result<RedisValue, RedisError>) -> Void

        let command: RedisCommand
        let completion: Completion

        package init(command: RedisCommand, completion: @escaping Completion) {
            self.command = command
            self.completion = completion
        }
    }

    /// Makes a call on the thread of the pipeline; nil: there is nothing to ask. It must not wait for others.
    package typealias Work = @Sendable () -> Call?

    fileprivate struct State {
        var waiting: [Work] = []
        /// Accepted, and not ended.
        var open = 0
        var isRunning = false
        /// The thread sleeps until a byte comes through `wakeup`.
        var isAsleep = false
    }

    private enum Step { case refuse, nothing, start, wake }

    private let pool: RedisPool
    private let depth: Int
    private let wakeup: Wakeup
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tondo.redis.pipeline")

    /// `depth`: calls that may be open. Nil: the process has no descriptors left.
    package init?(pool: RedisPool, depth: Int = 1_024) {
        guard let wakeup = Wakeup() else { return nil }
        self.pool = pool
        self.depth = depth
        self.wakeup = wakeup
    }

    /// False: too many are open; `work` is not called then.
    package func submit(_ work: @escaping Work) -> Bool {
        let step = state.withLock { state -> Step in
            guard state.open < depth else { return .refuse }
            state.open += 1
            state.waiting.append(work)
            if !state.isRunning {
                state.isRunning = true
                return .start
            }
            // One byte wakes the thread, however many calls come before it has read it.
            defer { state.isAsleep = false }
            return state.isAsleep ? .wake : .nothing
        }
        switch step {
        case .refuse: return false
        case .nothing: break
        case .start: queue.async { self.run() }
        case .wake: wakeup.send()
        }
        return true
    }

    private func run() {
        let exchange = RedisExchange(pool: pool)
        while true {
            let begun = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            let ended = exchange.begin(begun)
            state.withLock { $0.open -= ended }
            // While there is always more work, what has come for the calls is looked at after each round of it.
            let maySleep = state.withLock { $0.sleeps() }
            if !maySleep, exchange.isIdle { continue }
            let awakening = exchange.wait(or: wakeup.output, atMost: maySleep ? .seconds(1) : .zero)
            if awakening.isCalled {
                wakeup.clear()
                // On one processor, the caller has more commands in most cases.
                sched_yield()
            }
            if awakening.isReady {
                let answered = exchange.receive()
                state.withLock {
                    $0.isAsleep = false
                    $0.open = $0.open - answered
                }
            } else if state.withLock({ $0.ends(maySleep && !awakening.isCalled && exchange.isIdle) }) {
                return
            }
        }
    }
}

extension RedisPipeline.State {
    /// False: there is something to begin.
    fileprivate mutating func sleeps() -> Bool {
        isAsleep = waiting.isEmpty
        return isAsleep
    }

    /// True: the thread has to end. `isIdle`: it slept long enough.
    fileprivate mutating func ends(_ isIdle: Bool) -> Bool {
        isAsleep = false
        isRunning = !isIdle || !waiting.isEmpty
        return !isRunning
    }
}
