import Dispatch
import Testing

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15))) struct IdleTimerTests {
    @Test func `An idle period is reported after activity, and again after the next activity`() async {
        let (idlePeriods, recorded) = AsyncStream.makeStream(of: Void.self)
        let idleTimer = IdleTimer(after: .milliseconds(1)) { recorded.yield() }
        var iterator = idlePeriods.makeAsyncIterator()
        for _ in 0..<2 {
            idleTimer.recordActivity()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `Continued activity is reported now and then`() async {
        let (intervals, recorded) = AsyncStream.makeStream(of: Void.self)
        let idleTimer = IdleTimer(after: .milliseconds(1), intervals: 1, whileActive: { recorded.yield() }, action: {})
        let activity = Task {
            while !Task.isCancelled {
                idleTimer.recordActivity()
                await Task.yield()
            }
        }
        var iterator = intervals.makeAsyncIterator()
        for _ in 0..<2 { #expect(await iterator.next() != nil) }
        activity.cancel()
    }

    /// What `action` would release, such as workers, is released with the owner, and not after the period.
    @Test func `A timer keeps nothing that its owner has released`() {
        final class Workers: Sendable { func end() {} }
        weak var released: Workers?
        do {
            let workers = Workers()
            released = workers
            let idleTimer = IdleTimer(after: .seconds(3_600)) { workers.end() }
            idleTimer.recordActivity()
        }
        #expect(released == nil)
    }
}
