import Glibc
import Synchronization

/// A reload that is asked for (SIGHUP) before the service handles signals: it is remembered instead of ending the
/// process.
enum EarlyHangup {
    private static let hasCome = Atomic<Bool>(false)

    /// To be called first of all. A hangup that the parent had ignored (`nohup`) is caught, too: it means a reload.
    static func expect() {
        // Made before a handler could need it: that must not wait for its making.
        hasCome.store(false, ordering: .relaxed)
        signal(SIGHUP) { _ in EarlyHangup.hasCome.store(true, ordering: .relaxed) }
    }

    /// Whether one came since. To be asked once others handle the signal.
    static func take() -> Bool { hasCome.exchange(false, ordering: .relaxed) }
}
