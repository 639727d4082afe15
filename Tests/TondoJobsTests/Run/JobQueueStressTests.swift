import Dispatch
import Glibc
import Testing
import TondoTestSupport

@testable import TondoJobs

/// Meant for ThreadSanitizer, and quick without it.
@Suite struct JobQueueStressTests {
    @Test func `Many threads at once call back every waiter exactly once`() throws {
        var options = Queue.Options()
        (options.workers, options.spares, options.depth, options.room) = (3, 2, 300, 20)
        options.ageing = .microseconds(200)
        let queue = JobQueue<Int, Int>(options)
        let (recorded, refused, accepted) = (Counter(), Counter(), Counter())
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SplitMix64(UInt64(thread))
            var subscriptions: [JobSubscription] = []
            for _ in 0..<1500 {
                let request = Self.request(&random)
                if Bool.random(using: &random) {
                    queue.submitWhenRoom(
                        request, completion: { _ in recorded.add() },
                        admit: { if case .success = $0 { accepted.add() } else { refused.add() } })
                } else {
                    do throws(JobError) {
                        subscriptions.append(try queue.submit(request) { _ in recorded.add() })
                        accepted.add()
                    } catch { refused.add() }
                }
                Self.disturb(queue, &subscriptions, &random)
            }
        }
        queue.resume()
        let (drained, inTime) = (Gate(), Recorder<Bool>())
        queue.drain(within: .seconds(300)) {
            inTime.add($0)
            drained.open()
        }
        #expect(drained.pass() && inTime.all == [true])
        // The callbacks follow the end of the last job, on other threads.
        let deadline = DispatchTime.now() + testTimeout
        while accepted.count + refused.count < 6000 || recorded.count < accepted.count, DispatchTime.now() < deadline {
            usleep(1_000)
        }
        #expect(recorded.count == accepted.count && recorded.count + refused.count == 6000)
        let counters = queue.counters
        let ended = counters.done + counters.failed + counters.timedOut + counters.overdue + counters.cancelled
        #expect(ended + counters.coalesced == accepted.count && counters.refused == refused.count)
    }

    private static func request(_ random: inout SplitMix64) -> Queue.Request {
        let fails = Int.random(in: 0..<10, using: &random) == 0
        var request = Queue.Request(key: Int.random(in: 0..<500, using: &random)) { context in
            if fails, context.attempt == 1 { throw WorkError.busy }
            try context.check()
            return 0
        }
        request.priority = JobPriority.allCases.randomElement(using: &random)!
        request.limit = Bool.random(using: &random) ? .milliseconds(1) : nil
        request.retry = JobRetry(delay: .microseconds(100)) { _ in true }
        return request
    }

    private static func disturb(_ queue: Queue, _ subscriptions: inout [JobSubscription], _ random: inout SplitMix64) {
        guard let subscription = subscriptions.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: subscription.cancel()
        case 5..<9: subscription.raise(to: .visible)
        case 9: queue.pause()
        default: queue.resume()
        }
    }
}
