internal import DequeModule
internal import Dispatch
internal import Synchronization
internal import TondoCache

/// Stores avatars of the shared tier in the cache when they are taken from it for the second time, and after they were passed
/// on: a store takes longer than everything else about a hit, and most avatars are kept in memory after the first one.
/// Bounded: what finds no room is not stored, and is taken from the tier again when it is needed. One Dispatch thread of low
/// priority; usable from any thread, and never blocks.
final class DeferredStores: Sendable {
    private struct Item {
        let avatar: SealedAvatar
        let key: CacheKey
        let contact: String?
    }

    private struct State {
        var takings = RecentKeys(limit: 8_192)
        var items = Deque<Item>()
        var keys: Set<CacheKey> = []
        /// The bytes of all items.
        var bytes = 0
        var isRunning = false
    }

    private let cache: AvatarCache
    private let limit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tondo.shared.stores", qos: .background)

    /// `limit`: bytes of avatars that wait.
    init(cache: AvatarCache, limit: Int = 8 << 20) {
        self.cache = cache
        self.limit = limit
    }

    /// Call it for each avatar that was taken from the tier.
    func add(_ avatar: SealedAvatar, as key: CacheKey, for contact: String?) {
        let size = avatar.avatar.bytes.count
        let begins = state.withLock { state in
            guard state.takings.insert(key), state.bytes + size <= limit, state.keys.insert(key).inserted else {
                return false
            }
            state.items.append(Item(avatar: avatar, key: key, contact: contact))
            state.bytes += size
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { queue.async { self.run() } }
    }

    private func run() {
        while let item = next() {
            // An error is the cache's to report; the tier still has the avatar.
            try? cache.store(
                item.avatar.avatar.bytes, key: item.key, cost: item.avatar.cost,
                contacts: item.contact.map { [$0] } ?? [])
        }
    }

    private func next() -> Item? {
        state.withLock { state in
            guard let item = state.items.popFirst() else {
                state.isRunning = false
                return nil
            }
            state.keys.remove(item.key)
            state.bytes -= item.avatar.avatar.bytes.count
            return item
        }
    }

    /// Returns when all that was added before is stored.
    func finish() async {
        await withCheckedContinuation { done in queue.async(qos: .userInitiated) { done.resume() } }
    }
}

/// The last keys, at least `limit` of them and at most twice as many.
struct RecentKeys {
    private var new: Set<CacheKey> = []
    private var old: Set<CacheKey> = []
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether it was there before.
    mutating func insert(_ key: CacheKey) -> Bool {
        if new.contains(key) { return true }
        let isKnown = old.contains(key)
        if new.count >= limit {
            old = new
            new = []
        }
        new.insert(key)
        return isKnown
    }
}
