import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobQueueCancelTests {
    private let queue = Queue.make()
    private let recorded = Recorder<String>()

    private func submit(
        _ key: Int, as name: String, _ work: @escaping @Sendable (JobContext) throws -> Int = { _ in 0 }
    ) throws -> JobSubscription {
        try queue.submit(.init(key: key, work: work)) { [recorded] in recorded.add("\(name) \($0.code)") }
    }

    @Test func `Cancelling one subscriber leaves the other its value`() throws {
        queue.pause()
        let first = try submit(1, as: "first")
        _ = try submit(1, as: "second")
        first.cancel()
        queue.resume()
        #expect(recorded.wait(for: 2) == ["first job-cancelled", "second done"])
    }

    @Test func `The last cancel takes a waiting job out`() throws {
        queue.pause()
        let subscriptions = try ["first", "second"].map { try submit(1, as: $0) { _ in throw WorkError.broken } }
        for subscription in subscriptions { subscription.cancel() }
        #expect(recorded.all == ["first job-cancelled", "second job-cancelled"])
        #expect(queue.counters.queued == 0 && queue.counters.cancelled == 1)
    }

    @Test func `Cancelling twice, or too late, does nothing`() throws {
        let done = Gate()
        let subscription = try queue.submit(.init(key: 1) { _ in 0 }) { [recorded] in
            recorded.add($0.code)
            done.open()
        }
        done.pass()
        subscription.cancel()
        subscription.cancel()
        subscription.raise(to: .visible)
        #expect(recorded.all == ["done"] && queue.counters.cancelled == 0)
    }

    @Test func `Running work sees the last cancel`() throws {
        let (started, cancelled) = (Gate(), Gate())
        let seen = Recorder<Bool>()
        let subscription = try submit(1, as: "a") { context in
            seen.add(context.isCancelled)
            started.open()
            cancelled.pass()
            seen.add(context.isCancelled)
            try context.check()
            return 0
        }
        started.pass()
        subscription.cancel()
        cancelled.open()
        #expect(seen.wait(for: 2) == [false, true])
        #expect(recorded.all == ["a job-cancelled"])
    }

    @Test func `A key whose running work was given up runs anew`() throws {
        let (started, free) = (Gate(), Gate())
        let subscription = try submit(1, as: "first") { _ in
            started.open()
            free.pass()
            return 0
        }
        started.pass()
        subscription.cancel()
        _ = try submit(1, as: "second")
        free.open()
        #expect(recorded.wait(for: 2) == ["first job-cancelled", "second done"])
    }

    @Test func `A cancelled task leaves its job`() async throws {
        queue.pause()
        let task = Task { [queue] in
            do throws(JobError) { return "\(try await queue.value(.init(key: 1) { _ in 5 }))" } catch {
                return error.code
            }
        }
        task.cancel()
        #expect(await task.value == "job-cancelled")
        #expect(queue.counters.queued == 0)
    }

    @Test func `A task gets the value`() async throws {
        #expect(try await queue.value(.init(key: 1) { _ in 5 }) == 5)
    }
}
