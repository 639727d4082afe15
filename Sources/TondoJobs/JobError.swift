/// Why a job was not taken, or gave no value. Every case has a stable `code` for scripts.
package enum JobError: Error, Sendable {
    /// So many jobs wait already. Told at once, and nothing was queued; or later, when the job's turn came too late.
    case queueFull(depth: Int)
    /// The queue drains, or has drained, and takes no more.
    case closed
    /// By its subscriber, or by a drain that ran out of time.
    case cancelled
    /// The work took longer than this.
    case timedOut(after: Duration)
    /// What the work threw, the last time it was tried.
    case failed(any Error)

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
        case .queueFull(let depth): "the queue is full: \(depth) jobs wait"
        case .closed: "the queue takes no more jobs"
        case .cancelled: "cancelled"
        case .timedOut(let limit): "not done within \(limit)"
        case .failed(let error): "\(error)"
        }
    }
}
