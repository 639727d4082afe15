import Testing
import TondoTestSupport

@testable import TondoJobs

/// Jobs of kind 1, of which one runs at once, among those of kind 0, which have no limit.
@Suite struct JobQueueKindTests {
    private static let kinds: [Int?] = [nil, 1]
    private let recorded = Recorder<String>()
    private let started = Gate()
    private let release = Gate()

    /// Runs until `release`.
    private func scarce(_ key: Int, failing: Bool = false, limit: Duration? = nil) -> Queue.Request {
        var request = Queue.Request(key: key) { [started, release] _ in
            started.open()
            release.pass()
            if failing { throw WorkError.broken }
            return key
        }
        (request.kind, request.limit) = (1, limit)
        return request
    }

    private func submit(_ request: Queue.Request, to queue: Queue) throws {
        try queue.submit(request) { [recorded] in recorded.add("\(request.key) \($0.code)") }
    }

    @Test func `Jobs whose kind has reached its limit hold up no others`() throws {
        let queue = Queue.make(workers: 2, kinds: Self.kinds)
        for key in 1...3 { try submit(scarce(key), to: queue) }
        started.pass()
        let others = Recorder<Int>()
        for key in 4...20 {
            try queue.submit(.init(key: key) { _ in key }) { result in
                if case .success(let key) = result { others.add(key) }
            }
        }
        #expect(others.wait(for: 17) == Array(4...20))
        #expect(queue.counters.queued == 2 && queue.counters.running == 1)
        release.open()
        #expect(recorded.wait(for: 3).sorted() == ["1 done", "2 done", "3 done"])
    }

    @Test func `With one worker, a full queue and jobs that fail, each of a kind has its turn`() throws {
        let queue = Queue.make(workers: 1, depth: 3, kinds: Self.kinds)
        try submit(scarce(0, failing: true), to: queue)
        started.pass()
        for key in 1...3 { try submit(key == 2 ? .init(key: 2) { _ in 2 } : scarce(key, failing: true), to: queue) }
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 4) { _ in 0 }) { _ in } } == "queue-full")
        release.open()
        #expect(recorded.wait(for: 4) == ["0 job-failed", "1 job-failed", "2 done", "3 job-failed"])
        #expect(queue.counters.failed == 3 && queue.counters.refused == 1)
    }

    @Test func `Jobs behind the limit of their kind count for the bound of the queue`() throws {
        let queue = Queue.make(workers: 2, depth: 2, kinds: Self.kinds)
        try submit(scarce(0), to: queue)
        started.pass()
        for key in 1...2 { try submit(scarce(key), to: queue) }
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 3) { _ in 0 }) { _ in } } == "queue-full")
        release.open()
        #expect(recorded.wait(for: 3).sorted() == ["0 done", "1 done", "2 done"])
    }

    @Test func `Work that is out of time takes the slot of its kind until it returns`() throws {
        let queue = Queue.make(workers: 1, spares: 1, kinds: Self.kinds)
        let late = Gate()
        try queue.submit(scarce(0, limit: instant)) { [recorded] in
            recorded.add("0 \($0.code)")
            late.open()
        }
        try submit(scarce(1), to: queue)
        late.pass()
        let other = Gate()
        try queue.submit(.init(key: 2) { _ in 2 }) { _ in other.open() }
        #expect(other.pass(), "the spare worker draws others")
        #expect(queue.counters.queued == 1 && queue.counters.abandoned == 1)
        release.open()
        #expect(recorded.wait(for: 2) == ["0 job-timeout", "1 done"])
    }

    @Test func `A job that has waited for too long behind its kind is refused`() throws {
        var options = Queue.Options()
        (options.workers, options.kinds, options.longestWait) = (2, Self.kinds, instant)
        let queue = Queue(options)
        // No limit of time for this one, however late a worker takes it.
        queue.submitWhenRoom(scarce(0), completion: { _ in }, admit: { _ in })
        started.pass()
        try submit(scarce(1), to: queue)
        #expect(recorded.wait(for: 1) == ["1 queue-full"])
        #expect(queue.counters.overdue == 1 && queue.counters.queued == 0)
        release.open()
    }

    @Test func `A job behind its kind is joined, made more urgent and cancelled like any other`() throws {
        let queue = Queue.make(workers: 2, kinds: Self.kinds)
        try submit(scarce(0), to: queue)
        started.pass()
        let first = try queue.submit(scarce(1)) { [recorded] in recorded.add("first \($0.code)") }
        let second = try queue.submit(scarce(1)) { [recorded] in recorded.add("second \($0.code)") }
        let third = try queue.submit(scarce(2)) { [recorded] in recorded.add("2 \($0.code)") }
        #expect(queue.counters.coalesced == 1 && queue.counters.queued == 2)
        third.raise(to: .visible)
        first.cancel()
        #expect(queue.counters.queued == 2)
        second.cancel()
        #expect(queue.counters.queued == 1 && queue.counters.cancelled == 1)
        release.open()
        #expect(
            recorded.wait(for: 4).sorted() == ["0 done", "2 done", "first job-cancelled", "second job-cancelled"])
    }

    @Test func `A shutdown finishes the jobs behind their kind`() async throws {
        let queue = Queue.make(workers: 2, kinds: Self.kinds)
        for key in 0...2 { try submit(scarce(key), to: queue) }
        started.pass()
        async let isDrained = queue.drain(within: .seconds(300))
        release.open()
        #expect(await isDrained)
        #expect(recorded.wait(for: 3).sorted() == ["0 done", "1 done", "2 done"])
    }

    @Test func `A shutdown that runs out of time cancels the jobs behind their kind`() async throws {
        let queue = Queue.make(workers: 2, kinds: Self.kinds)
        for key in 0...2 { try submit(scarce(key), to: queue) }
        started.pass()
        #expect(await queue.drain(within: instant) == false)
        #expect(recorded.wait(for: 3).sorted() == ["0 job-cancelled", "1 job-cancelled", "2 job-cancelled"])
        #expect(queue.counters.queued == 0 && queue.counters.cancelled == 3)
        release.open()
    }

    @Test func `A retry waits for the slot of its kind`() throws {
        let queue = Queue.make(workers: 2, kinds: Self.kinds)
        let order = Recorder<String>()
        var request = Queue.Request(key: 0) { [started, release] context in
            order.add("0.\(context.attempt)")
            started.open()
            release.pass()
            if context.attempt == 1 { throw WorkError.busy }
            return 0
        }
        (request.kind, request.retry) = (1, JobRetry(delay: instant) { _ in true })
        try submit(request, to: queue)
        started.pass()
        var next = Queue.Request(key: 1) { _ in
            order.add("1.1")
            return 1
        }
        next.kind = 1
        try submit(next, to: queue)
        release.open()
        #expect(recorded.wait(for: 2).sorted() == ["0 done", "1 done"])
        #expect(order.all == ["0.1", "1.1", "0.2"])
    }
}
