/// The workers of a queue by number: who is at work and who may be called.
struct Crew: Sendable {
    private let workers: Int
    private let spares: Int
    /// Numbers of workers that are not at work; the one that left last is called first.
    private var free: [Int]
    private(set) var atWork = 0
    /// Workers that were called, or had no more to do, and are about to ask for a job.
    private(set) var searching = 0
    /// Workers whose work is out of time.
    private(set) var abandoned = 0

    init(workers: Int, spares: Int) {
        (self.workers, self.spares) = (workers, spares)
        free = Array((0..<(workers + spares)).reversed())
    }

    /// Spares stand in for workers that hang.
    private var allowed: Int { workers + min(abandoned, spares) }

    /// More are at work than needed, as work that was given up came back.
    var isTooLarge: Bool { atWork > allowed }

    mutating func hire() -> Int? {
        guard atWork < allowed, let worker = free.popLast() else { return nil }
        atWork += 1
        searching += 1
        return worker
    }

    mutating func begin() { searching -= 1 }

    /// A worker will ask again before it leaves.
    mutating func linger() { searching += 1 }

    mutating func retire(_ worker: Int) {
        atWork -= 1
        free.append(worker)
    }

    mutating func abandon() { abandoned += 1 }

    mutating func recover() { abandoned -= 1 }
}
