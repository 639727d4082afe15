package import TondoImage

/// A style as the text of a job, such as `96x2 selected ring=4.0,3.0,0a84ffff webp=85`. It keeps points and pixels apart,
/// which the text of a recipe does not. Words with the defaults are left out.
package enum StyleText {
    package static func text(_ style: Style) -> String {
        var words = ["\(style.size)x\(style.scale)", style.state.rawValue]
        for fields in StyleField.words.dropFirst() where !hasDefaults(fields, in: style) {
            let name = fields[0].word ?? ""
            words.append("\(name)=\(fields.compactMap { $0.text(style) }.joined(separator: ","))")
        }
        return words.joined(separator: " ")
    }

    /// Nil for anything but the text of a style that can be drawn.
    package static func style(_ text: String) -> Style? {
        let words = text.split(separator: " ")
        guard words.count >= 2 else { return nil }
        var style = Style(size: Style.usualSize)
        let sides = words[0].split(separator: "x", omittingEmptySubsequences: false)
        guard take(sides + [words[1]], of: StyleField.words[0], in: &style) else { return nil }
        for word in words.dropFirst(2) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let fields = StyleField.words.first(where: { $0[0].word ?? "" == parts[0] }),
                take(parts[1].split(separator: ","), of: fields, in: &style), !hasDefaults(fields, in: style)
            else { return nil }
        }
        return style.problem == nil ? style : nil
    }

    private static func hasDefaults(_ fields: [StyleField], in style: Style) -> Bool {
        fields.allSatisfy { $0.text(style) == $0.standard }
    }

    /// False unless each field has a value within its limits.
    private static func take(_ texts: [Substring], of fields: [StyleField], in style: inout Style) -> Bool {
        let pairs = zip(fields, texts.map(String.init))
        guard texts.count == fields.count, pairs.allSatisfy({ $0.permits($1) }) else { return false }
        for (field, text) in pairs { field.set(&style, text) }
        return true
    }
}
