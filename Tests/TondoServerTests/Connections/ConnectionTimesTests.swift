import NIOCore
import Testing

@testable import TondoServer

@Suite struct ConnectionTimesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private func times(_ change: (inout ConnectionTimes) -> Void = { _ in }) -> ConnectionTimes {
        var times = ConnectionTimes(limits: ConnectionLimits(), now: start)
        change(&times)
        return times
    }

    @Test func `A dripped head does not put off its deadline`() {
        let times = times {
            $0.bytesArrived(start + .seconds(5))
            $0.bytesArrived(start + .seconds(14))
        }
        #expect(times.deadline == start + .seconds(15))
    }

    @Test func `Nothing is due while an answer is made`() {
        var times = times {
            $0.bytesArrived(start)
            $0.headEnded(start)
        }
        #expect(times.deadline == start + .seconds(20))
        times.requestEnded(start)
        #expect(times.deadline == nil)
        times.responded(start + .seconds(100))
        #expect(times.deadline == start + .seconds(175))
    }

    @Test func `A client that does not read is due, and no more once it has read all`() {
        var times = times {
            $0.headEnded(start)
            $0.requestEnded(start)
            $0.pending(1_000_000, taken: 0, isPressed: false, now: start)
            $0.pending(1_000_000, taken: 10, isPressed: false, now: start + .seconds(10))
        }
        #expect(times.deadline == start + .seconds(30))
        times.pending(0, taken: 1_000_000, isPressed: false, now: start + .seconds(20))
        #expect(times.deadline == nil)
    }

    @Test func `A client that reads slowly has time as long as it keeps to the rate`() {
        var times = times {
            $0.headEnded(start)
            $0.requestEnded(start)
            $0.responded(start)
        }
        // A megabit a second.
        for second in 0...600 {
            let taken = second * 125_000
            times.pending(80_000_000 - taken, taken: taken, isPressed: true, now: start + .seconds(Int64(second)))
            #expect(times.deadline.map { $0 > start + .seconds(Int64(second)) } == true)
        }
        times.pending(0, taken: 80_000_000, isPressed: false, now: start + .seconds(601))
        // Then it is idle.
        #expect(times.deadline == start + .seconds(676))
    }

    @Test(arguments: [(1, false, false), (1_023, false, false), (1_025, false, true), (1_025, true, false)])
    func `Progress below the minimum rate does not put off the end`(rate: Int, isPressed: Bool, isEnough: Bool) {
        var times = times { $0.headEnded(start) }
        times.requestEnded(start)
        for second in 0...30 {
            let taken = second * rate
            times.pending(9_000_000, taken: taken, isPressed: isPressed, now: start + .seconds(Int64(second)))
        }
        #expect(times.deadline == start + .seconds(isEnough ? 60 : 30))
    }

    @Test func `One byte a minute is not progress`() {
        var times = times { $0.headEnded(start) }
        times.requestEnded(start)
        for minute in 0...2 {
            times.pending(90_000, taken: minute, isPressed: false, now: start + .seconds(Int64(60 * minute)))
        }
        #expect(times.deadline == start + .seconds(30))
    }

    @Test func `A refused client has two seconds, whatever it sends`() {
        let times = times {
            $0.headEnded(start)
            $0.linger(start)
            $0.bytesArrived(start + .seconds(1))
        }
        #expect(times.deadline == start + .seconds(2))
    }
}
