/// Words of a recipe, formatted for humans.
enum StyleText {
    /// A style as in a recipe, without its side: `inset 14, ring 8 #0a84ff`, or `plain`.
    static func text(_ style: String) -> String {
        let words = style.split(separator: " ").compactMap { word -> (name: Substring, value: Substring)? in
            guard let equal = word.firstIndex(of: "=") else { return nil }
            return (word[..<equal], word[word.index(after: equal)...])
        }
        let color = words.first { $0.name == "ring-color" }?.value
        let parts = words.compactMap { name, value -> String? in
            switch (name, value) {
            case ("side", _), ("inset", "0"), ("background", "none"), ("ring-color", _): nil
            case ("ring", _): "ring \(value)" + (color.map { " " + hexadecimal($0) } ?? "")
            case ("background", _): "background \(hexadecimal(value))"
            default: "\(name) \(value)"
            }
        }
        return parts.isEmpty ? "plain" : parts.joined(separator: ", ")
    }

    /// Eight digits; the last two are shown only if the colour is not opaque.
    private static func hexadecimal(_ digits: Substring) -> String {
        "#" + (digits.count == 8 && digits.hasSuffix("ff") ? digits.dropLast(2) : digits)
    }
}
