internal import Dispatch
internal import Synchronization
internal import TondoJobs

/// Waits for a queue to let a request in. For one use.
final class Admission: Sendable {
    private let told = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<JobSubscription, JobError>?>(nil)

    func tell(_ result: Result<JobSubscription, JobError>) {
        self.result.withLock { $0 = result }
        told.signal()
    }

    /// Blocks.
    func wait() throws(JobError) -> JobSubscription {
        told.wait()
        guard let result = result.withLock({ $0 }) else { throw .closed }
        return try result.get()
    }
}
