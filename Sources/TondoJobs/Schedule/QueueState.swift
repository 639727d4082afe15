/// The decisions of a `JobQueue`: the schedule, the jobs by key, and the requests that wait for room. Without clock,
/// threads and closures; times are monotonic nanoseconds.
struct QueueState<Key: Hashable & Sendable>: Sendable {
    /// A request without its work.
    struct Wish: Sendable {
        let key: Key
        var priority = JobPriority.background
        var plan = Schedule.Plan()
        /// Waits for room, then for its turn, without a limit of time.
        var isPatient = false
    }

    typealias WaiterID = Slots<Wish>.ID

    enum Admission: Sendable {
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
    private var waiters = Slots<Wish>()
    private var line = Slots<Wish>.Chain()
    private(set) var isClosed = false
    /// The deadline of a drain.
    private(set) var drainDue: UInt64?

    init(_ rules: Schedule.Rules) { schedule = Schedule(rules) }

    var counters: JobCounters {
        var counters = schedule.counters
        counters.waitingForRoom = line.count
        return counters
    }

    /// No job with waiters is left, and none runs in time.
    var isDone: Bool { schedule.jobs.count == schedule.crew.abandoned && line.isEmpty }

    /// When `expire` must be called next.
    var nextAlarm: UInt64? { [schedule.alarms.earliest, drainDue].compactMap(\.self).min() }

    mutating func submit(_ wish: Wish, now: UInt64) -> Admission {
        if let joined = join(wish, now: now) { return joined }
        if isClosed { return refuse(.closed) }
        let isOpen = schedule.isOpen(for: wish.priority, now: now)
        return isOpen ? add(wish, now: now) : refuse(.queueFull(depth: schedule.waiting))
    }

    /// Like `submit`, but waits if there is no room.
    mutating func submitWhenRoom(_ wish: Wish, now: UInt64) -> Admission {
        var wish = wish
        wish.isPatient = true
        if let joined = join(wish, now: now) { return joined }
        if isClosed { return refuse(.closed) }
        if line.isEmpty, hasRoom { return add(wish, now: now) }
        let waiter = waiters.insert(wish)
        waiters.append(waiter, to: &line)
        return .waits(waiter)
    }

    /// Admits the first waiting request, if there is room now.
    mutating func admitNext(now: UInt64) -> (WaiterID, Admission)? {
        guard hasRoom, let waiter = waiters.first(of: line) else { return nil }
        let wish = leaveLine(waiter)
        return (waiter, join(wish, now: now) ?? add(wish, now: now))
    }

    /// False: it was admitted or refused before.
    mutating func stopWaiting(_ waiter: WaiterID) -> Bool {
        guard waiters.contains(waiter) else { return false }
        _ = leaveLine(waiter)
        return true
    }

    private var hasRoom: Bool { schedule.waiting < min(schedule.rules.room, schedule.rules.depth) }

    private mutating func leaveLine(_ waiter: WaiterID) -> Wish {
        waiters.unlink(waiter, from: &line)
        return waiters.remove(waiter)
    }

    private mutating func refuse(_ error: JobError) -> Admission {
        schedule.counters.refused += 1
        return .refused(error)
    }

    private mutating func join(_ wish: Wish, now: UInt64) -> Admission? {
        guard !isClosed, let job = jobs[wish.key] else { return nil }
        schedule.counters.coalesced += 1
        schedule.raise(job, to: wish.priority, now: now)
        if wish.isPatient { schedule.jobs[job].isPatient = true }
        return .joined(job, schedule.subscribe(to: job))
    }

    private mutating func add(_ wish: Wish, now: UInt64) -> Admission {
        let job = schedule.add(wish.priority, wish.plan, isPatient: wish.isPatient, now: now)
        jobs[wish.key] = job
        if job.place < keys.count { keys[job.place] = wish.key } else { keys.append(wish.key) }
        return .added(job, schedule.subscribe(to: job))
    }

    private mutating func forget(_ job: Schedule.JobID) {
        guard let key = keys[job.place] else { return }
        keys[job.place] = nil
        jobs[key] = nil
    }
}

extension QueueState {
    /// Raises the job, if it is still queued or waits for a retry.
    mutating func raise(_ subscriber: Schedule.SubscriberID, to priority: JobPriority, now: UInt64) {
        guard schedule.subscribers.contains(subscriber) else { return }
        schedule.raise(schedule.subscribers[subscriber].job, to: priority, now: now)
    }

    mutating func cancel(_ subscriber: Schedule.SubscriberID, now: UInt64) -> Schedule.Departure {
        let departure = schedule.leave(subscriber, now: now)
        switch departure {
        case .removed(let job), .unwanted(let job): forget(job)
        case .late, .shared: break
        }
        return departure
    }

    /// Starts further workers, one per call; nil: none.
    mutating func hire() -> Int? { schedule.hire() }

    mutating func next(for worker: Int, isSearching: Bool, now: UInt64) -> Schedule.JobID? {
        schedule.next(for: worker, isSearching: isSearching, now: now)
    }

    mutating func finish(_ job: Schedule.JobID, _ outcome: Schedule.Outcome, now: UInt64) -> Schedule.Ending? {
        guard let ending = schedule.finish(job, outcome, now: now) else { return nil }
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
        schedule.isPaused = isPaused
        // A pause is not a standstill, and does not count as one afterwards.
        schedule.progress = max(schedule.progress, now)
    }

    /// Accepts no more requests and refuses those that wait for room. Jobs continue until `due`, paused or not.
    mutating func close(due: UInt64?) -> [WaiterID] {
        isClosed = true
        schedule.isPaused = false
        drainDue = [drainDue, due].compactMap(\.self).min()
        let refused = waiters.ids(of: line)
        for waiter in refused { _ = leaveLine(waiter) }
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
