internal import Dispatch
internal import Synchronization

/// Contacts whose photo gives no avatar, as far as it was tried. A request for the avatar of their mail address does the
/// same work as one for an unknown address: it looks here, and opens nothing. Usable from any thread.
final class UnusablePhotos: Sendable {
    private let state = Mutex<[String: UInt64]>([:])
    private let now: @Sendable () -> UInt64

    /// `now`: nanoseconds that never go back; replaced in tests.
    init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) { self.now = now }

    func contains(_ id: String) -> Bool { state.withLock { $0[id] != nil } }

    func insert(_ id: String) { state.withLock { $0[id] = now() } }

    /// False when it was not one of them.
    @discardableResult
    func remove(_ id: String) -> Bool { state.withLock { $0.removeValue(forKey: id) } != nil }

    func removeAll() { state.withLock { $0 = [:] } }

    /// True once for each `interval` since a photo was last tried: then the caller tries it again. Not every photo that
    /// comes back is an event: its server may have been away, or its folder unreadable.
    func takesTurn(_ id: String, every interval: Duration) -> Bool {
        let time = now()
        return state.withLock { state in
            guard let last = state[id], time - last >= UInt64(max(interval / .nanoseconds(1), 0)) else { return false }
            state[id] = time
            return true
        }
    }
}
