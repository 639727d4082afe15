internal import Glibc
package import SystemPackage

/// Locks between processes and threads (flock(2)); they end with the descriptor, so a killed process leaves none.
package enum LockKind: Sendable {
    case shared, exclusive

    package func take(_ descriptor: Int32) throws(Errno) {
        while flock(descriptor, self == .shared ? LOCK_SH : LOCK_EX) != 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }

    /// False if another process holds it.
    package func tryLock(_ descriptor: Int32) -> Bool {
        flock(descriptor, (self == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}
