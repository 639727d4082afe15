import Testing

@testable import TondoJobs

@Suite struct QueueStateTests {
    private typealias State = QueueState<String>

    private var state = State(rules: Schedule.Rules(workers: 1, depth: 100, ageing: 100))

    /// Starts one job after the other and gives the keys in the order of their starts.
    private mutating func starts(_ keys: [Schedule.JobID: String], now: UInt64 = 0) -> [String] {
        var order: [String] = []
        while let worker = state.startWorker() {
            var job = state.next(for: worker, isSearching: true, now: now)
            while let running = job {
                order.append(keys[running] ?? "?")
                _ = state.finish(running, with: .done, now: now)
                job = state.next(for: worker, isSearching: false, now: now)
            }
            leave(worker, now: now)
        }
        return order
    }

    /// A worker that found nothing asks once more before it leaves.
    private mutating func leave(_ worker: Int, now: UInt64) {
        let job = state.next(for: worker, isSearching: true, now: now)
        #expect(job == nil)
    }

    private mutating func add(_ key: String, _ priority: JobPriority, now: UInt64 = 0) -> (Schedule.JobID, String) {
        guard case .added(let job, _) = state.submit(.init(key: key, priority: priority), now: now) else {
            preconditionFailure("not a new job")
        }
        return (job, key)
    }

    @Test mutating func `The most urgent comes first, and of equals the first that came`() {
        let jobs = [
            add("idle", .idle), add("background", .background), add("near 1", .near), add("visible 1", .visible),
            add("near 2", .near), add("visible 2", .visible),
        ]
        let keys = Dictionary(uniqueKeysWithValues: jobs)
        #expect(starts(keys) == ["visible 1", "visible 2", "near 1", "near 2", "background", "idle"])
    }

    @Test mutating func `A pause after the close stops nothing`() {
        let jobs = [add("a", .near)]
        _ = state.close(due: 1_000)
        state.setPaused(true, now: 0)
        #expect(starts(Dictionary(uniqueKeysWithValues: jobs)) == ["a"])
    }

    @Test mutating func `Every fourth start is the job that has waited too long`() {
        var jobs = [add("old idle", .idle), add("old background", .background, now: 1)]
        for number in 1...9 { jobs.append(add("visible \(number)", .visible, now: 60)) }
        let order = starts(Dictionary(uniqueKeysWithValues: jobs), now: 120)
        #expect(order.firstIndex(of: "old idle") == 3)
        #expect(order.firstIndex(of: "old background") == 7)
        #expect(order.filter { $0.hasPrefix("visible") } == (1...9).map { "visible \($0)" })
    }

    @Test mutating func `A job that has waited for too long is not starved by more urgent ones of its kind`() {
        state = State(rules: Schedule.Rules(workers: 2, depth: 100, kinds: [nil, 1], ageing: 100))
        var keys: [Schedule.JobID: String] = [:]
        func add(_ key: String, _ priority: JobPriority, kind: Int, to state: inout State, now: UInt64) {
            let submission = State.Submission(key: key, priority: priority, kind: kind)
            if case .added(let job, _) = state.submit(submission, now: now) { keys[job] = key }
        }
        add("old", .idle, kind: 1, to: &state, now: 0)
        for number in 0..<20 { add("scarce \(number)", .visible, kind: 1, to: &state, now: 200) }
        for number in 0..<20 { add("other \(number)", .visible, kind: 0, to: &state, now: 200) }
        // One worker has the scarce jobs; the other one asks three times meanwhile.
        let workers = (0..<2).compactMap { _ in state.startWorker() }
        var order: [String] = []
        var isSearching = [true, true]
        func run(_ place: Int, _ state: inout State) -> Schedule.JobID? {
            defer { isSearching[place] = false }
            return state.next(for: workers[place], isSearching: isSearching[place], now: 200)
        }
        for _ in 0..<5 {
            guard let scarce = run(0, &state) else { break }
            order.append(keys[scarce] ?? "?")
            for _ in 0..<3 { if let other = run(1, &state) { _ = state.finish(other, with: .done, now: 200) } }
            _ = state.finish(scarce, with: .done, now: 200)
        }
        #expect(order.prefix(2).contains("old"))
        #expect(order.filter { $0 != "old" } == (0..<4).map { "scarce \($0)" })
    }

    @Test mutating func `A more urgent subscriber raises the job to the end of its lane`() {
        let jobs = [add("a", .visible), add("b", .idle), add("c", .idle)]
        guard case .joined = state.submit(.init(key: "c", priority: .visible), now: 0) else {
            #expect(Bool(false), "not joined")
            return
        }
        #expect(starts(Dictionary(uniqueKeysWithValues: jobs)) == ["a", "c", "b"])
    }

    @Test mutating func `A less urgent subscriber changes nothing`() {
        let jobs = [add("a", .near), add("b", .near)]
        _ = state.submit(.init(key: "a", priority: .idle), now: 0)
        #expect(starts(Dictionary(uniqueKeysWithValues: jobs)) == ["a", "b"])
    }

    @Test mutating func `Back-off doubles up to its longest`() {
        let plan = Schedule.Plan(attempts: 5, delay: 10, longest: 35)
        _ = state.submit(.init(key: "a", plan: plan), now: 0)
        var delays: [UInt64] = []
        var now: UInt64 = 0
        while let worker = state.startWorker(), let job = state.next(for: worker, isSearching: true, now: now) {
            let ending = state.finish(job, with: .failedForNow, now: now)
            _ = state.next(for: worker, isSearching: false, now: now)
            leave(worker, now: now)
            guard ending == nil, let due = state.nextTimer else { break }
            delays.append(due - now)
            now = due
            _ = state.expire(now: now)
        }
        #expect(delays == [10, 20, 35, 35])
        #expect(state.counters.failed == 1 && state.counters.retried == 4)
    }

    @Test mutating func `No further try is begun that could not end in time`() throws {
        _ = state.submit(.init(key: "a", plan: .init(limit: 10, attempts: 9, delay: 10, longest: 10)), now: 0)
        let worker = state.startWorker()
        let job = state.next(for: try #require(worker), isSearching: true, now: 0)
        let ending = state.finish(try #require(job), with: .failedForNow, now: 1)
        #expect(ending != nil)
        #expect(state.counters.failed == 1)
    }

    @Test mutating func `Nothing is due while nothing runs or waits for another try`() {
        _ = state.submit(.init(key: "a", plan: .init(limit: 10, attempts: 9, delay: 10, longest: 10)), now: 0)
        #expect(state.nextTimer == nil)
    }
}
