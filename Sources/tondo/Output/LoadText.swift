import TondoAvatars

/// The last line of a load, for humans.
enum LoadText {
    static func text(_ summary: LoadSummary) -> String {
        var parts = ["\(summary.contacts) \(summary.contacts == 1 ? "contact" : "contacts")"]
        let avatars = "\(summary.avatars) avatar\(summary.avatars == 1 ? "" : "s")"
        parts.append("\(avatars) (\(summary.cached) from the cache, \(summary.rendered) drawn)")
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        return parts.joined(separator: ", ") + " in \(seconds(summary.milliseconds)) s"
    }

    /// Two decimals.
    private static func seconds(_ milliseconds: Double) -> String {
        let hundredths = Int((milliseconds / 10).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
