internal import Dispatch

/// The permission to block until a subscriber has room. Only code on the queue that reads a book can have it, and no
/// `@Sendable` closure can capture it. So completions, which run on threads that must not block, cannot block.
struct BlockingPermit {
    /// Traps anywhere but on this serial queue.
    init(on queue: DispatchQueue) { dispatchPrecondition(condition: .onQueue(queue)) }
}

@available(*, unavailable)
extension BlockingPermit: Sendable {}
