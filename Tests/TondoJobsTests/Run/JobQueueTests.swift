import Dispatch
import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobQueueTests {
    @Test func `A job gives its value to its subscriber`() throws {
        let recorded = Recorder<Int?>()
        try Queue.make().submit(.init(key: 1) { _ in 42 }) { recorded.add(try? $0.get()) }
        #expect(recorded.wait(for: 1) == [42])
    }

    @Test func `What the work throws fails the job at once`() throws {
        let recorded = Recorder<String>()
        let queue = Queue.make()
        try queue.submit(.init(key: 1) { _ in throw WorkError.broken }) { recorded.add("\($0)") }
        #expect(recorded.wait(for: 1) == ["failure(broken)"])
        #expect(queue.counters.failed == 1 && queue.counters.retried == 0)
    }

    @Test func `A thousand equal requests at once are one run`() throws {
        let (queue, gate, recorded) = (Queue.make(workers: 2), Gate(), Recorder<String>())
        let runs = Counter()
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in
            let request = Queue.Request(key: 7) { _ in
                runs.add()
                gate.pass()
                return 1
            }
            _ = try? queue.submit(request) { recorded.add($0.code) }
        }
        gate.open()
        #expect(recorded.wait(for: 1000).filter { $0 == "done" }.count == 1000)
        #expect(runs.count == 1)
        #expect(queue.counters.coalesced == 999 && queue.counters.done == 1)
    }

    @Test func `A key that was done is done again when asked again`() throws {
        let (queue, recorded) = (Queue.make(), Recorder<Int?>())
        for value in 1...2 {
            let done = Gate()
            try queue.submit(.init(key: 1) { _ in value }) {
                recorded.add(try? $0.get())
                done.open()
            }
            done.pass()
        }
        #expect(recorded.all == [1, 2])
    }

    @Test func `No more jobs run at once than there are workers`() throws {
        let queue = Queue.make(workers: 3)
        let (running, most, recorded) = (Counter(), Recorder<Int>(), Recorder<String>())
        let together = Gate()
        for key in 0..<30 {
            let request = Queue.Request(key: key) { _ in
                let now = running.add(1)
                most.add(now)
                if now == 3 { together.open() }
                together.pass()
                running.add(-1)
                return key
            }
            try queue.submit(request) { recorded.add($0.code) }
        }
        #expect(recorded.wait(for: 30).count == 30)
        #expect(most.all.max() == 3)
    }

    @Test func `A full queue refuses at once and counts it`() throws {
        let queue = Queue.make(depth: 2)
        queue.pause()
        for key in 0..<2 { try queue.submit(.init(key: key) { _ in 0 }) { _ in } }
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 2) { _ in 0 }) { _ in } } == "queue-full")
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 1) { _ in 0 }) { _ in } } == nil)
        #expect(queue.counters.refused == 1 && queue.counters.coalesced == 1 && queue.counters.queued == 2)
    }

    @Test func `A queue refuses whom it would keep waiting for too long`() throws {
        let clock = Clock()
        let queue = Queue.make(wait: QueueTimeout(longest: .seconds(1)), clock: clock)
        let recorded = Recorder<String>()
        func take(from first: Int) throws -> Int {
            queue.pause()
            defer { queue.resume() }
            for key in 0..<100 {
                let refusal = code { () throws(JobError) in
                    try queue.submit(
                        .init(key: first + key) { _ in
                            clock.advance(.milliseconds(100))
                            return 0
                        }
                    ) { recorded.add($0.code) }
                }
                if let refusal {
                    #expect(refusal == "queue-full")
                    return key
                }
            }
            return 100
        }
        // The duration of a job is unknown so far; but jobs whose turn came too late are refused later.
        #expect(try take(from: 0) == 100)
        let first = recorded.wait(for: 100)
        #expect(first.count { $0 == "done" } == 15 && first.count { $0 == "queue-full" } == 85)
        #expect(queue.counters.overdue == 85 && queue.counters.refused == 0)
        #expect(try take(from: 1000) == 10)
    }

    @Test func `Many who come at once are not refused, but those who come after them`() throws {
        let clock = Clock()
        let queue = Queue.make(wait: QueueTimeout(longest: .seconds(1), burst: .seconds(5)), clock: clock)
        let recorded = Recorder<String>()
        func submit(_ keys: Range<Int>) -> Int {
            keys.count { key in
                let request = Queue.Request(key: key) { _ in
                    clock.advance(.milliseconds(100))
                    return 0
                }
                return code { () throws(JobError) in try queue.submit(request) { recorded.add($0.code) } } == nil
            }
        }
        #expect(submit(0..<1) == 1)
        #expect(recorded.wait(for: 1) == ["done"])
        clock.advance(.seconds(1))
        queue.pause()
        #expect(submit(1..<100) == 50)
        queue.resume()
        #expect(recorded.wait(for: 50) == Array(repeating: "done", count: 51))
        // A moment of rest is not worth another burst, but five seconds are.
        queue.pause()
        #expect(submit(100..<200) == 10)
        queue.resume()
        #expect(recorded.wait(for: 10) == Array(repeating: "done", count: 61))
        clock.advance(.seconds(5))
        queue.pause()
        #expect(submit(200..<240) == 40)
        clock.advance(.seconds(4.5))
        #expect(submit(240..<250) == 0)
        queue.resume()
        #expect(recorded.wait(for: 40).count { $0 == "queue-full" } == 30)
    }

    @Test func `A patient request is never refused, however long it takes`() throws {
        let clock = Clock()
        let (queue, recorded) = (Queue.make(wait: QueueTimeout(longest: .seconds(1)), clock: clock), Recorder<String>())
        queue.pause()
        for key in 0..<20 {
            let request = Queue.Request(key: key) { _ in
                clock.advance(.seconds(2))
                return 0
            }
            queue.submitWhenRoom(request) {
                recorded.add($0.code)
            } admit: { _ in
            }
        }
        queue.resume()
        #expect(recorded.wait(for: 20) == Array(repeating: "done", count: 20))
    }

    @Test func `A few jobs may wait however slow they are`() throws {
        let clock = Clock()
        let (queue, recorded) = (Queue.make(wait: QueueTimeout(longest: .seconds(1)), clock: clock), Recorder<String>())
        try queue.submit(
            .init(key: 0) { _ in
                clock.advance(.seconds(100))
                return 0
            }
        ) { recorded.add($0.code) }
        _ = recorded.wait(for: 1)
        queue.pause()
        for key in 1...4 { try queue.submit(.init(key: key) { _ in 0 }) { _ in } }
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 5) { _ in 0 }) { _ in } } == "queue-full")
        // A more urgent request does not wait behind those.
        var urgent = Queue.Request(key: 6) { _ in 0 }
        urgent.priority = .visible
        #expect(code { () throws(JobError) in try queue.submit(urgent) { _ in } } == nil)
    }

    @Test func `A paused queue starts nothing until it is resumed`() throws {
        let (queue, recorded) = (Queue.make(), Recorder<String>())
        queue.pause()
        try queue.submit(.init(key: 1) { _ in 0 }) { recorded.add($0.code) }
        #expect(queue.counters.queued == 1 && queue.counters.running == 0)
        queue.resume()
        #expect(recorded.wait(for: 1) == ["done"])
    }

    @Test func `A completion may submit, cancel and ask, as no lock is held`() throws {
        let (queue, recorded) = (Queue.make(), Recorder<Int>())
        try queue.submit(.init(key: 1) { _ in 0 }) { _ in
            let other = try? queue.submit(.init(key: 2) { _ in 0 }) { _ in recorded.add(queue.counters.done) }
            other?.raise(to: .visible)
        }
        #expect(recorded.wait(for: 1) == [2])
    }

    @Test func `Raising lets a job overtake`() throws {
        let (queue, order, recorded) = (Queue.make(), Recorder<Int>(), Recorder<String>())
        queue.pause()
        let subscriptions = try (0..<4).map { key in
            let request = Queue.Request(key: key) { _ in
                order.add(key)
                return key
            }
            return try queue.submit(request) { recorded.add($0.code) }
        }
        subscriptions[3].raise(to: .visible)
        queue.resume()
        #expect(recorded.wait(for: 4).count == 4)
        #expect(order.all == [3, 0, 1, 2])
    }

    @Test func `A queue that is let go of cancels what waits`() throws {
        let recorded = Recorder<String>()
        do {
            let queue = Queue.make()
            queue.pause()
            for key in 0..<3 { try queue.submit(.init(key: key) { _ in 0 }) { recorded.add($0.code) } }
        }
        #expect(recorded.wait(for: 3) == Array(repeating: "job-cancelled", count: 3))
    }
}
