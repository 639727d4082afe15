import FoundationEssentials

/// A time as a date and an age, for humans.
enum Moment {
    /// `2026-11-21 14:03:12 (3 minutes ago)`.
    static func text(_ date: Date, now: Date) -> String {
        "\(WallClock.local.text(date)) (\(RelativeTime.text(date, now: now)))"
    }
}
