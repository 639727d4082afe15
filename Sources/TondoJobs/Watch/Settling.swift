/// When changes are reported: after a debounce interval, but not delayed for ever; and at once if they need no debounce
/// and come after a quiet period. Monotonic nanoseconds.
struct Settling: Sendable {
    let quiet: UInt64
    let longest: UInt64
    let calm: UInt64
    private var first: UInt64?
    private var last: UInt64?
    /// There was a quiet period before the first change.
    private var wasCalm = false
    private var isWhole = false

    init(quiet: UInt64, longest: UInt64, calm: UInt64) {
        (self.quiet, self.longest, self.calm) = (quiet, longest, calm)
    }

    /// Nil: no change is pending.
    var due: UInt64? {
        guard let first, let last else { return nil }
        return isWhole && wasCalm ? last : min(last.later(by: quiet), first.later(by: longest))
    }

    /// `isWhole`: no pending change looks like an unfinished write.
    mutating func note(now: UInt64, isWhole: Bool) {
        if first == nil { wasCalm = last.map { now >= $0.later(by: calm) } ?? true }
        self.isWhole = isWhole
        first = first ?? now
        last = now
    }

    mutating func clear() { first = nil }
}
