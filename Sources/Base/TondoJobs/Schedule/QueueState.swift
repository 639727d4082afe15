/// The decisions of a `JobQueue`: the schedule, the jobs by key, and the requests that wait for room. Without clock,
/// threads and closures; times are monotonic nanoseconds.
struct QueueState<Key: Hashable & Sendable>: Sendable {
    /// A request without its work.
    struct Submission: Sendable {
        let key: Key
        var priority = JobPriority.background
        var plan = Schedule.Plan()
        /// See `Schedule.Rules.kinds`.
        var kind = 0
        /// Waits for room, then for its turn, without a limit of time.
        var ignoresTimeout = false
    }

    typealias WaiterID = Slots<Submission>.ID

    enum SubmitResult: Sendable {
        /// A new job.
        case added(Schedule.JobID, Schedule.SubscriberID)
        /// The request joined a job with the same key.
        case joined(Schedule.JobID, Schedule.SubscriberID)
        case refused(JobError)
        /// There is no room.
        case waits(WaiterID)
    }

    private(set) var schedule: Schedule
    private var jobs: [Key: Schedule.JobID] = [:]
    /// By a job's index; nil: the job cannot be joined.
    private var keys: [Key?] = []
    private var waiters = Slots<Submission>()
    private var waitList = Slots<Submission>.Chain()
    private(set) var isClosed = false
    /// The deadline of a drain.
    private(set) var drainDue: UInt64?

    init(rules: Schedule.Rules) { schedule = Schedule(rules: rules) }

    var counters: JobCounters {
        var counters = schedule.counters
        counters.waitingForRoom = waitList.count
        return counters
    }

    /// No job with waiters is left, and none runs in time.
    var isDone: Bool { schedule.jobs.count == schedule.pool.abandoned && waitList.isEmpty }

    /// When `expire` must be called next.
    var nextTimer: UInt64? { [schedule.timers.earliest, drainDue].compactMap(\.self).min() }

    mutating func submit(_ submission: Submission, now: UInt64) -> SubmitResult {
        if let joined = join(submission, now: now) { return joined }
        if isClosed { return refuse(.closed) }
        let isOpen = schedule.isOpen(for: submission.priority, now: now)
        return isOpen ? add(submission, now: now) : refuse(.queueFull(depth: schedule.waiting))
    }

    /// Like `submit`, but waits if there is no room.
    mutating func submitWhenRoom(_ submission: Submission, now: UInt64) -> SubmitResult {
        var submission = submission
        submission.ignoresTimeout = true
        if let joined = join(submission, now: now) { return joined }
        if isClosed { return refuse(.closed) }
        // With others in the list, room belongs to them: this request would overtake them.
        if waitList.isEmpty, hasRoom { return add(submission, now: now) }
        let waiter = waiters.insert(submission)
        waiters.append(waiter, to: &waitList)
        return .waits(waiter)
    }

    /// Admits the first waiting request, if there is room now.
    mutating func admitNext(now: UInt64) -> (WaiterID, SubmitResult)? {
        guard hasRoom, let waiter = waiters.first(of: waitList) else { return nil }
        let submission = removeWaiter(waiter)
        // Another request may have made a job with this key since this one began to wait.
        return (waiter, join(submission, now: now) ?? add(submission, now: now))
    }

    /// False: it was admitted or refused before.
    mutating func stopWaiting(_ waiter: WaiterID) -> Bool {
        guard waiters.contains(waiter) else { return false }
        _ = removeWaiter(waiter)
        return true
    }

    private var hasRoom: Bool { schedule.waiting < min(schedule.rules.room, schedule.rules.depth) }

    private mutating func removeWaiter(_ waiter: WaiterID) -> Submission {
        waiters.unlink(waiter, from: &waitList)
        return waiters.remove(waiter)
    }

    private mutating func refuse(_ error: JobError) -> SubmitResult {
        schedule.counters.refused += 1
        return .refused(error)
    }

    private mutating func join(_ submission: Submission, now: UInt64) -> SubmitResult? {
        guard !isClosed, let job = jobs[submission.key] else { return nil }
        schedule.counters.coalesced += 1
        schedule.raise(job, to: submission.priority, now: now)
        if submission.ignoresTimeout { schedule.jobs[job].ignoresTimeout = true }
        return .joined(job, schedule.subscribe(to: job))
    }

    private mutating func add(_ submission: Submission, now: UInt64) -> SubmitResult {
        let job = schedule.add(
            priority: submission.priority, plan: submission.plan, kind: submission.kind,
            ignoresTimeout: submission.ignoresTimeout,
            now: now)
        jobs[submission.key] = job
        if job.slot < keys.count { keys[job.slot] = submission.key } else { keys.append(submission.key) }
        return .added(job, schedule.subscribe(to: job))
    }

    private mutating func forget(_ job: Schedule.JobID) {
        guard let key = keys[job.slot] else { return }
        keys[job.slot] = nil
        jobs[key] = nil
    }
}

extension QueueState {
    /// Raises the job, if it is still queued or waits for a retry.
    mutating func raise(_ subscriber: Schedule.SubscriberID, to priority: JobPriority, now: UInt64) {
        guard schedule.subscribers.contains(subscriber) else { return }
        schedule.raise(schedule.subscribers[subscriber].job, to: priority, now: now)
    }

    mutating func cancel(_ subscriber: Schedule.SubscriberID, now: UInt64) -> Schedule.UnsubscribeResult {
        let result = schedule.unsubscribe(subscriber, now: now)
        switch result {
        // Work without waiters calls none back, so a later request with this key needs a new job.
        case .removed(let job), .unwanted(let job): forget(job)
        case .late, .shared: break
        }
        return result
    }

    /// Starts further workers, one per call; nil: none.
    mutating func startWorker() -> Int? { schedule.startWorker() }

    mutating func next(for worker: Int, isSearching: Bool, now: UInt64) -> Schedule.JobID? {
        schedule.next(for: worker, isSearching: isSearching, now: now)
    }

    mutating func finish(_ job: Schedule.JobID, with outcome: Schedule.Outcome, now: UInt64) -> Schedule.Ending? {
        guard let ending = schedule.finish(job, with: outcome, now: now) else { return nil }
        forget(job)
        return ending
    }

    /// Called before every start, until it returns nil.
    mutating func refuseOverdue(now: UInt64) -> Schedule.Ending? {
        guard !isClosed, let ending = schedule.refuseOverdue(now: now) else { return nil }
        forget(ending.job)
        return ending
    }

    /// Handles every alarm that is due. Returns the jobs that are out of time.
    mutating func expire(now: UInt64) -> [Schedule.Ending] {
        var endings: [Schedule.Ending] = []
        while case (true, let ending) = schedule.expire(now: now) {
            guard let ending else { continue }
            forget(ending.job)
            endings.append(ending)
        }
        return endings
    }

    mutating func setPaused(_ isPaused: Bool, now: UInt64) {
        // A closed queue continues, or its jobs would be cancelled at the end of the drain.
        schedule.isPaused = isPaused && !isClosed
        // A pause is not a standstill, and does not count as one afterwards.
        schedule.progress = max(schedule.progress, now)
    }

    /// Accepts no more requests and refuses those that wait for room. Jobs continue until `due`, paused or not.
    mutating func close(due: UInt64?) -> [WaiterID] {
        isClosed = true
        // A paused queue would not get done before the deadline.
        schedule.isPaused = false
        drainDue = [drainDue, due].compactMap(\.self).min()
        let refused = waiters.ids(of: waitList)
        for waiter in refused { _ = removeWaiter(waiter) }
        schedule.counters.refused += refused.count
        return refused
    }

    /// A drain ended, in time or not.
    mutating func endDrain() { drainDue = nil }

    mutating func cancelAll(now: UInt64) -> [Schedule.Ending] {
        let endings = schedule.cancelAll(now: now)
        for ending in endings { forget(ending.job) }
        return endings
    }
}
