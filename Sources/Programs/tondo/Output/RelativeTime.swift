import FoundationEssentials

/// The age of a moment, for humans.
enum RelativeTime {
    /// `just now`, `3 minutes ago`, `2 days ago`; in the future `in 3 minutes`. Whole units, the largest one that is
    /// reached.
    static func text(_ date: Date, now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        guard abs(seconds) >= 10 else { return "just now" }
        let amount = amount(Int(min(abs(seconds), 1e12)))
        return seconds > 0 ? "\(amount) ago" : "in \(amount)"
    }

    private static func amount(_ seconds: Int) -> String {
        let unit = units.first { seconds >= $0.seconds } ?? (1, "second")
        return Quantities.counted(seconds / unit.seconds, of: unit.name)
    }

    /// A month is a twelfth of the mean Gregorian year of 365.2425 days.
    private static let units: [(seconds: Int, name: String)] = [
        (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3_600, "hour"), (60, "minute"),
    ]
}

/// A time as a date and an age, for humans.
enum Moment {
    /// `2026-11-21 14:03:12 (3 minutes ago)`.
    static func text(_ date: Date, now: Date) -> String {
        "\(WallClock.local.text(date)) (\(RelativeTime.text(date, now: now)))"
    }
}
