/// When changes are reported: after a debounce interval, but not delayed for ever; and at once if they need no debounce
/// and come after a quiet period. Monotonic nanoseconds, below 2^63, so that sums cannot overflow.
struct Debouncer: Sendable {
    let delay: UInt64
    let longest: UInt64
    let quietPeriod: UInt64
    private var first: UInt64?
    private var last: UInt64?
    /// There was a quiet period before the first change.
    private var wasQuiet = false
    private var isWhole = false

    init(delay: UInt64, longest: UInt64, quietPeriod: UInt64) {
        self.delay = delay
        self.longest = longest
        self.quietPeriod = quietPeriod
    }

    /// Nil: no change is pending.
    var due: UInt64? {
        guard let first, let last else { return nil }
        return isWhole && wasQuiet ? last : min(last + delay, first + longest)
    }

    /// `isWhole`: no pending change looks like an unfinished write.
    mutating func note(now: UInt64, isWhole: Bool) {
        if first == nil { wasQuiet = last.map { now >= $0 + quietPeriod } ?? true }
        self.isWhole = isWhole
        first = first ?? now
        last = now
    }

    // `last` stays, since the next quiet period counts from it.
    mutating func clear() { first = nil }
}
