import Testing
import TondoTestSupport

@testable import TondoJobs

@Suite struct QueueStatePropertyTests {
    @Test(arguments: 0..<60 as Range<UInt64>)
    func `Any sequence of operations keeps the promises`(_ seed: UInt64) {
        var random = SplitMix64(seed)
        let rules = Schedule.Rules(
            workers: .random(in: 1...3, using: &random), spares: .random(in: 0...2, using: &random),
            depth: .random(in: 1...60, using: &random),
            wait: Bool.random(using: &random) ? Self.waitBound(&random) : nil,
            room: .random(in: 1...10, using: &random),
            kinds: [[], [nil, 1], [1, 2, nil], [2, 1]].randomElement(using: &random)!, ageing: 50)
        var model = StateModel(rules)
        for _ in 0..<400 {
            step(&model, &random)
            model.runToEnd()
        }
        model.setPaused(false)
        model.close()
        for _ in 0..<2000 where !(model.open.isEmpty && model.running.isEmpty) {
            model.runToEnd()
            model.start()
            if !model.running.isEmpty { model.finish(0, .done) }
            model.advance(10)
        }
        model.runToEnd()
        #expect(model.open.isEmpty && model.waiting.isEmpty && model.state.isDone)
    }

    private func step(_ model: inout StateModel, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: model.submit(submission(&random), whenRoom: Bool.random(using: &random))
        case 30..<40:
            if let subscriber = pick(model.open.keys, &random) { model.cancel(subscriber) }
        case 40..<48:
            let priority = JobPriority.allCases.randomElement(using: &random)!
            if let subscriber = pick(model.open.keys, &random) { model.raise(subscriber, to: priority) }
        case 48..<65: model.start()
        case 65..<85:
            let outcome = [Schedule.Outcome.done, .failed, .failedForNow].randomElement(using: &random)!
            if let place = model.running.indices.randomElement(using: &random) { model.finish(place, outcome) }
        case 85..<95: model.advance(.random(in: 0...20, using: &random))
        case 95..<97: model.setPaused(Bool.random(using: &random))
        default:
            if let waiter = pick(model.waiting.keys, &random) { model.stopWaiting(waiter) }
        }
    }

    private static func waitBound(_ random: inout SplitMix64) -> QueueTimeout {
        QueueTimeout(longest: .random(in: 1...40, using: &random), burst: .random(in: 0...80, using: &random))
    }

    /// Dictionaries differ in their order from run to run; sorted names do not.
    private func pick<T>(
        _ ids: some Collection<Slots<T>.ID>, _ random: inout SplitMix64
    ) -> Slots<T>.ID? {
        ids.sorted { $0.index < $1.index }.randomElement(using: &random)
    }

    private func submission(_ random: inout SplitMix64) -> QueueState<Int>.Submission {
        let plan = Schedule.Plan(
            limit: Bool.random(using: &random) ? .random(in: 0...60, using: &random) : nil,
            attempts: .random(in: 1...3, using: &random), delay: .random(in: 0...10, using: &random), longest: 15)
        let priority = JobPriority.allCases.randomElement(using: &random)!
        let key = Int.random(in: 0..<80, using: &random)
        return .init(key: key, priority: priority, plan: plan, kind: key % 4)
    }
}
