internal import Glibc

/// A value that one thread at a time may use.
///
/// Like `Synchronization.Mutex`, except that ThreadSanitizer knows this lock: for `Mutex`, whose slow path is not
/// instrumented, it reports false races. Never call out while holding it; it is not recursive.
final class Locked<Value>: @unchecked Sendable {
    // Safe because `value` is used between lock and unlock only, and both pointers live as long as this.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: sending Value) {
        // Spins for a moment before it sleeps: what the lock guards takes a microsecond, a sleep ten.
        var kind = pthread_mutexattr_t()
        pthread_mutexattr_init(&kind)
        pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &kind)
        pthread_mutexattr_destroy(&kind)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
