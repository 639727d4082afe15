package import FoundationEssentials

/// A negative entry: why a photo gave no avatar, remembered so that it is not retried in vain.
package struct Failure: Equatable, Sendable {
    /// What failed: a photo's digest, its crop and the renderer, formatted like a recipe. Other bytes are another
    /// subject.
    package var subject: String
    /// The stage that failed, as the renderer names it: `probe`, `limits` or `decode`.
    package var stage: String
    /// Stable, for scripts.
    package var code: String
    /// For humans. What exceeds 1,000 bytes is cut when the entry is written.
    package var reason: String
    /// The memory limit of the decode in bytes, if more might help.
    package var memoryLimit: Int?
    /// The number of failed attempts.
    package var attempts: Int
    /// When the last attempt failed.
    package var since: Date
    /// When a retry makes sense; nil: not before the photo's bytes change.
    package var until: Date?

    package init(
        subject: String, stage: String, code: String, reason: String, memoryLimit: Int? = nil, attempts: Int = 1,
        since: Date, until: Date? = nil
    ) {
        self.subject = subject
        self.stage = stage
        self.code = code
        self.reason = reason
        self.memoryLimit = memoryLimit
        self.attempts = attempts
        self.since = since
        self.until = until
    }

    /// Whether a retry is useless at `date` with this much memory.
    package func holds(at date: Date, memoryLimit now: Int) -> Bool {
        // A time in the future means that the clock was wrong, and then `until` is wrong, too.
        if let until, date >= until || date < since { return false }
        if let memoryLimit, now > memoryLimit { return false }
        return true
    }

    /// How long a transient failure prevents retries: a minute, doubled each time, a day at most. Seconds.
    static func retryDelay(attempts: Int) -> Double { min(60 * Double(1 << min(max(attempts - 1, 0), 20)), 86_400) }
}

/// The index row of a negative entry.
struct FailureRow: Equatable {
    var key: CacheKey
    var code: String
    /// Bytes of the file.
    var size: Int
    var since: Date
    var until: Date?

    init(failure: Failure, key: CacheKey, size: Int) {
        self.key = key
        code = failure.code
        self.size = size
        since = failure.since
        until = failure.until
    }
}
