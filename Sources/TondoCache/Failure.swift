package import FoundationEssentials

/// Why a photo gave no picture, remembered so that it is not tried in vain over and over.
package struct Failure: Equatable, Sendable {
    /// What failed: a photo's digest, its crop and the renderer, spelled like a recipe. Other bytes are another subject.
    package var subject: String
    package var stage: String
    /// Stable, for scripts.
    package var code: String
    package var reason: String
    /// Bytes of memory that were allowed, when more might help.
    package var memoryLimit: Int?
    /// Tried so often, in vain.
    package var attempts: Int
    package var since: Date
    /// Worth another try from then on; nil: not before the photo's bytes change.
    package var until: Date?

    package init(
        subject: String, stage: String, code: String, reason: String, memoryLimit: Int? = nil, attempts: Int = 1,
        since: Date, until: Date? = nil
    ) {
        (self.subject, self.stage, self.code, self.reason) = (subject, stage, code, reason)
        (self.memoryLimit, self.attempts, self.since, self.until) = (memoryLimit, attempts, since, until)
    }

    /// Whether trying again is of no use at `date` with this much memory.
    package func holds(at date: Date, memoryLimit now: Int) -> Bool {
        // From the future it is only when the clock was wrong, and then the time it names is, too.
        if let until, date >= until || date < since { return false }
        if let memoryLimit, now > memoryLimit { return false }
        return true
    }

    /// How long a transient failure keeps others from trying: a minute, doubled each time, a day at most. Seconds.
    static func patience(attempts: Int) -> Double {
        min(60 * Double(1 << min(max(attempts - 1, 0), 20)), 86_400)
    }
}
