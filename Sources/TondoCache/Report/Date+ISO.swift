package import FoundationEssentials

extension Date {
    /// `2026-11-20T13:00:00.123Z` (ISO 8601).
    package var iso: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
