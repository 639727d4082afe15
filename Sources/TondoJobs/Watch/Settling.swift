/// When changes are told: once it was quiet for a while, but not put off for ever. Nanoseconds of a clock that never
/// goes back.
struct Settling: Sendable {
    let quiet: UInt64
    let longest: UInt64
    private var first: UInt64?
    private var last: UInt64 = 0

    init(quiet: UInt64, longest: UInt64) { (self.quiet, self.longest) = (quiet, longest) }

    /// Nil: nothing happened.
    var due: UInt64? {
        first.map { first in
            let (settled, isLate) = last.addingReportingOverflow(quiet)
            let (overdue, isNever) = first.addingReportingOverflow(longest)
            return min(isLate ? .max : settled, isNever ? .max : overdue)
        }
    }

    mutating func note(now: UInt64) {
        first = first ?? now
        last = now
    }

    mutating func clear() { first = nil }
}
