internal import Dispatch

/// Leave to wait for a listener. Only what runs on the queue a book is read on can have it, and no
/// `@Sendable` closure can capture it. So completions, which run on threads that must go on, cannot wait.
struct BlockingPermit {
    /// Stops the program anywhere but on this serial queue.
    init(on queue: DispatchQueue) { dispatchPrecondition(condition: .onQueue(queue)) }
}

@available(*, unavailable)
extension BlockingPermit: Sendable {}
