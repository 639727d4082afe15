import Testing

@testable import TondoJobs

/// A plain model of a queue that checks each step of the state it drives.
struct StateModel {
    typealias State = QueueState<Int>

    private(set) var state: State
    private let rules: Schedule.Rules
    private(set) var now: UInt64 = 0
    /// Jobs that wait for a worker, with the time they entered their lane.
    private var lanes = [[(job: Schedule.JobID, entered: UInt64)]](repeating: [], count: 4)
    /// How old each lane is.
    private var busyPeriods = [UInt64](repeating: 0, count: 4)
    private var submissions: [Schedule.JobID: State.Submission] = [:]
    private(set) var open: [Schedule.SubscriberID: Schedule.JobID] = [:]
    private(set) var waiting: [State.WaiterID: State.Submission] = [:]
    private(set) var running: [(job: Schedule.JobID, worker: Int)] = []
    private var startedWorkers: [Int] = []
    /// Running jobs whose next pause is left out.
    /// Jobs of requests that wait for room.
    private var untimed: Set<Schedule.JobID> = []
    private var accepted = 0
    private var startsSinceAgedTurn = 0

    /// All there ever were, in order.
    private(set) var jobs: [Schedule.JobID] = []

    private var burst: UInt64 { rules.wait?.burst ?? 0 }

    init(_ rules: Schedule.Rules) {
        self.rules = rules
        state = State(rules: rules)
    }

    mutating func submit(_ submission: State.Submission, whenRoom: Bool) {
        let before = state.counters
        let result = whenRoom ? state.submitWhenRoom(submission, now: now) : state.submit(submission, now: now)
        if case .refused = result {
            let isFull = before.queued + before.delayed >= rules.depth
            let wouldWait = lanes[...submission.priority.rawValue].joined().count >= rules.minimumBacklog
            #expect(isFull || state.isClosed || rules.wait != nil && wouldWait)
        }
        note(result, submission, ignoresTimeout: whenRoom)
    }

    private mutating func note(_ result: State.SubmitResult, _ submission: State.Submission, ignoresTimeout: Bool) {
        if case .added(let job, _) = result, ignoresTimeout { untimed.insert(job) }
        if case .joined(let job, _) = result, ignoresTimeout { untimed.insert(job) }
        switch result {
        case .added(let job, let subscriber):
            #expect(!submissions.contains { job, other in other.key == submission.key && open.values.contains(job) })
            submissions[job] = submission
            jobs.append(job)
            enter(job, submission.priority)
            open[subscriber] = job
            accepted += 1
        case .joined(let job, let subscriber):
            #expect(submissions[job]?.key == submission.key)
            open[subscriber] = job
            raise(job, to: submission.priority)
            accepted += 1
        case .waits(let waiter): waiting[waiter] = submission
        case .refused: break
        }
    }

    private mutating func enter(_ job: Schedule.JobID, _ priority: JobPriority) {
        if lanes[priority.rawValue].isEmpty {
            busyPeriods[priority.rawValue] = min(busyPeriods[priority.rawValue], burst)
        }
        lanes[priority.rawValue].append((job, now))
    }

    private mutating func raise(_ job: Schedule.JobID, to priority: JobPriority) {
        for lane in (priority.rawValue + 1)..<4 {
            guard let place = lanes[lane].firstIndex(where: { $0.job == job }) else { continue }
            lanes[lane].remove(at: place)
            enter(job, priority)
        }
    }

    mutating func raise(_ subscriber: Schedule.SubscriberID, to priority: JobPriority) {
        if priority != .idle, let job = open[subscriber] { raise(job, to: priority) }
        state.raise(subscriber, to: priority, now: now)
    }

    mutating func cancel(_ subscriber: Schedule.SubscriberID) {
        let result = state.cancel(subscriber, now: now)
        guard let job = open.removeValue(forKey: subscriber) else { return #expect(result == .late) }
        let isLast = !open.values.contains(job)
        let isRunning = running.contains { $0.job == job }
        #expect(result == (isLast ? isRunning ? .unwanted(job) : .removed(job) : .shared(job)))
        if isLast, !isRunning { leaveLanes(job) }
    }

    mutating func stopWaiting(_ waiter: State.WaiterID) {
        #expect(state.stopWaiting(waiter) == (waiting.removeValue(forKey: waiter) != nil))
    }

    private mutating func leaveLanes(_ job: Schedule.JobID) {
        for lane in lanes.indices { lanes[lane].removeAll { $0.job == job } }
    }

    /// A worker that was called asks for a job.
    mutating func start() {
        guard !startedWorkers.isEmpty else { return }
        next(for: startedWorkers.removeFirst(), isSearching: true)
    }

    /// What waited for too long goes before anything starts.
    private mutating func refuseOverdue() {
        while let ending = state.refuseOverdue(now: now) {
            let entry = lanes.joined().first { $0.job == ending.job }
            let lane = lanes.firstIndex { $0.contains { $0.job == ending.job } } ?? 0
            #expect(lanes[...lane].joined().count > rules.minimumBacklog, "refused though only a few wait")
            let wait = rules.wait ?? QueueTimeout(longest: .max, burst: .max)
            #expect(entry.map { now - $0.entered > wait.longest } == true, "refused too early")
            #expect(busyPeriods[lane] >= wait.burst, "refused while the line was new")
            #expect(!untimed.contains(ending.job), "refused who waited for room")
            #expect(!ending.isRunning)
            end(ending)
        }
        guard !state.isClosed, !state.schedule.isPaused else { return }
        var waiting = 0
        guard let wait = rules.wait else { return }
        for (lane, age) in zip(lanes, busyPeriods) {
            waiting += lane.count
            guard waiting > rules.minimumBacklog, let first = lane.first, !untimed.contains(first.job) else { continue }
            #expect(
                now - first.entered <= wait.longest || age <= wait.burst,
                "starts something while others wait for too long")
        }
    }

    /// Its kind has not reached its limit, or has none.
    private func mayStart(_ job: Schedule.JobID) -> Bool {
        guard let kind = submissions[job]?.kind, rules.kinds.indices.contains(kind), let limit = rules.kinds[kind]
        else {
            return true
        }
        return running.count { submissions[$0.job]?.kind == kind } < limit
    }

    private mutating func next(for worker: Int, isSearching: Bool) {
        refuseOverdue()
        let lanes = lanes.map { $0.filter { mayStart($0.job) } }
        let aged = lanes.joined().filter { now - $0.entered >= rules.ageing }.map(\.entered).min()
        let isIdle = state.schedule.isPaused || state.schedule.pool.isTooLarge
        guard let job = state.next(for: worker, isSearching: isSearching, now: now) else {
            #expect(isIdle || lanes.allSatisfy(\.isEmpty), "a worker leaves a job that may start")
            if !isSearching { startedWorkers.append(worker) }
            return
        }
        running.append((job, worker))
        let entry = lanes.joined().first { $0.job == job }
        let isFirst = lanes.first { !$0.isEmpty }?.first?.job == job
        let isAgedTurn = entry?.entered == aged && lanes.contains { $0.first?.job == job }
        #expect(isFirst || isAgedTurn, "neither the first of the most urgent nor the longest waiting")
        startsSinceAgedTurn = aged == nil || isAgedTurn ? 0 : startsSinceAgedTurn + 1
        #expect(startsSinceAgedTurn < Schedule.Rules.agedTurn, "an aged job starves")
        leaveLanes(job)
    }

    mutating func finish(_ place: Int, _ outcome: Schedule.Outcome) {
        let (job, worker) = running.remove(at: place)
        if let ending = state.finish(job, with: outcome, now: now) { end(ending) }
        next(for: worker, isSearching: false)
    }

    mutating func advance(_ time: UInt64) {
        now += time
        for (lane, jobs) in lanes.enumerated() {
            let worn = min(busyPeriods[lane], burst)
            busyPeriods[lane] = jobs.isEmpty ? worn - min(worn, time) : busyPeriods[lane] + time
        }
        let before = state.counters
        for ending in state.expire(now: now) { end(ending) }
        if state.counters.delayed < before.delayed { findQueued() }
    }

    /// Jobs that are tried again entered their lanes.
    private mutating func findQueued() {
        let queued = Set(open.values).filter { state.schedule.jobs[$0].phase == .queued }
            .subtracting(lanes.joined().map(\.job))
        for job in queued.sorted(by: { state.schedule.laneOrder(of: $0) < state.schedule.laneOrder(of: $1) }) {
            enter(job, state.schedule.jobs[job].priority)
        }
    }

    private mutating func end(_ ending: Schedule.Ending) {
        let dismissed = ending.subscribers
        #expect(
            Set(dismissed) == Set(open.filter { $0.value == ending.job }.keys), "a subscriber is lost, or told twice")
        #expect(Set(dismissed).count == dismissed.count)
        for subscriber in dismissed { open[subscriber] = nil }
        if !ending.isRunning { leaveLanes(ending.job) }
    }

    mutating func setPaused(_ isPaused: Bool, now: UInt64 = 0) { state.setPaused(isPaused, now: now) }

    mutating func close() { for waiter in state.close(due: nil) { waiting[waiter] = nil } }

    /// What follows each step, and what holds after it.
    mutating func runToEnd() {
        while let (waiter, result) = state.admitNext(now: now) {
            guard let submission = waiting.removeValue(forKey: waiter) else {
                return #expect(Bool(false), "let in twice")
            }
            note(result, submission, ignoresTimeout: true)
        }
        while let worker = state.startWorker() { startedWorkers.append(worker) }
        let counters = state.counters
        // A job that is to be tried again comes back, full or not.
        #expect(counters.queued + counters.delayed <= rules.depth + rules.workers + rules.spares)
        #expect(counters.queued == lanes.joined().count)
        #expect(running.count <= rules.workers + rules.spares)
        #expect(running.count - state.schedule.pool.abandoned <= rules.workers)
        for (kind, limit) in rules.kinds.enumerated() {
            let count = running.count { submissions[$0.job]?.kind == kind }
            #expect(limit.map { count <= $0 } ?? true, "more jobs of a kind run than may")
        }
        #expect(Set(running.map(\.worker) + startedWorkers).count == running.count + startedWorkers.count)
        #expect(counters.running + counters.abandoned == running.count)
        #expect(counters.waitingForRoom == waiting.count)
        let ended = counters.done + counters.failed + counters.timedOut + counters.overdue + counters.cancelled
        #expect(counters.queued + counters.delayed + counters.running + ended + counters.coalesced == accepted)
    }
}

extension Schedule {
    /// How many jobs are before this one in its lane.
    fileprivate func laneOrder(of job: JobID) -> Int {
        let lane = lanes[jobs[job].priority.rawValue].flatMap { jobs.ids(of: $0) }
        return lane.sorted { jobs[$0].order < jobs[$1].order }.firstIndex(of: job) ?? 0
    }
}
