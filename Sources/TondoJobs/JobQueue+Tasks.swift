/// The same for tasks, which wait without blocking a thread.
extension JobQueue {
    /// Returns when the request is accepted. Throws `closed`, or `cancelled` if the task is cancelled.
    @discardableResult
    package func submitWhenRoom(
        _ request: Request, completion: @escaping Completion
    ) async throws(JobError) -> JobSubscription {
        try await cancellable { resume in
            submitWhenRoom(request, completion: completion, admit: resume).cancel
        }
    }

    /// The value of one request. A cancelled task leaves the job and throws `cancelled`.
    package func value(_ request: Request) async throws(JobError) -> Value {
        try await cancellable { resume in
            do throws(JobError) { return try submit(request, completion: resume).cancel } catch {
                resume(.failure(error))
                return {}
            }
        }
    }

    /// True if all jobs were finished in time.
    package func drain(within limit: Duration) async -> Bool {
        await withCheckedContinuation { continuation in
            drain(within: limit) { continuation.resume(returning: $0) }
        }
    }
}

/// Waits for the one callback of `begin`. `begin` returns the means to cancel it.
private func cancellable<R: Sendable>(
    _ begin: (@escaping @Sendable (Result<R, JobError>) -> Void) -> @Sendable () -> Void
) async throws(JobError) -> R {
    let latch = CancellationLatch()
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Result<R, JobError>, Never>) in
            latch.arm(begin { continuation.resume(returning: $0) })
        }
    } onCancel: {
        latch.cancel()
    }
    return try result.get()
}

/// Connects a cancellation with its target, in whichever order they come.
private final class CancellationLatch: Sendable {
    private let state = Locked<(isCancelled: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

    func arm(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
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
