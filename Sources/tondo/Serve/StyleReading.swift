import TondoAvatars
import TondoImage
import TondoSettings

/// Converts a configured style into one to draw with.
struct StyleReading {
    private let name: String
    private let named: NamedStyle

    init(_ name: String, _ named: NamedStyle) { (self.name, self.named) = (name, named) }

    /// Nil if the style has an error, which is reported.
    func read(_ problems: inout [SettingsProblem]) -> AvatarStyle? {
        let before = problems.count
        var style = Style(size: named.number(.size) ?? 96, scale: named.number(.scale) ?? 1)
        style.state = named.text(.state).flatMap { Style.State(rawValue: $0) } ?? .normal
        if named.text(.background) != "none" { style.background = color(.background, &problems) }
        let ringColor = color(.ringColor, &problems) ?? .selection
        let fields: [NamedStyle.Field] = [.ringWidth, .ringGap, .ringColor]
        // A ring with any setting reserves its room in the normal state, too.
        if style.state == .selected || fields.contains(where: { named.entries[$0] != nil }) {
            var ring = Style.Ring.suited(to: style.size, color: ringColor)
            if let width = named.number(.ringWidth) { ring.width = Double(width) }
            if let gap = named.number(.ringGap) { ring.gap = Double(gap) }
            style.ring = ring
        }
        if let problem = style.problem { addProblem(.size, problem, &problems) }
        return problems.count == before ? AvatarStyle(style, name: name) : nil
    }

    private func color(_ field: NamedStyle.Field, _ problems: inout [SettingsProblem]) -> RGBA? {
        guard let text = named.text(field) else { return nil }
        let color = RGBA(text)
        if color == nil {
            addProblem(
                field, "\(field.rawValue) must be #RGB, #RRGGBB, #RRGGBBAA or a basic CSS name, not '\(text)'",
                &problems)
        }
        return color
    }

    private func addProblem(_ field: NamedStyle.Field, _ reason: String, _ problems: inout [SettingsProblem]) {
        let entry = named.entries[field] ?? NamedStyle.Field.allCases.lazy.compactMap { named.entries[$0] }.first
        problems.append(SettingsProblem(origin: entry?.origin ?? .builtIn, reason: "styles.\(name): \(reason)"))
    }
}
