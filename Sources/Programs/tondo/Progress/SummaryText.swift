import TondoAvatars

/// The last line of a conversion, for humans.
enum SummaryText {
    /// `output`: the output path, as the user wrote it.
    static func text(of summary: ConversionSummary, output: String) -> String {
        var parts: [String] = []
        if summary.isEmpty {
            parts.append("no photos found")
        } else if summary.done > 0 || summary.skipped == 0 {
            let cached = summary.cached > 0 ? " (\(summary.cached) from the cache)" : ""
            let noun = summary.photoless > 0 ? "contact" : "photo"
            parts.append(
                "\(Quantities.plain(summary.done, of: noun)) converted to \(Quantities.plain(summary.written, of: "avatar"))\(cached)"
            )
        }
        if summary.skipped > 0 {
            parts.append("\(Quantities.plain(summary.skipped, of: "photo")) skipped (already converted)")
        }
        // Counted before the first one is converted: of a part, it is not known.
        if summary.photoless > 0, summary.left == 0, summary.done + summary.skipped >= summary.photoless {
            parts.append("\(summary.photoless) of them without a photo")
        }
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        if summary.left > 0 { parts.append("\(summary.left) not started") }
        if summary.ignored > 0 { parts.append("\(Quantities.plain(summary.ignored, of: "other file")) ignored") }
        if summary.groups > 0 { parts.append("\(Quantities.plain(summary.groups, of: "group")) left out") }
        let text = parts.joined(separator: ", ")
        if summary.isEmpty { return text + hint(summary) }
        let destination = summary.written + summary.skipped > 0 ? "; output: \(output)" : ""
        return (summary.isInterrupted ? "interrupted: " : "") + text
            + " in \(Quantities.seconds(summary.seconds)) s\(destination)"
    }

    private static func hint(_ summary: ConversionSummary) -> String {
        summary.unentered > 0
            ? "; --recursive converts \(Quantities.plain(summary.unentered, of: "sub-folder")) too" : ""
    }
}

extension ConversionSummary {
    /// There was nothing to convert.
    fileprivate var isEmpty: Bool { inputs == ignored && failed == 0 && left == 0 }
}

/// The last line of a load, for humans.
enum LoadText {
    static func text(of summary: LoadSummary) -> String {
        let avatars = Quantities.plain(summary.avatars, of: "avatar")
        var parts = [Quantities.plain(summary.contacts, of: "contact")]
        parts.append("\(avatars) (\(summary.cached) from the cache, \(summary.rendered) drawn)")
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        return parts.joined(separator: ", ") + " in \(Quantities.seconds(summary.milliseconds / 1000)) s"
    }
}
