internal import CLinux
internal import Glibc
internal import Synchronization

/// Admits a number of callers at once; the others wait in the order in which they came. Usable from any thread; blocks.
///
/// Cannot deadlock as long as a caller that was admitted enters no other gate: each leaves after a bounded time.
final class SlotGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    /// `slots`: callers at once.
    init(slots: Int) { state = Mutex(State(free: max(slots, 1))) }

    /// False: the deadline came first, and nothing is to be left.
    func enter(before deadline: SuspendingClock.Instant) -> Bool {
        let waiter: Waiter? = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return waiter
        }
        guard let waiter, !waiter.wait(until: deadline) else { return true }
        // It may have been admitted in between.
        return state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return true }
            state.waiting.remove(at: index)
            return false
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

/// One caller that waits.
// Safe because the semaphore is made before anything else knows it, and its calls may be made on any thread.
private final class Waiter: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func admit() { sem_post(semaphore) }

    /// False: the deadline came first.
    func wait(until deadline: SuspendingClock.Instant) -> Bool {
        let left = max(deadline - .now, .zero) / .nanoseconds(1)
        return clinux_wait(semaphore, Int64(min(left, 1e18))) == 0
    }
}
