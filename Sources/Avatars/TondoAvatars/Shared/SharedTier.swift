internal import FoundationEssentials
internal import Synchronization
package import TondoCache
package import TondoRedis

/// The avatars that several instances share in a Redis, behind the cache folder of each: looked up after it, and filled with
/// what is drawn. Every error of the Redis is a miss. Usable from any thread that may block, never on an event loop.
///
/// A value is an entry's sealed bytes, checked when it is read: an altered one is deleted and reported, never served. The
/// seal is no signature: a client that can write to the Redis can write avatars.
package final class SharedTier: Sendable {
    package struct Options: Sendable {
        /// How long an avatar is kept since its last use. Seconds.
        package var life = 30 * 86_400
        /// How long a negative entry is kept. Seconds.
        package var failureLife = 60
        /// How long one instance may draw avatars of a photo before others do, too.
        package var lockTime = Duration.seconds(5)
        /// While another instance draws a photo, the tier is asked again after the first pause, then after twice that, and so on.
        package var polls = (first: Duration.milliseconds(8), longest: Duration.milliseconds(80))
        /// Larger values are not shared. Bytes.
        package var largest = 4 << 20
        /// Called for each altered value, on the thread that read it.
        package var onAltered: @Sendable (_ key: String, _ reason: String) -> Void = { _, _ in }

        package init() {}
    }

    package struct Counters: Sendable, Equatable {
        package var hits = 0
        package var misses = 0
        package var stored = 0
        /// Lookups and stores that Redis did not answer, or refused.
        package var errors = 0
        package var altered = 0
        /// Negative entries of other instances that saved an attempt.
        package var failures = 0
        /// Photos that waited for another instance's drawing, and those among them that were drawn here after all because it
        /// took too long.
        package var lockWaits = 0
        package var lockTimeouts = 0
    }

    package let pool: RedisPool
    let options: Options
    private let counted = Mutex(Counters())

    package init(_ pool: RedisPool, options: Options = Options()) {
        self.pool = pool
        self.options = options
    }

    package var counters: Counters { counted.withLock { $0 } }

    func count(_ change: (inout Counters) -> Void) { counted.withLock { change(&$0) } }

    /// Whether the tier has this avatar, intact. Counts as no use, and changes nothing.
    package func contains(_ key: CacheKey) -> Bool {
        guard let bytes = try? pool.call(RedisCommand("GET", .text(SharedKey.avatar(key)))).bytes else { return false }
        return (try? SealedAvatar(bytes: bytes, key: key)) != nil
    }

    /// The intact avatars among these. Counts as a use of each.
    package func avatars(_ keys: [CacheKey]) -> [CacheKey: SealedAvatar] {
        guard !keys.isEmpty, let replies = sent(keys.map(lookup)) else { return [:] }
        let found = avatars(of: keys, in: replies)
        // Here alone: a photo that is about to be drawn was looked up before, and one that waits is looked up often.
        count { $0.misses += keys.count - found.count }
        return found
    }

    func lookup(_ key: CacheKey) -> RedisCommand {
        RedisCommand("GETEX", .text(SharedKey.avatar(key)), "EX", .number(options.life))
    }

    /// What a reply to `lookup` holds.
    enum Reading {
        case avatar(SealedAvatar)
        /// Has to be deleted.
        case altered([UInt8], reason: String)
        case none
    }

    /// Counts as a hit, a miss or an error. Does not block.
    func read(_ reply: Result<RedisValue, RedisError>, of key: CacheKey) -> Reading {
        let reading = reading(reply, of: key)
        count { counters in
            switch reading {
            case .avatar: counters.hits += 1
            case .altered, .none: counters.misses += 1
            }
        }
        return reading
    }

    private func reading(_ reply: Result<RedisValue, RedisError>, of key: CacheKey) -> Reading {
        switch reply {
        case .success(.bulk(let bytes)):
            do throws(SealedAvatar.Damage) { return .avatar(try SealedAvatar(bytes: bytes, key: key)) } catch {
                return .altered(bytes, reason: error.reason)
            }
        case .success(.null): break
        default: count { $0.errors += 1 }
        }
        return .none
    }

    private func avatars(of keys: [CacheKey], in replies: some Collection<RedisValue>) -> [CacheKey: SealedAvatar] {
        var found: [CacheKey: SealedAvatar] = [:]
        for (key, reply) in zip(keys, replies) {
            switch reading(.success(reply), of: key) {
            case .avatar(let avatar): found[key] = avatar
            case .altered(let bytes, let reason): delete(SharedKey.avatar(key), altered: bytes, because: reason)
            case .none: break
            }
        }
        let hits = found.count
        count { $0.hits += hits }
        return found
    }

    /// Only if it is still the same: another instance may have stored the right one meanwhile.
    func delete(_ key: String, altered bytes: [UInt8], because reason: String) {
        count { $0.altered += 1 }
        _ = sent([SharedScript.compareAndDelete(key, value: .bytes(bytes))])
        options.onAltered(key, reason)
    }

    /// Nil after an error of the connection.
    func sent(_ commands: [RedisCommand]) -> [RedisValue]? {
        do throws(RedisError) { return try pool.send(commands) } catch {
            count { $0.errors += 1 }
            return nil
        }
    }
}

/// Drawing once.
extension SharedTier {
    /// What the tier knows of a photo that is about to be drawn.
    struct Claim {
        var avatars: [CacheKey: SealedAvatar] = [:]
        /// Another instance's attempt failed.
        var failure: Failure?
        var lock: SharedLock?
        /// Another instance has the lock, and draws this photo now.
        var isElsewhere = false
    }

    /// Looks avatars and the negative entry of a photo up, and takes their lock, in one round trip. The lock comes first:
    /// another instance stores avatars before it releases it, so that with the lock and without an avatar none has been
    /// drawn. After an error the claim is empty, and the photo is drawn without a lock. `subject`: of negative entries.
    func claim(_ keys: [CacheKey], of subject: String, locking: Bool) -> Claim {
        let lock = locking ? SharedLock(keys, for: options.lockTime) : nil
        var commands = [RedisCommand("GET", .text(SharedKey.failure(subject)))] + keys.map(lookup)
        if let lock { commands.insert(lock.taking, at: 0) }
        guard var replies = sent(commands)?[...] else { return Claim() }
        var claim = Claim()
        if let lock, let reply = replies.popFirst() {
            if reply == .status("OK") { claim.lock = lock }
            claim.isElsewhere = reply == .null
        }
        if let bytes = replies.popFirst()?.bytes { claim.failure = failure(bytes, of: subject) }
        claim.avatars = avatars(of: keys, in: replies)
        return claim
    }

    private func failure(_ bytes: [UInt8], of subject: String) -> Failure? {
        guard var failure = Failure(sealed: bytes, subject: subject) else {
            delete(SharedKey.failure(subject), altered: bytes, because: "a damaged negative entry")
            return nil
        }
        // Its times are of another machine's clock; Redis ends it in time.
        let life = failure.until.map { min(max($0.timeIntervalSince(failure.since), 0), Double(options.failureLife)) }
        failure.since = Date()
        failure.until = life.map { failure.since.addingTimeInterval($0) }
        return failure
    }

    /// Stores one avatar, drawn elsewhere than in a pipeline.
    package func store(_ avatar: [UInt8], key: CacheKey, cost: Double) {
        let drawing = SharedDrawing(self, lock: nil)
        drawing.add(avatar, key: key, cost: cost)
        drawing.end()
    }

    /// Stores the avatars that the tier lacks, in one round trip. False: it may lack one of them now. Those that are too
    /// large for it do not count.
    package func share(_ avatars: [Avatar]) -> Bool {
        let commands = avatars.compactMap { storing($0.bytes, key: $0.key, cost: $0.milliseconds, isNew: true) }
        guard !commands.isEmpty else { return true }
        guard let replies = sent(commands) else { return false }
        let stored = replies.count { $0 == .status("OK") }
        // Null: another one has stored it.
        let lacking = replies.count { $0 != .status("OK") && $0 != .null }
        count {
            $0.stored = $0.stored + stored
            $0.errors = $0.errors + lacking
        }
        return lacking == 0
    }

    /// The command that stores an avatar; nil for one that is not shared. `isNew`: only if there is none.
    func storing(_ avatar: [UInt8], key: CacheKey, cost: Double, isNew: Bool = false) -> RedisCommand? {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        guard avatar.count <= options.largest,
            let sealed = SealedAvatar.seal(avatar, key: key, cost: cost, created: now)
        else { return nil }
        var command = RedisCommand("SET", .text(SharedKey.avatar(key)), .bytes(sealed), "EX", .number(options.life))
        if isNew { command.append("NX") }
        return command
    }

    func storing(_ failure: Failure) -> RedisCommand {
        RedisCommand(
            "SET", .text(SharedKey.failure(failure.subject)), .bytes(failure.sealed), "EX",
            .number(options.failureLife))
    }
}
