import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT, on threads that exist before all others.
///
/// Where no more threads can be created, Dispatch tries again for ever, on the thread that wanted one. So a signal source of
/// Dispatch might never be called. One thread here waits for signals, and one begins the end and may hang in it; the first ends
/// the process if that takes too long.
enum EndSignals {
    /// Seconds for running jobs and the index, beyond which nothing is waited for. Units have TimeoutStopSec=15.
    private static let longest: UInt32 = 14

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
        var (signals, number) = (signals, SIGTERM)
        sigwait(&signals, &number)
        guard action.withLock({ $0 != nil }) else { end(by: number) }
        begun.signal()
        // Further signals change nothing: they are blocked.
        sleep(longest)
        Terminal.write("tondo: did not end within \(longest) s; ended without waiting for the rest\n")
        _exit(1)
    }

    private static func begin() -> UnsafeMutableRawPointer? {
        begun.wait()
        action.withLock { $0 }?()
        return nil
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
