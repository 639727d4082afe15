import Foundation
import Testing

/// `TONDO_CHAOS_SEEDS`: how many runs; `TONDO_CHAOS_FIRST`: the seed of the first. See `make chaos-pipeline`.
@Suite(.timeLimit(.minutes(60))) struct ServiceChaosTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func `Whatever fails, and whatever changes meanwhile, a client knows the book in its order`() async throws {
        let (first, count) = (Self.number("TONDO_CHAOS_FIRST") ?? 1, Self.number("TONDO_CHAOS_SEEDS") ?? 100)
        let keys = try ServiceChaosRun.keys()
        let lanes = 4
        let problems = try await withThrowingTaskGroup(of: [String].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    var problems: [String] = []
                    for index in stride(from: lane, to: count, by: lanes) where problems.count < 2 {
                        if let problem = try await ServiceChaosRun.problem(of: UInt64(first + index), keys: keys) {
                            problems.append(problem)
                        }
                    }
                    return problems
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for problem in problems { Issue.record("\(problem)") }
    }
}
