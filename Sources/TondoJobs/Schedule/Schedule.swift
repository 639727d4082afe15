/// Which job runs next, and when it is tried again or out of time: the rules of the queue, without keys and closures.
///
/// Times are nanoseconds of a clock that never goes back. Every operation is O(1), or O(log n) with an alarm.
struct Schedule: Sendable {
    struct Rules: Sendable {
        var workers = 1
        /// Further workers, for those that hang.
        var spares = 0
        /// Jobs that wait at most, but for those that ran and wait for another try: at most one a worker more.
        var depth = 10_000
        /// How long jobs may have to wait, but for patient ones.
        var wait: WaitBound?
        /// Requests that wait for room are let in while fewer jobs than this wait.
        var room = 256
        /// Nanoseconds of waiting after which a job has aged.
        var ageing: UInt64 = 5_000_000_000

        /// While jobs have aged, at least one of so many starts is the one that waits longest.
        static let agedTurn = 4
        /// So many jobs may wait in any case.
        var leastDepth: Int { WaitBound.few(workers: workers) }
    }

    /// How long work may take and how often it is tried. Nanoseconds.
    struct Plan: Sendable {
        /// From the first start, later tries included.
        var limit: UInt64?
        var attempts = 1
        var delay: UInt64 = 0
        var longest: UInt64 = 0
    }

    typealias JobID = Slots<Job>.ID
    typealias SubscriberID = Slots<Subscriber>.ID

    struct Subscriber: Sendable { let job: JobID }

    enum Phase: Sendable {
        /// In the lane of its priority.
        case queued
        /// Waits for another try.
        case delayed
        /// On a worker, whether somebody waits for it or not.
        case running
        /// On a worker beyond its time.
        case abandoned
    }

    struct Job: Sendable {
        let plan: Plan
        let submitted: UInt64
        var priority: JobPriority
        /// Never refused once it is there, however long it waits.
        var isPatient: Bool
        var phase = Phase.queued
        /// When it came into its lane.
        var entered: UInt64
        /// The current try.
        var started: UInt64 = 0
        /// When its time is up, from the first start on.
        var due: UInt64?
        var attempts = 0
        var subscribers = Slots<Subscriber>.Chain()
    }

    let rules: Rules
    var jobs = Slots<Job>()
    var subscribers = Slots<Subscriber>()
    var alarms = Alarms()
    /// Jobs in each lane.
    private var queued = [Int](repeating: 0, count: JobPriority.allCases.count)
    private(set) var lanes = [Slots<Job>.Chain](repeating: .init(), count: JobPriority.allCases.count)
    private var ages = [LineAge](repeating: .init(), count: JobPriority.allCases.count)
    /// Nanoseconds that a job takes, by the last dozens.
    private var pace: UInt64?
    /// Starts since the longest waiting of the aged jobs had its turn.
    private var turns = 0
    var crew: Crew
    var counters = JobCounters()
    var isPaused = false
    /// When a job ended last, or the first of those that wait began to wait, or waiting went on after a pause.
    var progress: UInt64 = 0
    /// Until when work that was started may take; 0: no work had a limit.
    private var latestDue: UInt64 = 0

    init(_ rules: Rules) {
        self.rules = rules
        crew = Crew(workers: rules.workers, spares: rules.spares)
    }

    /// Jobs that wait, for a worker or another try.
    var waiting: Int { counters.queued + counters.delayed }

    /// One more job of this priority may wait, and would probably not do so for too long.
    func isOpen(for priority: JobPriority, now: UInt64) -> Bool {
        guard waiting < rules.depth else { return false }
        let ahead = queued[...priority.rawValue].reduce(0, +)
        guard let wait = rules.wait, let pace, ahead >= rules.leastDepth else { return true }
        let (time, isLong) = UInt64(ahead).multipliedReportingOverflow(by: pace)
        let lane = priority.rawValue
        let end = wait.end(entered: now, queued[lane] > 0 ? ages[lane] : ages[lane].ifEntered(wait, now: now))
        return !isLong && time / UInt64(rules.workers) < end - min(now, end)
    }

    /// Until when a job in this lane may have to wait.
    func waitEnd(of job: JobID, _ wait: WaitBound) -> UInt64 {
        wait.end(entered: jobs[job].entered, ages[jobs[job].priority.rawValue])
    }

    /// Nanoseconds for which jobs have waited while none ended, beyond what running work may take. 0: all is well, or
    /// the queue is paused.
    func standstill(now: UInt64) -> UInt64 {
        guard counters.queued > 0, !isPaused else { return 0 }
        let since = counters.running + counters.abandoned > 0 ? max(progress, latestDue) : progress
        return now > since ? now - since : 0
    }

    mutating func note(run: UInt64, now: UInt64) {
        progress = now
        counters.run.record(nanoseconds: run)
        // One that hung says little about the next.
        pace = pace.map { $0 - $0 / 16 + min(run, 8 * max($0, 1)) / 16 } ?? run
    }

    mutating func add(_ priority: JobPriority, _ plan: Plan, isPatient: Bool = false, now: UInt64) -> JobID {
        let job = jobs.insert(
            Job(plan: plan, submitted: now, priority: priority, isPatient: isPatient, entered: now))
        enter(job, now: now)
        return job
    }

    mutating func subscribe(to job: JobID) -> SubscriberID {
        let subscriber = subscribers.insert(Subscriber(job: job))
        subscribers.append(subscriber, to: &jobs[job].subscribers)
        return subscriber
    }

    /// A job that waits goes to the end of the more urgent lane.
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
        let lane = jobs[job].priority.rawValue
        if queued[lane] == 0 { ages[lane].enter(rules.wait, now: now) }
        if counters.queued == 0 { progress = max(progress, now) }
        counters.queued += 1
        queued[lane] += 1
        jobs.append(job, to: &lanes[lane])
    }

    mutating func leaveLane(_ job: JobID, now: UInt64) {
        let lane = jobs[job].priority.rawValue
        counters.queued -= 1
        queued[lane] -= 1
        ages[lane].leave(now: now)
        jobs.unlink(job, from: &lanes[lane])
    }

    /// The first of the most urgent lane, except that aged jobs get their turn.
    private mutating func choose(now: UInt64) -> JobID? {
        var urgent: JobID?
        var aged: JobID?
        for lane in lanes {
            guard let first = jobs.first(of: lane) else { continue }
            urgent = urgent ?? first
            let entered = jobs[first].entered
            // Heads wait longest in their lanes, as jobs enter at the end only.
            guard now >= entered, now - entered >= rules.ageing else { continue }
            if aged.map({ jobs[$0].entered > entered }) ?? true { aged = first }
        }
        guard let aged else {
            turns = 0
            return urgent
        }
        turns += 1
        if turns < Rules.agedTurn, aged != urgent { return urgent }
        turns = 0
        return aged
    }
}

extension Schedule {
    /// Takes on another worker for jobs that wait, if there may be one. Its number.
    mutating func hire() -> Int? {
        guard !isPaused, counters.queued > crew.searching else { return nil }
        return crew.hire()
    }

    /// The job a worker is to run. Without one, a worker that was searching has left; any other searches from now on,
    /// and is to ask once more.
    mutating func next(for worker: Int, isSearching: Bool, now: UInt64) -> JobID? {
        if isSearching { crew.begin() }
        guard !isPaused, !crew.isTooLarge, let job = choose(now: now) else {
            if isSearching { crew.retire(worker) } else { crew.linger() }
            return nil
        }
        leaveLane(job, now: now)
        start(job, now: now)
        return job
    }

    private mutating func start(_ job: JobID, now: UInt64) {
        counters.running += 1
        jobs[job].phase = .running
        jobs[job].started = now
        jobs[job].attempts += 1
        if jobs[job].attempts == 1 {
            counters.wait.record(nanoseconds: now &- jobs[job].submitted)
            if let limit = jobs[job].plan.limit {
                let (due, isNever) = now.addingReportingOverflow(limit)
                jobs[job].due = isNever ? nil : due
            }
        } else {
            counters.retried += 1
        }
        guard let due = jobs[job].due else { return }
        latestDue = max(latestDue, due)
        alarms.set(job, due: due)
    }
}
