internal import Dispatch
internal import Glibc

/// The effects of a queue: its lock, its threads and its timer.
final class QueueCore: Sendable {
    typealias State = QueueState<RequestKey>
    typealias Admit = @Sendable (Result<JobSubscription, JobError>) -> Void
    typealias Drained = @Sendable (Bool) -> Void

    /// The state under the lock, and the objects that belong to its numbers.
    struct Shared {
        var state: State
        /// The request that does a job's work, by the job's index.
        var works: [AnyRequest?] = []
        /// By the waiter's index.
        var subscribers: [AnyRequest?] = []
        var waiting: [State.WaiterID: (request: AnyRequest, admit: Admit)] = [:]
        var drains: [Drained] = []
        /// The time of the last change.
        var latest: UInt64 = 0
        /// When the timer fires at the latest.
        var armed = UInt64.max
    }

    /// Work to be done outside the lock.
    struct Effects {
        var startedWorkers: [Int] = []
        var timer: UInt64?
        var admitted: [(Admit, Result<JobSubscription, JobError>)] = []
        /// Failed requests to call back, here or on an idle thread.
        var failed: [(AnyRequest, JobError)] = []
        var failedLate: [(AnyRequest, JobError)] = []
        var drained: [(Drained, Bool)] = []
        /// Objects to release outside the lock, since that may run code.
        var dropped: [AnyRequest] = []
    }

    private let shared: Locked<Shared>
    private let now: @Sendable () -> UInt64
    private let workers: [DispatchQueue]
    private let timer = WakeupTimer()
    private let lateQueue = DispatchQueue(label: "tondo.jobs.late", attributes: .concurrent)

    init(rules: Schedule.Rules, now: @escaping @Sendable () -> UInt64) {
        self.now = now
        shared = Locked(Shared(state: State(rules: rules)))
        // A serial queue each, since these get a thread even while others block theirs.
        workers = (0..<(rules.workers + rules.spares)).map { DispatchQueue(label: "tondo.jobs.worker-\($0)") }
    }

    deinit {
        let (requests, waiting) = shared.withLock { shared in
            (shared.state.cancelAll(now: shared.latest).flatMap { shared.take($0) }, shared.waiting.values)
        }
        for request in requests { request.fail(.cancelled) }
        for waiting in waiting { waiting.admit(.failure(.cancelled)) }
    }

    var counters: JobCounters { shared.withLock { $0.state.counters } }

    var standstill: UInt64 {
        let read = now()
        return shared.withLock { $0.state.schedule.standstill(now: max(read, $0.latest)) }
    }

    /// Changes the shared state under the lock; then performs the effects outside of it.
    @discardableResult
    func change<R: Sendable>(_ body: (inout Shared, inout Effects, UInt64) -> R) -> R {
        let read = now()
        var effects = Effects()
        let result = shared.withLock { shared in
            // Another thread may have read the clock later and taken the lock earlier.
            let now = max(read, shared.latest)
            shared.latest = now
            let result = body(&shared, &effects, now)
            shared.advance(&effects, core: self, now: now)
            return result
        }
        perform(effects)
        return result
    }

    private func perform(_ effects: Effects) {
        for worker in effects.startedWorkers { workers[worker].async { self.work(worker) } }
        if let due = effects.timer {
            let now = now()
            // Weak: an alarm in some hours must not keep a released queue in memory.
            timer.set(due: due, wait: due > now ? due - now : 0) { [weak self] in self?.expire() }
        }
        for (admit, result) in effects.admitted { admit(result) }
        for (request, error) in effects.failed { request.fail(error) }
        for (drained, isInTime) in effects.drained { drained(isInTime) }
        guard !effects.failedLate.isEmpty else { return }
        // This thread is the timer's or a worker's: completions would hold up alarms or jobs.
        lateQueue.async { [late = effects.failedLate] in
            for (request, error) in late { request.fail(error) }
        }
    }

    /// One worker: runs jobs until there is none, then releases its thread.
    private func work(_ worker: Int) {
        while let (job, request, attempt) = next(for: worker, isSearching: true) {
            request.run(job, attempt: attempt, for: self)
            while let (job, request, attempt) = next(for: worker, isSearching: false) {
                request.run(job, attempt: attempt, for: self)
            }
            // Releasing the thread and being called again costs more than small jobs do.
            sched_yield()
        }
    }
}

extension QueueCore.Shared {
    /// Computes the effects of a change: admissions, workers to start, the next timer.
    mutating func advance(_ effects: inout QueueCore.Effects, core: QueueCore, now: UInt64) {
        while let (waiter, result) = state.admitNext(now: now) {
            guard let (request, admit) = waiting.removeValue(forKey: waiter) else { continue }
            effects.admitted.append((admit, accept(result, for: request).map { .init(core: core, id: $0) }))
        }
        while let worker = state.startWorker() { effects.startedWorkers.append(worker) }
        if !drains.isEmpty, state.isDone { endDrain(&effects, isInTime: true) }
        if let due = state.nextTimer, due < armed {
            armed = due
            effects.timer = due
        }
    }

    mutating func endDrain(_ effects: inout QueueCore.Effects, isInTime: Bool) {
        state.endDrain()
        effects.drained += drains.map { ($0, isInTime) }
        drains = []
    }
}
