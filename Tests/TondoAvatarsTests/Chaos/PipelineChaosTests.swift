import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TondoAvatars

/// `TONDO_CHAOS_SEEDS`: how many runs; `TONDO_CHAOS_FIRST`: the seed of the first. See `make chaos-pipeline`.
@Suite(.timeLimit(.minutes(60))) struct PipelineChaosTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func `Whatever fails, and whatever changes meanwhile, every avatar is reported once and in order`()
        async throws
    {
        let (first, count) = (Self.number("TONDO_CHAOS_FIRST") ?? 1, Self.number("TONDO_CHAOS_SEEDS") ?? 200)
        let keys = try ChaosKeys()
        let problems = Mutex<[String]>([])
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: count) { index in
                    // The first ones are enough; one that hangs takes minutes.
                    if problems.withLock({ !$0.isEmpty }) { return }
                    if let problem = ChaosRun.problem(of: UInt64(first + index), keys: keys) {
                        problems.withLock { $0.append(problem) }
                    }
                }
                done.resume()
            }
        }
        for problem in problems.withLock({ $0 }) { Issue.record("\(problem)") }
    }
}
