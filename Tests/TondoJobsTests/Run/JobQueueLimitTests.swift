import Dispatch
import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobQueueLimitTests {
    private let recorded = Recorder<String>()
    private let release = Gate()

    private func hanging(_ key: Int, limit: Duration? = instant) -> Queue.Request {
        var request = Queue.Request(key: key) { [release] _ in
            release.pass()
            return 0
        }
        request.limit = limit
        return request
    }

    @Test func `Work that hangs is answered in time, with a timeout`() throws {
        let queue = Queue.make()
        try queue.submit(hanging(1)) { [recorded] in recorded.add("\($0.code)") }
        #expect(recorded.wait(for: 1) == ["job-timeout"])
        #expect(queue.counters.timedOut == 1 && queue.counters.abandoned == 1 && queue.counters.running == 0)
        release.open()
    }

    @Test func `A spare worker goes on with the others`() throws {
        let queue = Queue.make(workers: 1, spares: 1)
        try queue.submit(hanging(1)) { [recorded] in recorded.add("1 \($0.code)") }
        try queue.submit(.init(key: 2) { _ in 0 }) { [recorded] in recorded.add("2 \($0.code)") }
        #expect(recorded.wait(for: 2).sorted() == ["1 job-timeout", "2 done"])
        release.open()
    }

    @Test func `Without a spare worker the slot stays taken until the work returns`() throws {
        let queue = Queue.make(workers: 1, spares: 0)
        let late = Gate()
        try queue.submit(hanging(1)) { [recorded] in
            recorded.add("1 \($0.code)")
            late.open()
        }
        try queue.submit(.init(key: 2) { _ in 0 }) { [recorded] in recorded.add("2 \($0.code)") }
        late.pass()
        #expect(queue.counters.queued == 1)
        release.open()
        #expect(recorded.wait(for: 2) == ["1 job-timeout", "2 done"])
    }

    @Test func `A job that hangs takes one worker and no other`() throws {
        let queue = Queue.make(workers: 2)
        try queue.submit(hanging(0, limit: nil)) { _ in }
        for key in 1...50 { try queue.submit(.init(key: key) { _ in 0 }) { [recorded] in recorded.add($0.code) } }
        #expect(recorded.wait(for: 50).count == 50)
        #expect(queue.counters.running == 1)
        release.open()
    }

    @Test func `Work that is out of time sees that, and its key may be requested again`() throws {
        let queue = Queue.make(workers: 1, spares: 1)
        let (seen, late) = (Recorder<Bool>(), Gate())
        var request = Queue.Request(key: 1) { context in
            late.pass()
            seen.add(context.isCancelled)
            return 0
        }
        request.limit = instant
        try queue.submit(request) { [recorded] in
            recorded.add($0.code)
            late.open()
        }
        #expect(seen.wait(for: 1) == [true])
        try queue.submit(.init(key: 1) { _ in 0 }) { [recorded] in recorded.add($0.code) }
        #expect(recorded.wait(for: 2) == ["job-timeout", "done"])
    }

    @Test func `The time a job waits does not count`() throws {
        let clock = Clock()
        let queue = Queue.make(clock: clock)
        queue.pause()
        var request = Queue.Request(key: 1) { _ in 0 }
        request.limit = .seconds(1)
        try queue.submit(request) { [recorded] in recorded.add($0.code) }
        clock.advance(.seconds(3600))
        queue.resume()
        #expect(recorded.wait(for: 1) == ["done"])
    }
}
