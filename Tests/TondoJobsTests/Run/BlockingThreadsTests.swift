import Dispatch
import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite(.timeLimit(.minutes(15))) struct BlockingThreadsTests {
    @Test func `As many works as there are threads run at once, each while others block`() {
        let (threads, recorded, gate) = (BlockingThreads(count: 8, label: "test"), Recorder<Int>(), Gate())
        for number in 0..<9 {
            threads.run {
                recorded.add(number)
                gate.pass()
            }
        }
        #expect(recorded.wait(for: 8).sorted() == Array(0..<8))
        gate.open()
        #expect(recorded.wait(for: 1).count == 9)
    }

    @Test func `Works that wait begin in the order they came`() {
        let (threads, recorded, gate) = (BlockingThreads(count: 1, label: "test"), Recorder<Int>(), Gate())
        threads.run { gate.pass() }
        for number in 0..<100 { threads.run { recorded.add(number) } }
        gate.open()
        #expect(recorded.wait(for: 100) == Array(0..<100))
    }
}
