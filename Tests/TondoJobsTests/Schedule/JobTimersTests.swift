import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct JobTimersTests {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func `Alarms ring in the order of their times, each once`(_ seed: UInt64) {
        var random = SplitMix64(seed)
        var slots = Slots<Schedule.Job>()
        var timers = JobTimers()
        var expected: [Schedule.JobID: UInt64] = [:]
        let job = Schedule.Job(plan: .init(), submitted: 0, priority: .idle, ignoresTimeout: false, entered: 0)
        let jobs = (0..<50).map { _ in slots.insert(job) }
        for _ in 0..<500 {
            let job = jobs.randomElement(using: &random)!
            if Int.random(in: 0..<3, using: &random) == 0 {
                timers.clear(job)
                expected[job] = nil
            } else {
                let due = UInt64.random(in: 0..<100, using: &random)
                timers.set(job, due: due)
                expected[job] = due
            }
            #expect(timers.earliest == expected.values.min())
        }
        var last: UInt64 = 0
        while let due = timers.earliest {
            #expect(due >= last && (due == 0 || timers.next(now: due - 1) == nil))
            last = due
            guard let job = timers.next(now: due) else { break }
            #expect(expected.removeValue(forKey: job) == due)
        }
        #expect(expected.isEmpty)
    }
}
