/// Why a job was refused, or gave no value. Every case has a stable `code` for scripts.
package enum JobError: Error, Sendable {
    /// This many jobs are queued already. Thrown at once, and nothing was queued; or reported later, if the job's turn
    /// came too late.
    case queueFull(depth: Int)
    /// The queue is draining, or has drained, and accepts no more jobs.
    case closed
    /// By its waiter, or by a drain that ran out of time.
    case cancelled
    /// The work exceeded this time limit.
    case timedOut(after: Duration)
    /// The error of the last attempt.
    case failed(any Error)

    /// Stable over versions. `failed` has one code for all errors of the work.
    package var code: String {
        switch self {
        case .queueFull: "queue-full"
        case .closed: "queue-closed"
        case .cancelled: "job-cancelled"
        case .timedOut: "job-timeout"
        case .failed: "job-failed"
        }
    }
}

extension JobError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .queueFull(let depth): "the queue is full: \(depth) jobs are queued"
        case .closed: "the queue is closed"
        case .cancelled: "cancelled"
        case .timedOut(let limit): "not finished within \(limit)"
        case .failed(let error): "\(error)"
        }
    }
}
