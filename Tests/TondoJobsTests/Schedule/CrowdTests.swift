import Testing

@testable import TondoJobs

/// Crowds that come again and again, in milliseconds: a job takes ten, and four times as many come as can be done.
@Suite struct CrowdTests {
    private var state = QueueState<Int>(
        rules: Schedule.Rules(workers: 1, wait: QueueTimeout(longest: 600, burst: 5_000)))
    private var entered: [Schedule.JobID: UInt64] = [:]
    private var worker: (number: Int, job: Schedule.JobID?)?
    /// Of each job that started: when, and how long it had waited.
    private var starts: [(now: UInt64, wait: UInt64)] = []

    private mutating func come(_ count: Int, now: UInt64) {
        for _ in 0..<count {
            let submission = QueueState<Int>.Submission(key: Int(now) * 1_000 + entered.count)
            if case .added(let job, _) = state.submit(submission, now: now) { entered[job] = now }
        }
    }

    private mutating func work(now: UInt64) {
        if let job = worker?.job { _ = state.finish(job, with: .done, now: now) }
        while let ending = state.refuseOverdue(now: now) { entered[ending.job] = nil }
        let wasAtWork = worker?.job != nil
        guard let number = worker?.number ?? state.startWorker() else { return }
        let job = state.next(for: number, isSearching: !wasAtWork, now: now)
        worker = job != nil || wasAtWork ? (number, job) : nil
        if let job, let enqueued = entered.removeValue(forKey: job) { starts.append((now, now - enqueued)) }
    }

    @Test(arguments: [1_000, 700, 100, 10] as [UInt64])
    mutating func `Crowds that come again and again wait for long at first only`(_ pause: UInt64) throws {
        for now in stride(from: UInt64(0), to: 60_000, by: 10) {
            if now.isMultiple(of: pause) { come(Int(pause) * 4 / 10, now: now) }
            work(now: now)
        }
        #expect(try #require(starts.filter { $0.now < 6_000 }.map(\.wait).max()) > 2_000)
        let later = starts.filter { $0.now >= 6_000 }
        #expect(try #require(later.map(\.wait).max()) <= 610)
        #expect(later.count >= 54 * 55)
    }
}
