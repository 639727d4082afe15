import TondoAvatars

/// The last line of a conversion, for humans.
enum SummaryText {
    /// `output`: the output path, as the user wrote it.
    static func text(_ summary: ConversionSummary, output: String) -> String {
        var parts: [String] = []
        if summary.isEmpty {
            parts.append("no photos found")
        } else if summary.done > 0 || summary.skipped == 0 {
            let cached = summary.cached > 0 ? " (\(summary.cached) from the cache)" : ""
            let noun = summary.photoless > 0 ? "contact" : "photo"
            parts.append("\(count(summary.done, noun)) converted to \(count(summary.written, "avatar"))\(cached)")
        }
        if summary.skipped > 0 { parts.append("\(count(summary.skipped, "photo")) skipped (already converted)") }
        if summary.photoless > 0 { parts.append("\(summary.photoless) of them without a photo") }
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        if summary.left > 0 { parts.append("\(summary.left) not started") }
        if summary.ignored > 0 { parts.append("\(count(summary.ignored, "other file")) ignored") }
        let text = parts.joined(separator: ", ")
        if summary.isEmpty { return text + hint(summary) }
        let place = summary.written + summary.skipped > 0 ? "; output: \(output)" : ""
        return (summary.isInterrupted ? "interrupted: " : "") + text + " in \(decimal(summary.seconds)) s\(place)"
    }

    private static func hint(_ summary: ConversionSummary) -> String {
        summary.unentered > 0 ? "; --recursive converts \(count(summary.unentered, "sub-folder")) too" : ""
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Two decimals.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension ConversionSummary {
    /// There was nothing to convert.
    fileprivate var isEmpty: Bool { inputs == ignored && failed == 0 && left == 0 }
}
