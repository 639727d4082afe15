import Testing
import TondoTestSupport

@testable import TondoJobs

/// Each queue has one worker, and one job waits.
@Suite struct JobQueueStandstillTests {
    private let clock = Clock()
    private let gate = Gate()

    /// A queue whose worker is held by `work` or by what follows it, and a job that waits for it.
    private func blocked(limit: Duration? = nil, inCompletion: Bool) throws -> Queue {
        let (queue, begun) = (Queue.make(depth: 1, clock: clock), Gate())
        var first = Queue.Request(key: 1) { [gate] _ in
            if !inCompletion {
                begun.open()
                gate.pass()
            }
            return 0
        }
        first.limit = limit
        try queue.submit(first) { [gate] _ in
            guard inCompletion else { return }
            begun.open()
            gate.pass()
        }
        #expect(begun.pass())
        try queue.submit(.init(key: 2) { _ in 0 }) { _ in }
        return queue
    }

    @Test func `Jobs that wait behind a completion that blocks are a standstill`() throws {
        let queue = try blocked(inCompletion: true)
        #expect(queue.standstill == .zero)
        clock.advance(.seconds(61))
        #expect(queue.standstill == .seconds(61))
        gate.open()
    }

    @Test func `Work that is within its limit is no standstill`() throws {
        let queue = try blocked(limit: .seconds(100), inCompletion: false)
        clock.advance(.seconds(99))
        #expect(queue.standstill == .zero)
        clock.advance(.seconds(11))
        #expect(queue.standstill == .seconds(10))
        gate.open()
    }

    @Test func `A pause is no standstill, during it and after it`() throws {
        let queue = Queue.make(depth: 1, clock: clock)
        queue.pause()
        try queue.submit(.init(key: 1) { _ in 0 }) { _ in }
        clock.advance(.seconds(99))
        #expect(queue.standstill == .zero)
        let recorded = Recorder<String>()
        try queue.submit(.init(key: 1) { _ in 0 }) { recorded.add($0.code) }
        queue.resume()
        #expect(recorded.wait(for: 1) == ["done"])
        #expect(queue.standstill == .zero)
    }

    @Test func `A job that fails ends a standstill`() throws {
        let (queue, recorded) = (try blocked(inCompletion: true), Recorder<String>())
        clock.advance(.seconds(50))
        queue.submitWhenRoom(
            .init(key: 3) { _ in throw WorkError.broken }, completion: { recorded.add($0.code) }, admit: { _ in })
        gate.open()
        #expect(recorded.wait(for: 1) == ["job-failed"])
        #expect(queue.standstill == .zero)
    }
}
