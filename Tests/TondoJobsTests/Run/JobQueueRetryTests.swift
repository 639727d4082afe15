import Glibc
import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite(.timeLimit(.minutes(15))) struct JobQueueRetryTests {
    private let queue = Queue.make()
    private let recorded = Recorder<String>()

    /// Fails with `error` before the try with this number.
    private func request(succeedingAt attempt: Int, _ error: WorkError = .busy) -> Queue.Request {
        var request = Queue.Request(1) { context in
            if context.attempt < attempt { throw error }
            return context.attempt
        }
        request.retry = JobRetry(attempts: 3, delay: instant) { $0 as? WorkError == .busy }
        return request
    }

    @Test func `A transient failure is tried again`() throws {
        try queue.submit(request(succeedingAt: 3)) { [recorded] in recorded.add("\($0)") }
        #expect(recorded.wait(for: 1) == ["success(3)"])
        #expect(queue.counters.retried == 2 && queue.counters.failed == 0 && queue.counters.run.count == 3)
    }

    @Test func `Any other failure is not`() throws {
        try queue.submit(request(succeedingAt: 2, .broken)) { [recorded] in recorded.add("\($0)") }
        #expect(recorded.wait(for: 1) == ["failure(broken)"])
    }

    @Test func `After the last attempt the failure is reported`() throws {
        try queue.submit(request(succeedingAt: 4)) { [recorded] in recorded.add("\($0)") }
        #expect(recorded.wait(for: 1) == ["failure(busy)"])
        #expect(queue.counters.retried == 2)
    }

    /// Fails for now until its third attempt, with an hour between attempts. `attempted`: during each.
    private func patient(_ attempted: @escaping @Sendable (JobContext) -> Void) -> Queue.Request {
        var request = Queue.Request(1) { context in
            attempted(context)
            if context.attempt < 3 { throw WorkError.busy }
            return context.attempt
        }
        request.retry = JobRetry(attempts: 3, delay: .seconds(3_600)) { _ in true }
        request.retry.longest = .seconds(3_600)
        return request
    }

    @Test func `A pause before the next attempt can be ended`() throws {
        let pauses = Recorder<JobPause>()
        try queue.submit(patient { pauses.add($0.pause) }) { [recorded] in recorded.add("\($0)") }
        for _ in 1...2 {
            let pause = pauses.wait(for: 1).last
            while queue.counters.delayed == 0 { usleep(1_000) }
            pause?.end()
        }
        #expect(recorded.wait(for: 1) == ["success(3)"])
        #expect(queue.counters.retried == 2 && queue.counters.delayed == 0)
        pauses.all.last?.end()
    }

    @Test func `What happens during an attempt leaves out the pause after it`() throws {
        try queue.submit(patient { $0.pause.end() }) { [recorded] in recorded.add("\($0)") }
        #expect(recorded.wait(for: 1) == ["success(3)"])
    }

    @Test func `An end of a pause holds for one attempt only`() throws {
        try queue.submit(patient { if $0.attempt == 1 { $0.pause.end() } }) { [recorded] in recorded.add("\($0)") }
        try queue.submit(.init(2) { _ in 0 }) { [recorded] in recorded.add("2 \($0.code)") }
        #expect(recorded.wait(for: 1) == ["2 done"])
        while queue.counters.delayed == 0 { usleep(1_000) }
        #expect(queue.counters.retried == 1)
    }

    @Test func `A pause keeps no queue`() throws {
        let pauses = Recorder<JobPause>()
        var other: Queue? = Queue.make()
        weak let core = other?.core
        try other?.submit(patient { pauses.add($0.pause) }) { [recorded] in recorded.add($0.code) }
        let pause = try #require(pauses.wait(for: 1).first)
        other = nil
        #expect(recorded.wait(for: 1) == ["job-cancelled"])
        #expect(core == nil)
        pause.end()
    }

    @Test func `Others run while a job waits for another try`() throws {
        var untimed = request(succeedingAt: 2)
        untimed.retry.delay = .seconds(3600)
        untimed.retry.longest = .seconds(3600)
        try queue.submit(untimed) { [recorded] in recorded.add("1 \($0.code)") }
        try queue.submit(.init(2) { _ in 0 }) { [recorded] in recorded.add("2 \($0.code)") }
        #expect(recorded.wait(for: 1) == ["2 done"])
        #expect(queue.counters.delayed == 1)
    }
}
