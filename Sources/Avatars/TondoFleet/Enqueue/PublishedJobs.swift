/// The jobs that a requester has published, or is about to, and that have no result: it can publish each of them again. A
/// value without clock and connection.
struct PublishedJobs {
    struct Job {
        var job: DrawJob
        /// Nil: not in the stream yet.
        var id: String?
        /// How often it was published.
        var tries = 0
    }

    /// By their numbers. A number is never used again.
    private var jobs: [Int: Job] = [:]
    /// Not in the stream, in their order.
    private var waiting: [Int] = []
    private var next = 0

    /// After so many times a job that vanishes is given up.
    static let mostTries = 5

    var count: Int { jobs.count }
    var waitingCount: Int { waiting.count }

    /// Returns the job's number. `make` gets it.
    @discardableResult
    mutating func add(_ make: (Int) -> DrawJob) -> Int {
        defer { next += 1 }
        jobs[next] = Job(job: make(next))
        waiting.append(next)
        return next
    }

    /// The next jobs to publish, in order.
    func batch(_ count: Int) -> [DrawJob] { waiting.prefix(count).compactMap { jobs[$0]?.job } }

    /// The first of the waiting jobs are in the stream now.
    mutating func published(_ ids: [String]) {
        for (number, id) in zip(waiting, ids) {
            jobs[number]?.id = id
            jobs[number]?.tries += 1
        }
        waiting.removeFirst(min(ids.count, waiting.count))
    }

    /// The job that has a result; nil: it had one before.
    mutating func end(_ number: Int) -> DrawJob? {
        guard let job = jobs.removeValue(forKey: number) else { return nil }
        // Its result came from an earlier time.
        if job.id == nil { waiting.removeAll { $0 == number } }
        return job.job
    }

    /// The ids of jobs in the stream, the oldest first.
    func oldest(_ count: Int) -> [String] {
        jobs.filter { $0.value.id != nil }.sorted { $0.key < $1.key }.prefix(count).compactMap(\.value.id)
    }

    /// These ids are in the stream no longer, and no result came: their jobs wait again. Returns those that vanished too often,
    /// which are dropped here.
    mutating func vanished(_ ids: [String]) -> [DrawJob] {
        let gone = Set(ids)
        var lost: [DrawJob] = []
        for (number, job) in jobs.sorted(by: { $0.key < $1.key }) {
            guard let id = job.id, gone.contains(id) else { continue }
            if job.tries >= Self.mostTries {
                jobs[number] = nil
                lost.append(job.job)
            } else {
                jobs[number]?.id = nil
                waiting.append(number)
            }
        }
        return lost
    }

    /// No result is waited for: what is in the stream is not remembered.
    mutating func forgetPublished() { jobs = jobs.filter { $0.value.id == nil } }
}
