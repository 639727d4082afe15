/// Which job runs next, and when it is retried or out of time: the rules of the queue, without keys and closures.
///
/// Times are monotonic nanoseconds. Every operation is O(1), or O(log n) with an alarm.
struct Schedule: Sendable {
    struct Rules: Sendable {
        var workers = 1
        /// Further workers, which replace those that hang.
        var spares = 0
        /// The maximum number of queued jobs. Jobs that wait for a retry are not counted: at most one more per worker.
        var depth = 10_000
        /// The limit of queueing time, except for patient jobs.
        var wait: QueueTimeout?
        /// Nanoseconds after which a job that has not started is refused even if no worker takes jobs, because the running
        /// ones hang; except for patient jobs.
        var longestWait: UInt64?
        /// Requests that wait for room are admitted while fewer jobs than this are queued.
        var room = 256
        /// Jobs of each kind that run at once, by the kind; of those without one, and of further kinds: any number.
        var kinds: [Int?] = []
        /// Nanoseconds in the queue after which a job has aged.
        var ageing: UInt64 = 5_000_000_000

        /// While there are aged jobs, at least one of this many starts is the oldest of them.
        static let agedTurn = 4
        /// This many jobs may be queued in any case.
        var minimumBacklog: Int { QueueTimeout.minimumBacklog(workers: workers) }
    }

    /// The time limit and the retries of work. Nanoseconds.
    struct Plan: Sendable {
        /// From the first start, retries included.
        var limit: UInt64?
        var attempts = 1
        var delay: UInt64 = 0
        var longest: UInt64 = 0
    }

    typealias JobID = Slots<Job>.ID
    typealias SubscriberID = Slots<Subscriber>.ID

    struct Subscriber: Sendable { let job: JobID }

    /// The queued jobs of one priority by kind, each first in, first out.
    typealias Lane = [Slots<Job>.Chain]

    private struct Kind: Sendable {
        let limit: Int?
        var queued = 0
        /// On workers, abandoned ones included, since their work still uses what is scarce.
        var running = 0

        var isOpen: Bool { limit.map { running < $0 } ?? true }
        var startable: Int { limit.map { min(queued, max($0 - running, 0)) } ?? queued }
    }

    enum Phase: Sendable {
        /// In the lane of its priority.
        case queued
        /// Waits for a retry.
        case delayed
        /// On a worker, with or without waiters.
        case running
        /// On a worker beyond its time limit.
        case abandoned
    }

    struct Job: Sendable {
        let plan: Plan
        let submitted: UInt64
        var priority: JobPriority
        /// Never refused once it is queued, however long that takes.
        var ignoresTimeout: Bool
        var phase = Phase.queued
        /// When it entered its lane.
        var entered: UInt64
        /// Jobs that entered a lane before it.
        var order: UInt64 = 0
        var kind = 0
        /// The start of the current attempt.
        var started: UInt64 = 0
        /// When its time is up, counted from the first start.
        var due: UInt64?
        var attempts = 0
        var subscribers = Slots<Subscriber>.Chain()
    }

    let rules: Rules
    var jobs = Slots<Job>()
    var subscribers = Slots<Subscriber>()
    var timers = JobTimers()
    /// The number of jobs in each lane.
    private var queued = [Int](repeating: 0, count: JobPriority.allCases.count)
    /// By priority; a job whose kind has reached its limit stays in its lane, and takes no worker.
    private(set) var lanes: [Lane]
    /// By kind.
    private var kinds: [Kind]
    private var entries: UInt64 = 0
    private var busyPeriods = [BusyPeriod](repeating: .init(), count: JobPriority.allCases.count)
    /// The average duration of the last dozens of jobs in nanoseconds.
    private var pace: UInt64?
    /// Starts since an aged job last had its turn.
    private var turns = 0
    var pool: WorkerPool
    var counters = JobCounters()
    var isPaused = false
    /// When a job ended last, or the first queued job was queued, or a pause ended.
    var progress: UInt64 = 0
    /// The latest deadline of started work; 0: no work had a limit.
    private var latestDue: UInt64 = 0

    init(rules: Rules) {
        self.rules = rules
        kinds = (rules.kinds + [nil]).map { Kind(limit: $0) }
        lanes = .init(repeating: .init(repeating: .init(), count: kinds.count), count: JobPriority.allCases.count)
        pool = WorkerPool(workers: rules.workers, spares: rules.spares)
    }

    /// Jobs that wait for a worker or a retry.
    var waiting: Int { counters.queued + counters.delayed }

    /// Whether one more job of this priority may be queued, and would probably not be queued for too long.
    func isOpen(for priority: JobPriority, now: UInt64) -> Bool {
        guard waiting < rules.depth else { return false }
        // Less urgent jobs do not count: this one overtakes them.
        let ahead = queued[...priority.rawValue].reduce(0, +)
        guard let wait = rules.wait, let pace, ahead >= rules.minimumBacklog else { return true }
        let (time, isLong) = UInt64(ahead).multipliedReportingOverflow(by: pace)
        let lane = priority.rawValue
        let end = wait.end(
            entered: now, queued[lane] > 0 ? busyPeriods[lane] : busyPeriods[lane].ifBegun(wait, now: now))
        return !isLong && time / UInt64(rules.workers) < end - min(now, end)
    }

    /// The time until which a job in this lane may be queued.
    func waitEnd(of job: JobID, _ wait: QueueTimeout) -> UInt64 {
        wait.end(entered: jobs[job].entered, busyPeriods[jobs[job].priority.rawValue])
    }

    /// Nanoseconds for which jobs have been queued while none ended, beyond the limits of running work. 0: there is
    /// progress, or the queue is paused.
    func standstill(now: UInt64) -> UInt64 {
        guard counters.queued > 0, !isPaused else { return 0 }
        // Work may run up to its time limit without being stuck.
        let since = counters.running + counters.abandoned > 0 ? max(progress, latestDue) : progress
        return now > since ? now - since : 0
    }

    /// The work of a job has returned.
    mutating func note(run: UInt64, of kind: Int, now: UInt64) {
        kinds[kind].running -= 1
        progress = now
        counters.run.record(nanoseconds: run)
        // The duration of one job that hung is clamped, since it predicts little.
        pace = pace.map { $0 - $0 / 16 + min(run, 8 * max($0, 1)) / 16 } ?? run
    }

    mutating func add(
        priority: JobPriority, plan: Plan, kind: Int = 0, ignoresTimeout: Bool = false, now: UInt64
    ) -> JobID {
        // The last kind has no limit, and stands for all that have none.
        let kind = kinds.indices.contains(kind) ? kind : kinds.count - 1
        let job = jobs.insert(
            Job(
                plan: plan, submitted: now, priority: priority, ignoresTimeout: ignoresTimeout, entered: now,
                kind: kind))
        enter(job, now: now)
        if let longest = rules.longestWait, !ignoresTimeout { timers.set(job, due: now.later(by: longest)) }
        return job
    }

    mutating func subscribe(to job: JobID) -> SubscriberID {
        let subscriber = subscribers.insert(Subscriber(job: job))
        subscribers.append(subscriber, to: &jobs[job].subscribers)
        return subscriber
    }

    /// A queued job goes to the end of the more urgent lane.
    mutating func raise(_ job: JobID, to priority: JobPriority, now: UInt64) {
        guard priority.isMoreUrgent(than: jobs[job].priority) else { return }
        let isQueued = jobs[job].phase == .queued
        if isQueued { leaveLane(job, now: now) }
        jobs[job].priority = priority
        if isQueued { enter(job, now: now) }
    }

    mutating func enter(_ job: JobID, now: UInt64) {
        jobs[job].phase = .queued
        jobs[job].entered = now
        jobs[job].order = entries
        entries += 1
        let (lane, kind) = (jobs[job].priority.rawValue, jobs[job].kind)
        if queued[lane] == 0 { busyPeriods[lane].begin(rules.wait, now: now) }
        // An idle queue is no standstill.
        if counters.queued == 0 { progress = max(progress, now) }
        counters.queued += 1
        queued[lane] += 1
        kinds[kind].queued += 1
        jobs.append(job, to: &lanes[lane][kind])
    }

    mutating func leaveLane(_ job: JobID, now: UInt64) {
        let (lane, kind) = (jobs[job].priority.rawValue, jobs[job].kind)
        counters.queued -= 1
        queued[lane] -= 1
        kinds[kind].queued -= 1
        busyPeriods[lane].end(now: now)
        jobs.unlink(job, from: &lanes[lane][kind])
    }

    /// The oldest job of a lane; `mayStart`: of those that may start now. Here and in `choose` without closures: one that
    /// uses `self` copies the whole schedule, under the lock of the queue.
    private func oldest(ofLane lane: Int, mayStart: Bool) -> JobID? {
        if queued[lane] == 0 { return nil }
        var oldest: (job: JobID, order: UInt64)?
        for kind in kinds.indices where !mayStart || kinds[kind].isOpen {
            guard let job = jobs.first(of: lanes[lane][kind]) else { continue }
            let order = jobs[job].order
            if let oldest, oldest.order < order { continue }
            oldest = (job, order)
        }
        return oldest?.job
    }

    /// Queued jobs that may start now, as far as their kinds permit.
    private var startable: Int { kinds.reduce(0) { $0 + $1.startable } }

    /// The first of the most urgent lane, except that aged jobs get their turn; of jobs that may start now. Starts count for the
    /// turn of an aged job while its kind has reached its limit, too: more urgent ones of its kind would starve it otherwise.
    private mutating func choose(now: UInt64) -> JobID? {
        var urgent: JobID?
        var aged: JobID?
        var hasAged = false
        for lane in lanes.indices {
            // The first job of a chain is its oldest, since jobs enter at the end only.
            guard let oldest = oldest(ofLane: lane, mayStart: false) else { continue }
            if isAged(oldest, now: now) { hasAged = true }
            guard let first = self.oldest(ofLane: lane, mayStart: true) else { continue }
            if urgent == nil { urgent = first }
            guard isAged(first, now: now) else { continue }
            if let aged, jobs[aged].entered <= jobs[first].entered { continue }
            aged = first
        }
        guard let urgent else { return nil }
        turns = hasAged ? min(turns + 1, Rules.agedTurn) : 0
        guard let aged, turns == Rules.agedTurn || aged == urgent else { return urgent }
        turns = 0
        return aged
    }

    private func isAged(_ job: JobID, now: UInt64) -> Bool {
        let entered = jobs[job].entered
        return now >= entered && now - entered >= rules.ageing
    }
}

extension Schedule {
    /// Starts another worker for queued jobs, if permitted. Returns its number.
    mutating func startWorker() -> Int? {
        // Each searching worker takes a job without being started.
        guard !isPaused, startable > pool.searching else { return nil }
        return pool.startWorker()
    }

    /// The next job of a worker. Without one, a worker that was searching has ended; any other searches from now on,
    /// and must call once more.
    mutating func next(for worker: Int, isSearching: Bool, now: UInt64) -> JobID? {
        if isSearching { pool.begin() }
        // A spare ends once the abandoned work that it stood in for has returned.
        guard !isPaused, !pool.isTooLarge, let job = choose(now: now) else {
            if isSearching { pool.retire(worker) } else { pool.linger() }
            return nil
        }
        leaveLane(job, now: now)
        start(job, now: now)
        return job
    }

    private mutating func start(_ job: JobID, now: UInt64) {
        counters.running += 1
        kinds[jobs[job].kind].running += 1
        jobs[job].phase = .running
        jobs[job].started = now
        jobs[job].attempts += 1
        // The limit covers all attempts, so a retry keeps the deadline of the first one.
        if jobs[job].attempts == 1 {
            counters.wait.record(nanoseconds: now &- jobs[job].submitted)
            if let limit = jobs[job].plan.limit {
                let (due, isNever) = now.addingReportingOverflow(limit)
                jobs[job].due = isNever ? nil : due
            }
        } else {
            counters.retried += 1
        }
        // The alarm of the longest wait must not end a job that has started.
        guard let due = jobs[job].due else { return timers.clear(job) }
        latestDue = max(latestDue, due)
        timers.set(job, due: due)
    }
}
