internal import Glibc
package import TondoImage

extension RGBA {
    /// 1...21 (WCAG 2.1, "contrast ratio"). Of opaque colours.
    package func contrast(with other: RGBA) -> Double {
        let (one, other) = (luminance, other.luminance)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// 0...1 (WCAG 2.1, "relative luminance").
    private var luminance: Double {
        func linear(_ byte: UInt8) -> Double {
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
