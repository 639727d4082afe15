internal import Glibc

/// A value that one thread at a time may touch.
///
/// Like `Synchronization.Mutex`, except that ThreadSanitizer knows this lock: of `Mutex`, whose slow path is not
/// instrumented, it reports races that are none. Never call out while holding it; it cannot be taken twice.
final class Locked<Value>: @unchecked Sendable {
    // Right because `value` is touched between lock and unlock only, and both pointers live as long as this.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: sending Value) {
        pthread_mutex_init(mutex, nil)
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
