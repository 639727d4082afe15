internal import Glibc
internal import Synchronization

/// Ctrl-C and SIGTERM: the run ends at its next step, and leaves a mirror that is valid. A second signal ends the process at
/// once.
package enum Interrupt {
    private static let flag = Atomic<Bool>(false)

    /// A signal came; it stays true. From any thread.
    package static var isRequested: Bool { flag.load(ordering: .relaxed) }

    /// Takes the signals from now on.
    package static func expect() {
        _ = isRequested
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in Interrupt.flag.store(true, ordering: .relaxed) }
            // The second signal finds the default action again, which ends the process.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(number, &action, nil)
        }
        signal(SIGPIPE, SIG_IGN)
        // A parent that starts programs from a thread of Dispatch passes its blocked signals on.
        var taken = sigset_t()
        sigemptyset(&taken)
        for number in [SIGINT, SIGTERM] { sigaddset(&taken, number) }
        pthread_sigmask(SIG_UNBLOCK, &taken, nil)
    }

    /// Waits; false if a signal came.
    package static func wait(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isRequested {
            // In steps, since the signal may interrupt another thread than this one.
            let rest = min((end - .now) / .milliseconds(1), 200)
            if rest <= 0 { return true }
            var time = timespec(tv_sec: 0, tv_nsec: Int(rest * 1_000_000))
            nanosleep(&time, nil)
        }
        return false
    }
}
