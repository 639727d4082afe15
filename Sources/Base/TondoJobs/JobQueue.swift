internal import Dispatch

/// Runs blocking work on a bounded number of Dispatch threads, never on Swift's cooperative pool, which it would
/// starve.
///
/// The most urgent job runs first, and among equally urgent ones the first submitted; a job that has been queued for
/// long gets its turn among more urgent ones, so that none starves. Requests with the same key share one job and its
/// value: a more urgent request raises the job, and the work is that of the first request. A cancelled request does not
/// affect the others; when the last one is cancelled, a queued job is removed, and the `JobContext` of a running one
/// reports it.
///
/// Work that exceeds its time limit ends with `timedOut` for its waiters, sees that in its context, and keeps its
/// worker until it returns; up to `spares` further workers replace such workers. A new request with the key of
/// abandoned work makes a new job.
///
/// Usable from any thread; never blocks the caller. Completions are called once each, outside every lock: on the worker
/// that ran the work, on the thread that cancelled, or on a thread of the queue. A completion must not block, because
/// it holds up its worker. It submits further work instead; a submission that has to wait for room calls back. When a
/// queue is released, its workers finish the jobs they find, then the remaining jobs are cancelled.
///
/// ```swift
/// let queue = JobQueue<String, Int>()
/// let request = JobQueue<String, Int>.Request(key: "ada") { _ in 6 * 7 }
/// let subscription = try queue.submit(request) { result in print(result) }
/// subscription.raise(to: .visible)
/// ```
package final class JobQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The limits of one queue, read once, by its initialiser. A number below its minimum counts as the minimum.
    package struct Options: Sendable {
        /// The number of jobs that run in parallel; by default one per processor.
        package var workers = Processors.available
        /// Workers that may replace those whose work is out of time.
        package var spares = 2
        /// The maximum number of queued jobs, beyond which `submit` is refused.
        package var depth = 10_000
        /// `submit` is also refused if a job would probably be queued longer than this allows behind equally urgent
        /// jobs, judged by the durations of the last jobs; and a job that is queued longer is refused when its turn
        /// comes. Requests that wait for room are never refused, and a few jobs per worker may be queued in any case.
        /// Nil: no limit.
        package var wait: QueueTimeout?
        /// A job that has not started after this time is refused even if its turn does not come, because the running
        /// jobs hang, as on a file server that does not respond. Requests that wait for room are never refused.
        package var longestWait: Duration?
        /// Requests that wait for room are admitted while fewer jobs than this are queued, which leaves the rest of the
        /// depth to requests that cannot wait.
        package var room = 256
        /// Jobs of each kind that run at once, by `Request.kind`; nil, and of further kinds: any number. A job whose kind has
        /// reached its limit stays queued, with all that follows from that, and holds up no job of another kind.
        package var kinds: [Int?] = []
        /// The age at which a queued job gets precedence: every fourth start is the oldest such job.
        package var ageing = Duration.seconds(5)
        /// Monotonic nanoseconds; replaced in tests.
        package var now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

        package init() {}
    }

    /// Asks for one value. A request joins the queued or running job with its key, or makes one.
    package struct Request: Sendable {
        /// Requests with equal keys share one job, so the key must hold everything that the value depends on.
        package var key: Key
        /// A request that joins a job raises it to this priority, and never lowers it.
        package var priority = JobPriority.background
        /// Which of `Options.kinds` limits it.
        package var kind = 0
        /// The time limit of the work from its first start, retries included; nil: no limit.
        package var limit: Duration?
        /// Applies only to a job that this request makes, as `limit`, `kind` and `work` do.
        package var retry = JobRetry.never
        /// Runs on a Dispatch thread and may block it.
        package var work: @Sendable (JobContext) throws -> Value

        package init(key: Key, work: @escaping @Sendable (JobContext) throws -> Value) {
            self.key = key
            self.work = work
        }
    }

    /// Called once, outside every lock, with the value or the reason for its absence. It must not block.
    package typealias Completion = @Sendable (Result<Value, JobError>) -> Void

    let core: QueueCore

    /// Starts no thread: a worker gets one when there is a job for it.
    package init(_ options: Options = Options()) {
        // Without a worker, depth or room a queue would never run a job.
        let rules = Schedule.Rules(
            workers: max(options.workers, 1), spares: max(options.spares, 0), depth: max(options.depth, 1),
            wait: options.wait, longestWait: options.longestWait?.inNanoseconds, room: max(options.room, 1),
            kinds: options.kinds.map { $0.map { max($0, 1) } }, ageing: options.ageing.inNanoseconds)
        core = QueueCore(rules: rules, now: options.now)
    }

    /// The state and the history of the queue.
    package var counters: JobCounters { core.counters }

    /// The time for which jobs have been queued while no job ended, beyond the time limits of running work. Zero while
    /// jobs end, or none is queued, or the queue is paused: a growing time means that the workers are stuck.
    package var standstill: Duration { .nanoseconds(Int64(clamping: core.standstill)) }

    /// Throws `queueFull` or `closed` at once if the request is refused; the completion is not called then. The
    /// completion may get `queueFull` later, see `wait`.
    @discardableResult
    package func submit(
        _ request: Request, completion: @escaping Completion
    ) throws(JobError) -> JobSubscription {
        try core.submit(TypedRequest(request: request, completion: completion)).get()
    }

    /// Submits as soon as fewer than `room` jobs are queued, in the order of the calls; at once if there is a job with
    /// the same key. `admit` is called once, outside every lock, maybe before this returns and maybe after the job is
    /// done. A caller with many requests submits the next one from `admit`, which bounds the queue.
    @discardableResult
    package func submitWhenRoom(
        _ request: Request, completion: @escaping Completion,
        admit: @escaping @Sendable (Result<JobSubscription, JobError>) -> Void
    ) -> JobWaiter {
        core.submitWhenRoom(TypedRequest(request: request, completion: completion), admit: admit)
    }

    /// Starts no job until `resume`; running ones continue, and so do time limits. Has no effect after `drain`.
    package func pause() { core.setPaused(true) }

    /// Lets workers start the queued jobs again. The pause does not count as a standstill.
    package func resume() { core.setPaused(false) }

    /// Accepts no more requests, refuses those that wait for room, and continues, paused or not, until nothing is left
    /// or `limit` has passed: then all remaining jobs are cancelled, and the contexts of running work report it. The
    /// queue stays closed.
    ///
    /// `drained` is called once, outside every lock: true if all jobs were finished in time. It does not wait for work
    /// that was out of time before.
    package func drain(within limit: Duration, drained: @escaping @Sendable (Bool) -> Void) {
        core.drain(within: limit.inNanoseconds, drained)
    }
}

/// One accepted request. Releasing it changes nothing.
package struct JobSubscription: Sendable {
    let core: QueueCore
    let id: Schedule.SubscriberID

    /// Calls the completion with `cancelled`, on this thread, unless it has been called already.
    package func cancel() { core.cancel(id) }

    /// Makes the job more urgent, if it is still queued, for all of its waiters.
    package func raise(to priority: JobPriority) { core.raise(id, to: priority) }
}

/// A request that may wait for room.
package struct JobWaiter: Sendable {
    let core: QueueCore
    /// Nil: it was admitted or refused at once.
    let id: QueueCore.State.WaiterID?

    /// Stops waiting: `admit` is called with `cancelled`, on this thread, unless it has been called already.
    package func cancel() {
        if let id { core.stopWaiting(id) }
    }
}
