/// The photo for contacts without one: head and shoulders in two neutral grays. It is an ordinary photo: every style
/// crops it and draws its ring as for any other.
package enum Silhouette {
    /// A PNG; the same bytes on every machine.
    package static let photo: [UInt8] = PNGEncoder.encode(pixels: pixels, width: side, height: side, text: [])

    /// Pixels; enough for 170 points at the highest scale, and smooth beyond.
    static let side = 512

    private static let background = SIMD4<Float>(0xDD, 0xE1, 0xE6, 0xFF)
    private static let person = SIMD4<Float>(0x9C, 0xA4, 0xAE, 0xFF)

    /// Discs that do not touch each other; as fractions of the side.
    private static let parts = [Part(x: 0.5, y: 0.385, radius: 0.172), Part(x: 0.5, y: 0.965, radius: 0.355)]

    private struct Part {
        let disc: Disc
        let x: Double
        let y: Double

        init(x: Double, y: Double, radius: Double) {
            let side = Double(Silhouette.side)
            self.x = x * side
            self.y = y * side
            disc = Disc(radius: radius * side)
        }

        /// Columns of a row that the disc may touch, and those that it covers completely.
        func columns(_ row: Int) -> (touched: Range<Int>, covered: Range<Int>) {
            let (top, bottom) = (abs(Double(row) - y), abs(Double(row) + 1 - y))
            let isInside = (Double(row) - y) * (Double(row) + 1 - y) <= 0
            let (nearest, farthest) = (isInside ? 0 : min(top, bottom), max(top, bottom))
            return (reach(nearest, by: 1), reach(farthest, by: -1))
        }

        private func reach(_ distance: Double, by margin: Double) -> Range<Int> {
            let half = disc.halfChord(distance) + margin
            guard distance < disc.radius, half > 1 else { return 0..<0 }
            return max(0, Int(x - half))..<min(Silhouette.side, Int(x + half) + 1)
        }

        func area(column: Int, row: Int) -> Float {
            Float(min(max(disc.area(left: Double(column) - x, top: Double(row) - y), 0), 1))
        }
    }

    private static var pixels: [UInt8] {
        var pixels = [SIMD4<UInt8>](repeating: color(0), count: side * side)
        let inside = color(1)
        for part in parts {
            for row in 0..<side {
                let (touched, covered) = part.columns(row)
                for column in touched {
                    pixels[row * side + column] =
                        covered.contains(column) ? inside : color(part.area(column: column, row: row))
                }
            }
        }
        return pixels.withUnsafeBytes { Array($0) }
    }

    /// `area`: the share of the pixel that the figure covers, 0...1.
    private static func color(_ area: Float) -> SIMD4<UInt8> {
        SIMD4<UInt8>((background + (person - background) * area).rounded(.toNearestOrAwayFromZero))
    }
}
