internal import Dispatch
internal import Synchronization

/// Contacts whose photo gave no avatar at the last try. A request for the avatar of their mail address does the same
/// work as one for an unknown address: a lookup here, without opening a file. Usable from any thread.
final class UnusablePhotos: Sendable {
    private let state = Mutex<[String: UInt64]>([:])
    private let now: @Sendable () -> UInt64

    /// `now`: monotonic nanoseconds; replaced in tests.
    init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) { self.now = now }

    /// May be called under a lock: it takes its own for a lookup, and calls nothing.
    func contains(_ id: String) -> Bool { state.withLock { $0[id] != nil } }

    /// False if it was one of them; the time of the last try is noted in any case.
    @discardableResult
    func insert(_ id: String) -> Bool { state.withLock { $0.updateValue(now(), forKey: id) } == nil }

    /// False if it was not one of them.
    @discardableResult
    func remove(_ id: String) -> Bool { state.withLock { $0.removeValue(forKey: id) } != nil }

    /// True once per `interval` since the last try: then the caller retries the photo. A photo can become readable
    /// without an event, for example when a file server is back.
    func mayRetry(_ id: String, every interval: Duration) -> Bool {
        let time = now()
        return state.withLock { state in
            guard let last = state[id], time - last >= UInt64(max(interval / .nanoseconds(1), 0)) else { return false }
            state[id] = time
            return true
        }
    }
}
