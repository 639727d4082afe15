internal import Dispatch
package import Testing

/// Runs tests that wait for other programs on threads of their own. Swift's pool has one thread for each processor: two tests
/// that block them hold up every other test for as long as they take, beyond its time limit.
package struct BlockingTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    package static var blocking: Self { Self() }
}

private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()
    private let threads = DispatchQueue(label: "tondo.tests.blocking", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
