internal import Synchronization

/// Submits one request after the other, each once the queue has room for it, without blocking and without recursion.
enum Submissions {
    /// Submits the next request; false: there is none. Calls `admitted` once, on any thread, maybe before it returns.
    typealias Step = @Sendable (_ admitted: @escaping @Sendable () -> Void) -> Bool

    static func run(_ submitNext: @escaping Step) {
        while true {
            let handover = Handover()
            guard submitNext({ if handover.isSecond() { run(submitNext) } }) else { return }
            // Not admitted yet: that thread goes on.
            guard handover.isSecond() else { return }
        }
    }
}

/// Lets the second of two threads continue with the work of both.
private final class Handover: Sendable {
    private let isMet = Atomic<Bool>(false)

    func isSecond() -> Bool { isMet.exchange(true, ordering: .acquiringAndReleasing) }
}
