package import TondoImage

/// A style as the text of a job, such as `96x2 selected ring=4.0,3.0,0a84ffff format=png`. It keeps points and pixels apart,
/// which the text of a recipe does not.
package enum StyleText {
    package static func text(_ style: Style) -> String {
        var words = ["\(style.size)x\(style.scale)", style.state.rawValue]
        if style.shape != .circle { words.append("shape=\(style.shape.rawValue)") }
        if let ring = style.ring { words.append("ring=\(ring.width),\(ring.gap),\(ring.color.hexadecimal)") }
        if let background = style.background { words.append("background=\(background.hexadecimal)") }
        if case .webp(let quality) = style.format { words.append("webp=\(quality)") }
        return words.joined(separator: " ")
    }

    /// Nil for anything but the text of a style that can be drawn.
    package static func style(_ text: String) -> Style? {
        var words = text.split(separator: " ").map(String.init)
        guard words.count >= 2 else { return nil }
        let state = Style.State(rawValue: words[1])
        let sides = words[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        words.removeFirst(2)
        guard let state, sides.count == 2, let size = sides[0], let scale = sides[1] else { return nil }
        var style = Style(size: size, scale: scale, state: state)
        for word in words where !take(word, &style) { return nil }
        return style.problem == nil ? style : nil
    }

    /// False for an unknown word.
    private static func take(_ word: String, _ style: inout Style) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return false }
        switch parts[0] {
        case "shape":
            guard let shape = Style.Shape(rawValue: parts[1]) else { return false }
            style.shape = shape
        case "ring":
            guard let ring = ring(parts[1]) else { return false }
            style.ring = ring
        case "background":
            guard let color = color(parts[1]) else { return false }
            style.background = color
        case "webp":
            guard let quality = Int(parts[1]), AvatarFormat.qualities.contains(quality) else { return false }
            style.format = .webp(quality: quality)
        default: return false
        }
        return true
    }

    private static func ring(_ text: String) -> Style.Ring? {
        let parts = text.split(separator: ",").map(String.init)
        guard parts.count == 3, let width = Double(parts[0]), let gap = Double(parts[1]), let color = color(parts[2]),
            width.isFinite, gap.isFinite
        else { return nil }
        return Style.Ring(width: width, gap: gap, color: color)
    }

    private static func color(_ digits: String) -> RGBA? { RGBA("#" + digits) }
}
