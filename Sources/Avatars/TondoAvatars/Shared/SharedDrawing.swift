internal import Synchronization
internal import TondoCache
internal import TondoRedis

/// One drawing whose avatars other instances may wait for: stores them, then releases the lock. One thread at a time.
final class SharedDrawing {
    private let tier: SharedTier
    private var lock: SharedLock?
    private var commands: [RedisCommand] = []
    /// The keys of the first commands.
    private var keys: [CacheKey] = []
    private var bytes = 0
    /// What the tier has now.
    private(set) var stored: Set<CacheKey> = []
    /// What is kept until it is sent. Bytes.
    private static let batch = 4 << 20

    init(_ tier: SharedTier, lock: SharedLock?) {
        self.tier = tier
        self.lock = lock
    }

    func add(_ avatar: [UInt8], key: CacheKey, cost: Double) {
        guard let command = tier.storing(avatar, key: key, cost: cost) else { return }
        commands.append(command)
        keys.append(key)
        bytes += avatar.count
        if bytes >= Self.batch { send() }
    }

    func add(_ failure: Failure) { commands.append(tier.storing(failure)) }

    /// Call it once the drawing has ended, successful or not.
    func end() {
        if let lock { commands.append(lock.releasing) }
        lock = nil
        send()
    }

    private func send() {
        guard !commands.isEmpty, let replies = tier.sent(commands) else { return reset() }
        for (key, reply) in zip(keys, replies) where reply == .status("OK") { stored.insert(key) }
        let done = replies.count { $0 == .status("OK") }
        let refused = replies.count { if case .error = $0 { true } else { false } }
        tier.count {
            $0.stored = $0.stored + done
            $0.errors = $0.errors + refused
        }
        reset()
    }

    private func reset() {
        commands = []
        keys = []
        bytes = 0
    }
}
