internal import TondoText

/// A colour in sRGB with straight alpha, one byte per channel.
package struct RGBA: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    /// 0 is transparent, 255 opaque; the other channels are not multiplied by it.
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA` (the `#` is optional), or one of sixteen basic names (CSS Color Module
    /// Level 4, sections 5.2 and 6.1).
    ///
    /// ```swift
    /// if let blue = RGBA("#3366ff") { print(blue.red, blue.alpha) }
    /// ```
    package init?(_ text: String) {
        let lower = text.lowercased()
        if let named = Self.names[lower] {
            self = named
            return
        }
        var digits = lower.unicodeScalars.drop { $0 == "#" }.map { UInt8(exactly: $0.value).flatMap(Hex.value) }
        guard lower.unicodeScalars.count - digits.count <= 1, digits.allSatisfy({ $0 != nil }) else { return nil }
        if digits.count == 3 || digits.count == 4 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes.count > 3 ? bytes[3] : 255)
    }

    /// Eight hexadecimal digits, lower case, without `#`: the canonical form in recipes.
    package var hexadecimal: String { Hex.text([red, green, blue, alpha]) }

    /// Colours multiplied by alpha, in 0...255.
    var premultiplied: SIMD4<Float> {
        let factor = Float(alpha) / 255
        return SIMD4(Float(red) * factor, Float(green) * factor, Float(blue) * factor, Float(alpha))
    }

    private static let names: [String: RGBA] = [
        "black": RGBA(red: 0, green: 0, blue: 0), "silver": RGBA(red: 192, green: 192, blue: 192),
        "gray": RGBA(red: 128, green: 128, blue: 128), "white": RGBA(red: 255, green: 255, blue: 255),
        "maroon": RGBA(red: 128, green: 0, blue: 0), "red": RGBA(red: 255, green: 0, blue: 0),
        "purple": RGBA(red: 128, green: 0, blue: 128), "fuchsia": RGBA(red: 255, green: 0, blue: 255),
        "green": RGBA(red: 0, green: 128, blue: 0), "lime": RGBA(red: 0, green: 255, blue: 0),
        "olive": RGBA(red: 128, green: 128, blue: 0), "yellow": RGBA(red: 255, green: 255, blue: 0),
        "navy": RGBA(red: 0, green: 0, blue: 128), "blue": RGBA(red: 0, green: 0, blue: 255),
        "teal": RGBA(red: 0, green: 128, blue: 128), "aqua": RGBA(red: 0, green: 255, blue: 255),
    ]

    /// The basic names of CSS Color 4 (6.1), in alphabetical order.
    package static var basicNames: [String] { names.keys.sorted() }
}
