internal import FoundationEssentials
internal import TondoCache
package import TondoRedis

/// The names in the Redis that instances share. All begin with `tondo:1:`, the pattern of the ACL; the number is the version
/// of what the values mean.
package enum SharedKey {
    package static let prefix = "tondo:1:"

    static func avatar(_ key: CacheKey) -> String { prefix + "avatar:" + key.hexadecimal }
    static func failure(_ subject: String) -> String { prefix + "failure:" + CacheKey(recipe: subject).hexadecimal }
    /// In whatever order the avatars are wanted.
    static func lock(_ avatars: [CacheKey]) -> String {
        prefix + "lock:" + CacheKey(recipe: avatars.sorted().map(\.hexadecimal).joined(separator: " ")).hexadecimal
    }
}

package enum SharedScript {
    /// Deletes a key if it has this value. Redis runs a script as one command.
    package static func compareAndDelete(_ key: String, value: RedisArgument) -> RedisCommand {
        let text = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
        return RedisCommand("EVAL", .text(text), 1, .text(key), value)
    }
}

/// The lock of the avatars of one photo that one instance draws: a key with a token of this drawing, which ends by itself. The
/// same photo in other styles has another lock, and does not wait.
struct SharedLock: Sendable {
    let key: String
    private let token: String
    private let time: Duration

    /// To be taken at once. `time`: how long it lasts.
    init(_ avatars: [CacheKey], for time: Duration) {
        key = SharedKey.lock(avatars)
        token = UUID().uuidString
        self.time = time
    }

    var taking: RedisCommand {
        let milliseconds = max(Int(time / .milliseconds(1)), 1)
        return RedisCommand("SET", .text(key), .text(token), "NX", "PX", .number(milliseconds))
    }

    /// Does nothing to the lock of another drawing, which was taken after this one's time was up.
    var releasing: RedisCommand { SharedScript.compareAndDelete(key, value: .text(token)) }
}
