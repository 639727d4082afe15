internal import Dispatch
internal import Synchronization

/// A bounded number of connections to one Redis, behind a breaker. Usable from any thread that may block; never on an event
/// loop. Makes no connection before the first command.
package final class RedisPool: Sendable {
    package typealias Deadline = ContinuousClock.Instant

    /// The size of a pool and the time of its calls, read once, by its initialiser.
    package struct Options: Sendable {
        /// Connections in use at once, and kept.
        package var connections = 8
        /// The time of a whole call: waiting for a connection, connecting, and the commands.
        package var time = Duration.milliseconds(50)
        /// After how many errors calls are suspended, and for how long.
        package var breaker = Breaker.Options()
        /// Called on the thread of the call that opened the breaker (with its error) or closed it (nil).
        package var onChange: @Sendable (RedisError?) -> Void = { _ in }

        package init() {}
    }

    /// Totals since the pool was made.
    package struct Counters: Sendable, Equatable {
        /// Calls of the pool, suspended ones included; a group sent at once is one. Each call of a pipeline counts,
        /// too.
        package var calls = 0
        /// By the code of the error; those of an open breaker are `suspended`.
        package var errors: [String: Int] = [:]
        /// Connections made by the pool, and by the pipelines and subscribers on it.
        package var connects = 0

        package init() {}
    }

    private struct State {
        var idle: [RedisConnection] = []
        var breaker: Breaker
        var counters = Counters()
    }

    package let address: RedisAddress
    private let options: Options
    private let room: DispatchSemaphore
    private let state: Mutex<State>

    /// Does not connect: the first command does.
    package init(address: RedisAddress, options: Options = Options()) {
        self.address = address
        self.options = options
        room = DispatchSemaphore(value: options.connections)
        state = Mutex(State(breaker: Breaker(options.breaker)))
    }

    package var counters: Counters { state.withLock { $0.counters } }

    /// The state of the breaker that all users of this pool share.
    package var breaker: Breaker.State { state.withLock { $0.breaker.state } }

    /// Sends one command. `time`: nil for that of the options. Blocks for so long at most.
    package func call(_ command: RedisCommand, within time: Duration? = nil) throws(RedisError) -> RedisValue {
        try run(within: time) { connection, deadline throws(RedisError) in try connection.call(command, by: deadline) }
    }

    /// Sends commands at once; errors of the server are among the replies.
    package func send(_ commands: [RedisCommand], within time: Duration? = nil) throws(RedisError) -> [RedisValue] {
        try run(within: time) { connection, deadline throws(RedisError) in try connection.send(commands, by: deadline) }
    }

    /// Lends a connection to `body`, with the deadline of the call.
    package func run<Result>(
        within time: Duration? = nil, _ body: (RedisConnection, Deadline) throws(RedisError) -> Result
    ) throws(RedisError) -> Result {
        let start = ContinuousClock.now
        guard begin(1, at: start) else { throw .suspended }
        let deadline = start + (time ?? options.time)
        do throws(RedisError) {
            let result = try borrow(by: deadline, body)
            succeeded()
            return result
        } catch {
            failed(error, calls: 1)
            throw error
        }
    }

    /// Closes the connections that are not in use.
    package func closeIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    private func borrow<Result>(
        by deadline: Deadline, _ body: (RedisConnection, Deadline) throws(RedisError) -> Result
    ) throws(RedisError) -> Result {
        let left = max(ContinuousClock.now.duration(to: deadline) / .nanoseconds(1), 0)
        guard room.wait(timeout: .now() + .nanoseconds(Int(left))) == .success else { throw .busy }
        // Runs after the block below, so that the next caller finds the connection among the idle ones.
        defer { room.signal() }
        let connection = state.withLock { $0.idle.popLast() } ?? RedisConnection(to: address)
        let connects = connection.connects
        defer {
            state.withLock { state in
                state.counters.connects += connection.connects - connects
                if connection.isConnected { state.idle.append(connection) }
            }
        }
        return try body(connection, deadline)
    }
}

/// The breaker and the counters, also for connections that the pool does not lend.
extension RedisPool {
    var time: Duration { options.time }

    /// Whether these calls may be made; then `succeeded` or `failed` has to be called. False: they count as suspended.
    func begin(_ calls: Int, at start: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            state.counters.calls += calls
            if state.breaker.admits(at: start) { return true }
            state.counters.errors[RedisError.suspended.code, default: 0] += calls
            return false
        }
    }

    func connected() { state.withLock { $0.counters.connects += 1 } }

    func succeeded() {
        if state.withLock({ $0.breaker.succeeded() }) { options.onChange(nil) }
    }

    /// One error, of so many calls.
    func failed(_ error: RedisError, calls: Int) {
        let (jitter, now) = (Double.random(in: 0..<1), ContinuousClock.now)
        let (didOpen, didClose) = state.withLock { state in
            state.counters.errors[error.code, default: 0] += calls
            switch error {
            case _ where error.isOutage: return (state.breaker.failed(at: now, jitter: jitter), false)
            // It answered.
            case .refused: return (false, state.breaker.succeeded())
            default:
                state.breaker.abandoned()
                return (false, false)
            }
        }
        // Outside of the lock: the handler is code of the caller.
        if didOpen { options.onChange(error) }
        if didClose { options.onChange(nil) }
    }
}
