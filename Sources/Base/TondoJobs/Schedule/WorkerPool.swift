/// The workers of a queue by number: which are running and which may be started.
struct WorkerPool: Sendable {
    private let workers: Int
    private let spares: Int
    /// Numbers of idle workers; the one that became idle last is started first.
    private var free: [Int]
    private(set) var atWork = 0
    /// Workers that were started, or finished a job, and are about to request the next one.
    private(set) var searching = 0
    /// Workers whose work is out of time.
    private(set) var abandoned = 0

    init(workers: Int, spares: Int) {
        self.workers = workers
        self.spares = spares
        free = Array((0..<(workers + spares)).reversed())
    }

    /// Spares replace workers that hang.
    private var allowed: Int { workers + min(abandoned, spares) }

    /// More workers run than needed, because abandoned work has returned.
    var isTooLarge: Bool { atWork > allowed }

    mutating func startWorker() -> Int? {
        guard atWork < allowed, let worker = free.popLast() else { return nil }
        atWork += 1
        searching += 1
        return worker
    }

    mutating func begin() { searching -= 1 }

    /// A worker will request a job again before it ends.
    mutating func linger() { searching += 1 }

    mutating func retire(_ worker: Int) {
        atWork -= 1
        free.append(worker)
    }

    mutating func abandon() { abandoned += 1 }

    mutating func recover() { abandoned -= 1 }
}
