import Dispatch
import Synchronization
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(15)), .blocking) struct EventQueueTests {
    @Test func `Events of many threads are delivered once, those of each in their order, and then the end`() {
        let received = Recorder<(id: String, number: UInt64)?>()
        let queue = EventQueue { item in
            guard let item, case .contactRemoved(let id) = item.event else { return received.add(nil) }
            received.add((id, item.number))
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for step in 0..<500 { queue.send(.contactRemoved(id: "\(thread) \(step)")) }
        }
        queue.finish()
        let all = received.wait(for: 4_001)
        #expect(all.last.map { $0 == nil } == true && all.dropLast().allSatisfy { $0 != nil })
        #expect(all.compactMap { $0?.number } == Array(1...4_000))
        for thread in 0..<8 {
            let own = all.compactMap { $0?.id }.filter { $0.hasPrefix("\(thread) ") }
            #expect(own == (0..<500).map { "\(thread) \($0)" })
        }
    }

    /// The thread waits for more events before it is released, and must not miss one that comes while it gives up.
    @Test func `An event that comes at any time after another one is delivered`() {
        let received = Recorder<String>()
        let queue = EventQueue { item in
            if case .contactRemoved(let id)? = item?.event { received.add(id) }
        }
        for step in 0..<300 {
            queue.send(.contactRemoved(id: "\(step)"))
            // Around the half millisecond of that wait, and without any.
            let next = ContinuousClock.now + .microseconds(step % 60 * 20)
            while ContinuousClock.now < next {}
            _ = received.wait(for: 1)
        }
        #expect(received.all == (0..<300).map { "\($0)" })
    }

    @Test func `A pause is reported after the events before it, and once for many of them`() {
        let log = Recorder<String>()
        let queue = EventQueue { item in
            if case .contactRemoved(let id)? = item?.event { log.add(id) }
        } paused: {
            log.add("pause")
        }
        let isOpen = DispatchSemaphore(value: 0)
        queue.afterAll { isOpen.wait() }
        for step in 0..<100 { queue.send(.contactRemoved(id: "\(step)")) }
        isOpen.signal()
        #expect(log.wait(for: 101) == (0..<100).map { "\($0)" } + ["pause"])
    }
}
