import FoundationEssentials

extension Date {
    /// `2026-11-20T13:00:00.123Z` (ISO 8601).
    var iso: String { formatted(.iso8601.time(includingFractionalSeconds: true)) }
}
