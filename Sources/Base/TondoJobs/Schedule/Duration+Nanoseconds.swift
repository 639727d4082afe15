extension Duration {
    /// Zero if negative, the largest number if longer than 584 years.
    package var inNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (nanoseconds, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = nanoseconds.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
        return isTooLong || isOver ? .max : sum
    }
}

extension UInt64 {
    /// A time later by this; clamped to the largest number.
    func later(by nanoseconds: UInt64) -> UInt64 {
        let (time, isOver) = addingReportingOverflow(nanoseconds)
        return isOver ? .max : time
    }
}
