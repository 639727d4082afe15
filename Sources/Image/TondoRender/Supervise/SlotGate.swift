internal import Synchronization

/// Admits a number of callers at once; the others wait in the order in which they came. Usable from any thread; blocks.
///
/// Cannot deadlock as long as all callers enter several gates in the same order: each leaves after a bounded time.
final class SlotGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    /// `slots`: callers at once.
    init(slots: Int) { state = Mutex(State(free: max(slots, 1))) }

    /// False: no slot is free, or another caller waits for one, and nothing is to be left.
    func enterAtOnce() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    /// False: the deadline came first, and nothing is to be left.
    func enter(before deadline: SuspendingClock.Instant) -> Bool {
        guard let waiter = queue(), !waiter.wait(until: deadline) else { return true }
        // It may have been admitted in between.
        return state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return true }
            state.waiting.remove(at: index)
            return false
        }
    }

    /// Waits as long as it takes.
    func enter() { queue()?.wait() }

    /// Nil: a slot was free, and is taken.
    private func queue() -> Waiter? {
        state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return waiter
        }
    }

    /// The slot goes to the first that waits, so that none who comes later overtakes it.
    func leave() {
        let next: Waiter? = state.withLock { state in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.admit()
    }

    /// Callers that wait at this moment.
    var waiting: Int { state.withLock { $0.waiting.count } }
}
