internal import CLinux
internal import Glibc

/// One caller that waits for another one, on any thread.
// Safe because the semaphore is made before anything else knows it, its calls may be made on any thread, and `isSentBack` is
// written before the one post, and read after the wait for it.
final class Waiter: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// It was not admitted, and has to begin again.
    private(set) var isSentBack = false

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func admit() { sem_post(semaphore) }

    func sendBack() {
        isSentBack = true
        sem_post(semaphore)
    }

    func wait() {
        // It fails only if a signal interrupts it (sem_wait(3)).
        while sem_wait(semaphore) != 0 {}
    }

    /// False: the deadline came first.
    func wait(until deadline: SuspendingClock.Instant) -> Bool {
        let left = max(deadline - .now, .zero) / .nanoseconds(1)
        // A deadline without an end would not fit the number.
        return clinux_sem_clockwait(semaphore, Int64(min(left, 1e18))) == 0
    }
}
