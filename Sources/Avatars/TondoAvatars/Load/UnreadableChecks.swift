internal import SystemPackage

/// When the unreadable parts of a book are looked at again: at first at each check, then less often as long as they are the
/// same ones. Pure.
struct UnreadableChecks {
    private var parts: [FilePath] = []
    private var checks = 0
    /// Checks from one that is due to the next.
    private var interval = 1

    private static let longestInterval = 12
    /// Parts that one check opens.
    static let most = 1_000

    /// To be called once at each check.
    mutating func isDue(_ now: [FilePath]) -> Bool {
        if now != parts {
            parts = now
            checks = 0
            interval = 1
        }
        if parts.isEmpty { return false }
        checks += 1
        guard checks >= interval else { return false }
        checks = 0
        interval = min(2 * interval, Self.longestInterval)
        return true
    }
}
