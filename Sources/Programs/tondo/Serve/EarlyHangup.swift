import Glibc
import Synchronization

/// Remembers a SIGHUP that arrives before the service handles signals; it would end the process otherwise.
enum EarlyHangup {
    private static let hasCome = Atomic<Bool>(false)

    /// Call first of all. A SIGHUP that the parent had ignored (`nohup`) is handled, too: it means a reload.
    static func expect() {
        // Initialised before the handler is installed: a handler must not wait for a lazy initialiser.
        hasCome.store(false, ordering: .relaxed)
        signal(SIGHUP) { _ in EarlyHangup.hasCome.store(true, ordering: .relaxed) }
    }

    /// Whether a SIGHUP has arrived. Call after the regular handler is installed.
    static func take() -> Bool { hasCome.exchange(false, ordering: .relaxed) }
}
