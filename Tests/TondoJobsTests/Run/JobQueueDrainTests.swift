import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobQueueDrainTests {
    @Test func `A drain finishes what was accepted, paused or not, and refuses the rest`() async throws {
        let (queue, recorded) = (Queue.make(room: 2), Recorder<String>())
        queue.pause()
        for key in 0..<2 { try queue.submit(.init(key: key) { _ in 0 }) { recorded.add($0.code) } }
        queue.submitWhenRoom(.init(key: 2) { _ in 0 }, completion: { _ in }, admit: { recorded.add($0.code) })
        #expect(await queue.drain(within: .seconds(300)))
        #expect(recorded.wait(for: 3).sorted() == ["done", "done", "queue-closed"])
        #expect(code { () throws(JobError) in try queue.submit(.init(key: 3) { _ in 0 }) { _ in } } == "queue-closed")
    }

    @Test func `A drain that runs out of time cancels what is left`() async throws {
        let (queue, recorded, started, release) = (Queue.make(), Recorder<String>(), Gate(), Gate())
        let seen = Recorder<Bool>()
        let request = Queue.Request(key: 0) { context in
            started.open()
            release.pass()
            seen.add(context.isCancelled)
            return 0
        }
        try queue.submit(request) { recorded.add($0.code) }
        try queue.submit(.init(key: 1) { _ in 0 }) { recorded.add($0.code) }
        started.pass()
        #expect(await queue.drain(within: instant) == false)
        #expect(recorded.wait(for: 2) == ["job-cancelled", "job-cancelled"])
        release.open()
        #expect(seen.wait(for: 1) == [true])
    }

    @Test func `Draining an idle queue is soon done, twice too`() async {
        let queue = Queue.make()
        #expect(await queue.drain(within: .seconds(300)))
        #expect(await queue.drain(within: .zero))
    }

    @Test func `A draining queue need not be retained`() throws {
        let recorded = Recorder<String>()
        do {
            let queue = Queue.make()
            var request = Queue.Request(key: 1) { context in
                if context.attempt == 1 { throw WorkError.busy }
                return 0
            }
            request.retry = JobRetry(delay: instant) { _ in true }
            try queue.submit(request) { recorded.add($0.code) }
            queue.drain(within: .seconds(300)) { recorded.add("in time: \($0)") }
        }
        #expect(Set(recorded.wait(for: 2)) == ["done", "in time: true"])
    }
}
