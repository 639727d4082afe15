/// When changes are told: once it was quiet for a while, but not put off for ever; and at once what needs no waiting
/// and comes after a calm. Nanoseconds of a clock that never goes back.
struct Settling: Sendable {
    let quiet: UInt64
    let longest: UInt64
    let calm: UInt64
    private var first: UInt64?
    private var last: UInt64?
    /// It was calm before the first.
    private var wasCalm = false
    private var isWhole = false

    init(quiet: UInt64, longest: UInt64, calm: UInt64) {
        (self.quiet, self.longest, self.calm) = (quiet, longest, calm)
    }

    /// Nil: nothing happened.
    var due: UInt64? {
        guard let first, let last else { return nil }
        return isWhole && wasCalm ? last : min(last.later(by: quiet), first.later(by: longest))
    }

    /// `isWhole`: nobody is in the middle of what is to be told so far.
    mutating func note(now: UInt64, isWhole: Bool) {
        if first == nil { wasCalm = last.map { now >= $0.later(by: calm) } ?? true }
        self.isWhole = isWhole
        first = first ?? now
        last = now
    }

    mutating func clear() { first = nil }
}
