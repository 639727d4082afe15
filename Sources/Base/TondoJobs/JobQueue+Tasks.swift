/// For tasks, which wait without blocking a thread.
extension JobQueue {
    /// The value of one request. A cancelled task leaves the job and throws `cancelled`.
    package func value(_ request: Request) async throws(JobError) -> Value {
        let latch = CancellationLatch()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, JobError>, Never>) in
                do throws(JobError) {
                    let subscription = try submit(request) { continuation.resume(returning: $0) }
                    latch.arm(subscription.cancel)
                } catch { continuation.resume(returning: .failure(error)) }
            }
        } onCancel: {
            latch.cancel()
        }
        return try result.get()
    }

    /// True if all jobs were finished in time.
    package func drain(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            drain(within: limit) { continuation.resume(returning: $0) }
        }
    }
}

/// Connects a cancellation with its target, in whichever order they come.
private final class CancellationLatch: Sendable {
    private let state = Locked<(isCancelled: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

    func arm(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        // The task was cancelled before there was a subscription to cancel.
        if isCancelled { cancel() }
    }

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }
}
