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

    @Test func `A client that does not read is due, and no more once it reads`() {
        var times = times {
            $0.headEnded(start)
            $0.requestEnded(start)
            $0.becameWritable(false, start)
            $0.becameWritable(false, start + .seconds(10))
        }
        #expect(times.deadline == start + .seconds(30))
        times.becameWritable(true, start + .seconds(20))
        #expect(times.deadline == nil)
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
