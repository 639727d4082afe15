import Glibc
import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite(.timeLimit(.minutes(15))) struct JobQueueRetryTests {
    private let queue = Queue.make()
    private let recorded = Recorder<String>()

    /// Fails with `error` before the try with this number.
    private func request(succeedingAt attempt: Int, _ error: WorkError = .busy) -> Queue.Request {
        var request = Queue.Request(key: 1) { context in
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

    @Test func `Others run while a job waits for another try`() throws {
        var untimed = request(succeedingAt: 2)
        untimed.retry.delay = .seconds(3600)
        untimed.retry.longest = .seconds(3600)
        try queue.submit(untimed) { [recorded] in recorded.add("1 \($0.code)") }
        try queue.submit(.init(key: 2) { _ in 0 }) { [recorded] in recorded.add("2 \($0.code)") }
        #expect(recorded.wait(for: 1) == ["2 done"])
        #expect(queue.counters.delayed == 1)
    }
}
