import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobQueueRoomTests {
    @Test func `Requests that wait for room are admitted in order`() throws {
        let (queue, admitted, recorded) = (Queue.make(room: 1), Recorder<Int>(), Recorder<String>())
        queue.pause()
        for key in 0..<5 {
            let request = Queue.Request(key: key) { _ in 0 }
            queue.submitWhenRoom(request, completion: { recorded.add($0.code) }, admit: { _ in admitted.add(key) })
        }
        #expect(admitted.all == [0] && queue.counters.waitingForRoom == 4)
        queue.resume()
        #expect(recorded.wait(for: 5).count == 5)
        #expect(admitted.wait(for: 5) == [0, 1, 2, 3, 4])
    }

    @Test func `A loader never queues more than there is room for, and direct requests get in`() throws {
        let (queue, recorded, most) = (Queue.make(depth: 50, room: 8), Recorder<String>(), Recorder<Int>())
        for key in 0..<500 {
            let admitted = Gate()
            queue.submitWhenRoom(.init(key: key) { _ in 0 }) {
                recorded.add($0.code)
            } admit: { _ in
                admitted.open()
            }
            #expect(admitted.pass())
            most.add(queue.counters.queued)
        }
        try queue.submit(.init(key: -1) { _ in 0 }) { recorded.add($0.code) }
        #expect(recorded.wait(for: 501).filter { $0 == "done" }.count == 501)
        #expect(most.all.max() ?? 0 <= 8)
    }

    @Test func `A request for a job that is there needs no room`() throws {
        let (queue, admitted) = (Queue.make(room: 1), Recorder<Int>())
        queue.pause()
        for key in [1, 2, 1] {
            queue.submitWhenRoom(.init(key: key) { _ in 0 }, completion: { _ in }, admit: { _ in admitted.add(key) })
        }
        #expect(admitted.all == [1, 1])
    }

    @Test func `A cancelled request stops waiting for room`() throws {
        let (queue, admitted) = (Queue.make(room: 1), Recorder<String>())
        queue.pause()
        try queue.submit(.init(key: 1) { _ in 0 }) { _ in }
        let waiter = queue.submitWhenRoom(.init(key: 2) { _ in 0 }) { _ in
        } admit: { result in
            do throws(JobError) { _ = try result.get() } catch { admitted.add(error.code) }
        }
        #expect(queue.counters.waitingForRoom == 1)
        waiter.cancel()
        #expect(admitted.all == ["job-cancelled"] && queue.counters.waitingForRoom == 0)
    }
}
