internal import Dispatch

/// Does blocking work on a bounded number of Dispatch threads, never on Swift's cooperative pool.
///
/// The most urgent job runs first, and of equally urgent ones the first that came; a job that has waited for long gets
/// its turn among more urgent ones, so none starves. Requests of one key share one job and its value: a more urgent
/// request raises the job, and the work is what the first of them brought. A request that leaves hurts no other; when
/// the last one leaves, a job that waits is gone, and work that runs is told so by its `JobContext`.
///
/// Work that is not done within its limit is answered with `timedOut`, told so by its context, and keeps its worker
/// until it returns; up to `spares` further workers stand in for such. A key whose work was given up makes a new job.
///
/// Usable from any thread, and nothing blocks the caller. Completions are called once each, outside every lock: on the
/// worker that ran the work, on the thread that cancelled, or on a thread of the queue. A completion must not block: it
/// holds up its worker. What it needs next it submits; a submission that has to wait for room calls back. When a queue is let go of, its workers finish what they find, then jobs that still wait are cancelled.
package final class JobQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package struct Options: Sendable {
        /// Jobs that run at once; one for each processor.
        package var workers = Processors.available
        /// Workers that may stand in for those whose work is out of time.
        package var spares = 2
        /// Jobs that may wait before `submit` is refused.
        package var depth = 10_000
        /// `submit` is refused, too, when a job would probably wait for longer than this allows behind those that are as
        /// urgent, by how long the last jobs ran; and a job that does so is refused when its turn comes. Requests that wait
        /// for room wait for their turn, too, and a few jobs for each worker may wait in any case. Nil: there is no bound.
        package var wait: WaitBound?
        /// Requests that wait for room are let in while fewer jobs than this wait, which leaves the rest of the depth
        /// to those who cannot wait.
        package var room = 256
        /// A job that has waited for so long gets its turn: every fourth start is the longest waiting of such.
        package var ageing = Duration.seconds(5)
        /// Nanoseconds that never go back; replaced in tests.
        package var now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

        package init() {}
    }

    package struct Request: Sendable {
        package var key: Key
        package var priority = JobPriority.background
        /// What the work may take from its first start on, further tries included; nil: as long as it likes.
        package var limit: Duration?
        package var retry = JobRetry.never
        /// Runs on a Dispatch thread and may block it.
        package var work: @Sendable (JobContext) throws -> Value

        package init(_ key: Key, work: @escaping @Sendable (JobContext) throws -> Value) {
            (self.key, self.work) = (key, work)
        }
    }

    package typealias Completion = @Sendable (Result<Value, JobError>) -> Void

    let core: QueueCore

    package init(_ options: Options = Options()) {
        let rules = Schedule.Rules(
            workers: max(options.workers, 1), spares: max(options.spares, 0), depth: max(options.depth, 1),
            wait: options.wait, room: max(options.room, 1),
            ageing: options.ageing.inNanoseconds)
        core = QueueCore(rules, now: options.now)
    }

    /// What the queue has to do and did.
    package var counters: JobCounters { core.counters }

    /// For how long jobs have waited for a worker while no job ended, beyond the limits of the work that runs. Zero while
    /// all is well, or nothing waits, or the queue is paused: a time that keeps growing means that the workers are stuck.
    package var standstill: Duration { .nanoseconds(Int64(clamping: core.standstill)) }

    /// Throws `queueFull` or `closed` at once when the request is not accepted; the completion is not called then. It may be
    /// told `queueFull` later, see `wait`.
    @discardableResult
    package func submit(
        _ request: Request, completion: @escaping Completion
    ) throws(JobError) -> JobSubscription {
        try core.submit(TypedRequest(request, completion)).get()
    }

    /// Submits as soon as fewer than `room` jobs wait, first come, first served; at once when a job of the same key is
    /// there. `admit` is called once, outside every lock, possibly before this returns and possibly after the job is
    /// done. Whoever has much to submit submits one at a time, from `admit`: that is what bounds the queue.
    @discardableResult
    package func submitWhenRoom(
        _ request: Request, completion: @escaping Completion,
        admit: @escaping @Sendable (Result<JobSubscription, JobError>) -> Void
    ) -> JobWaiter {
        core.submitWhenRoom(TypedRequest(request, completion), admit)
    }

    /// Starts no more work until `resume`; what runs goes on, and time limits do, too.
    package func pause() { core.setPaused(true) }

    package func resume() { core.setPaused(false) }

    /// Takes no more requests, refuses those that wait for room, and goes on, paused or not, until nothing is left or
    /// `limit` is over: then whatever is left is cancelled, and work that runs is told so. The queue stays closed.
    ///
    /// `drained` is called once, outside every lock: true when all was done in time. Work that was out of time before
    /// is not waited for.
    package func drain(within limit: Duration, drained: @escaping @Sendable (Bool) -> Void) {
        core.drain(within: limit.inNanoseconds, drained)
    }
}

/// One request that was accepted. Letting go of it changes nothing.
package struct JobSubscription: Sendable {
    let core: QueueCore
    let id: Schedule.SubscriberID

    /// Calls the completion with `cancelled`, on this thread, unless it has been called already.
    package func cancel() { core.cancel(id) }

    /// Makes the job more urgent, if it still waits. It stays so for all that share it.
    package func raise(to priority: JobPriority) { core.raise(id, to: priority) }
}

/// A request that may wait for room.
package struct JobWaiter: Sendable {
    let core: QueueCore
    /// Nil: it was let in or refused at once.
    let id: QueueCore.State.WaiterID?

    /// Stops waiting: `admit` is called with `cancelled`, on this thread, unless it has been called already.
    package func cancel() {
        if let id { core.stopWaiting(id) }
    }
}
