/// The jobs that a worker has, between their delivery and the transaction that ends them. A value without clock and thread.
struct JobsInFlight {
    typealias Instant = ContinuousClock.Instant

    private struct Running {
        let delivery: JobStream.Delivery
        let start: Instant
        var renewed: Instant

        var hasNoRequester: Bool { if case .success(let job) = delivery.job { job.run.isEmpty } else { true } }
    }

    private var running: [String: Running] = [:]
    private(set) var finished: [JobStream.Finished] = []
    /// When the finished job ended that has waited longest.
    private var finishedSince: Instant?
    private(set) var handedBack: [JobStream.Delivery] = []
    private(set) var claimTime: ClaimTime
    private let rules: DeliveryRules
    /// So many finished jobs leave together, since a transaction costs more than what it does for one job.
    private let batch: Int

    /// How long a finished job waits for others at most.
    static let longestWait = Duration.milliseconds(25)

    init(_ claimTime: ClaimTime, rules: DeliveryRules, batch: Int = 1) {
        self.claimTime = claimTime
        self.rules = rules
        self.batch = batch
    }

    var count: Int { running.count }
    var isEmpty: Bool { running.isEmpty && finished.isEmpty && handedBack.isEmpty }

    /// Whether the finished jobs leave now: they are a batch, nothing else runs, or one has waited for long enough.
    func isDue(at now: Instant) -> Bool {
        guard let since = finishedSince else { return false }
        return finished.count >= batch || running.isEmpty || now - since >= Self.longestWait
    }

    /// It draws a job that may end workers.
    var isDrawingAlone: Bool {
        running.values.contains { rules.start(deliveries: $0.delivery.deliveries) == .drawAlone }
    }

    /// Nil: the job is not to be drawn, and already on its way out.
    mutating func begin(_ delivery: JobStream.Delivery, at now: Instant) -> DrawJob? {
        let number: Int
        switch delivery.job {
        case .failure(let reason):
            let result = JobResult(number: 0, code: JobResult.malformed, message: "not a job: \(reason.rawValue)")
            add(.init(delivery: delivery, end: .deadLetter, result: result), at: now)
            return nil
        case .success(let job): number = job.number
        }
        if rules.start(deliveries: delivery.deliveries) == .deadLetter {
            let message = "\(delivery.deliveries - 1) workers ended or gave up while they drew it"
            let result = JobResult(number: number, code: JobResult.workerLost, message: message)
            add(.init(delivery: delivery, end: .deadLetter, result: result), at: now)
            return nil
        }
        running[delivery.id] = Running(delivery: delivery, start: now, renewed: now)
        return try? delivery.job.get()
    }

    /// A job that was given back meanwhile is ignored.
    mutating func end(_ id: String, as ending: DeliveryRules.Ending, with result: JobResult, at now: Instant) {
        guard let job = running.removeValue(forKey: id) else { return }
        if ending == .drawn { claimTime.record(now - job.start) }
        switch rules.end(ending, deliveries: job.delivery.deliveries) {
        case .complete:
            // Without a requester, the dead jobs are the only place where a failure can be seen.
            add(
                .init(
                    delivery: job.delivery, end: result.code != nil && job.hasNoRequester ? .deadLetter : .complete,
                    result: result),
                at: now)
        case .deadLetter: add(.init(delivery: job.delivery, end: .deadLetter, result: result), at: now)
        case .leave: break
        case .handBack: handedBack.append(job.delivery)
        }
    }

    private mutating func add(_ job: JobStream.Finished, at now: Instant) {
        finished.append(job)
        finishedSince = finishedSince ?? now
    }

    /// What the next transaction takes along; `put` returns it after an error.
    mutating func takeFinished() -> [JobStream.Finished] {
        defer {
            finished = []
            finishedSince = nil
        }
        return finished
    }

    mutating func put(back jobs: [JobStream.Finished], at now: Instant) {
        finished.insert(contentsOf: jobs, at: 0)
        // They have waited already.
        finishedSince = now - Self.longestWait
    }

    mutating func takeHandedBack() -> [JobStream.Delivery] {
        defer { handedBack = [] }
        return handedBack
    }

    /// The worker ends before these are done.
    mutating func giveUp() {
        handedBack += running.values.map(\.delivery)
        running = [:]
    }

    /// Jobs that look abandoned soon unless the worker says that it has them.
    mutating func takeRenewals(at now: Instant) -> [String] {
        let due = running.filter { now - $0.value.renewed >= claimTime.renewal }.map(\.key)
        for id in due { running[id]?.renewed = now }
        return due
    }
}
