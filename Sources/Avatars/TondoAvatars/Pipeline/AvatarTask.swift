internal import Synchronization
package import TondoJobs

/// The queues of a request, in their order.
enum AvatarStage: Int, Comparable, Sendable {
    case open, draw

    static func < (one: AvatarStage, other: AvatarStage) -> Bool { one.rawValue < other.rawValue }
}

/// A running request, in whichever queue it is. Releasing it changes nothing. Usable from any thread.
package final class AvatarTask: Sendable {
    private struct State {
        var priority: JobPriority
        var stage = AvatarStage.open
        var subscription: JobSubscription?
        var waiter: JobWaiter?
        var isCancelled = false
        var isEnded = false

        /// Whether a queue's answer is still of use: the completion of the first queue may run before it.
        mutating func isFollowing(_ now: AvatarStage) -> Bool {
            if isCancelled || isEnded || now < stage { return false }
            if now > stage {
                stage = now
                subscription = nil
                waiter = nil
            }
            return true
        }
    }

    private let state: Mutex<State>

    init(priority: JobPriority) { state = Mutex(State(priority: priority)) }

    /// Its photo is not opened yet.
    var isOpening: Bool { state.withLock { $0.stage == .open && !$0.isEnded && !$0.isCancelled } }

    var priority: JobPriority { state.withLock { $0.priority } }

    /// The completion is called with `cancelled`, unless it was called already.
    package func cancel() {
        let (waiter, subscription) = state.withLock { state in
            state.isCancelled = true
            defer {
                state.waiter = nil
                state.subscription = nil
            }
            return (state.waiter, state.subscription)
        }
        waiter?.cancel()
        subscription?.cancel()
    }

    package func raise(to priority: JobPriority) {
        let subscription = state.withLock { state in
            if priority.isMoreUrgent(than: state.priority) { state.priority = priority }
            return state.subscription
        }
        subscription?.raise(to: priority)
    }

    /// The request is in a queue now. It may have ended already, or be in the next queue, which does no harm.
    func follow(_ subscription: JobSubscription, in stage: AvatarStage) {
        let (isCancelled, priority) = state.withLock { state in
            if state.isFollowing(stage) {
                state.subscription = subscription
                state.waiter = nil
            }
            return (state.isCancelled, state.priority)
        }
        if isCancelled { return subscription.cancel() }
        // Raised between the submission and now.
        subscription.raise(to: priority)
    }

    /// The request waits for room, unless it was admitted meanwhile.
    func follow(_ waiter: JobWaiter, in stage: AvatarStage) {
        let isCancelled = state.withLock { state in
            if state.isFollowing(stage), state.subscription == nil { state.waiter = waiter }
            return state.isCancelled
        }
        if isCancelled { waiter.cancel() }
    }

    /// Nothing is left to cancel or raise.
    func end() {
        state.withLock {
            $0.subscription = nil
            $0.waiter = nil
            $0.isEnded = true
        }
    }
}
