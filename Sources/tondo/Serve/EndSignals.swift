import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT, on threads that exist before all others.
///
/// Where no more threads can be created, Dispatch tries again for ever, on the thread that wanted one. So a signal source of
/// Dispatch might never be called. One thread here waits for signals, and one begins the end and may hang in it; the first ends
/// the process if that takes too long.
enum EndSignals {
    /// For running jobs and the index, beyond which nothing is waited for. Units have TimeoutStopSec=15.
    private static let longest = Duration.seconds(14)

    private static let action = Mutex<(@Sendable () -> Void)?>(nil)
    private static let begun = DispatchSemaphore(value: 0)

    /// Call before any thread is created, since threads inherit which signals are blocked. False: the system gives no threads.
    static func start() -> Bool {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        return startThread { _ in EndSignals.wait() } && startThread { _ in EndSignals.begin() }
    }

    /// From now on a signal calls `action`, once; before, it ends the process at once.
    static func handle(_ newAction: @escaping @Sendable () -> Void) { action.withLock { $0 = newAction } }

    private static func startThread(_ body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)
        -> Bool
    {
        var thread = pthread_t()
        return pthread_create(&thread, nil, body, nil) == 0
    }

    private static func wait() -> UnsafeMutableRawPointer? {
        let first = next(within: nil)
        guard let first, action.withLock({ $0 != nil }) else { end(by: first ?? SIGTERM) }
        begun.signal()
        let deadline = ContinuousClock.now + longest
        // Further signals change nothing.
        while ContinuousClock.now < deadline { _ = next(within: deadline - .now) }
        Terminal.write(
            "tondo: did not end within \(longest.components.seconds) s; ended without waiting for the rest\n")
        _exit(1)
    }

    private static func begin() -> UnsafeMutableRawPointer? {
        begun.wait()
        action.withLock { $0 }?()
        return nil
    }

    /// The number of the next signal; nil: there was none in time.
    private static func next(within limit: Duration?) -> CInt? {
        var signals = signals
        guard let limit else {
            var number: CInt = 0
            return sigwait(&signals, &number) == 0 ? number : nil
        }
        let parts = max(limit, .zero).components
        var time = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
        let number = sigtimedwait(&signals, nil, &time)
        return number > 0 ? number : nil
    }

    /// As if the signal had not been handled.
    private static func end(by number: CInt) -> Never {
        signal(number, SIG_DFL)
        var signals = signals
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
