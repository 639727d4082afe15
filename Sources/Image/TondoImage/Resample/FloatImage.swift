/// A small square picture during processing: `side` x `side` pixels of four channels in 0...255, colours multiplied by
/// alpha (or four inks). Values may be slightly outside the range, because the resampler overshoots.
struct FloatImage {
    var side: Int
    var pixels: [SIMD4<Float>]
}

extension FloatImage {
    func oriented(_ orientation: Orientation) -> FloatImage {
        FloatImage(side: side, pixels: orientation.apply(to: pixels, side: side))
    }

    /// Empties the pixels outside of these columns and rows.
    mutating func clear(outside columns: Range<Int>, _ rows: Range<Int>) {
        for y in 0..<side {
            let isInside = rows.contains(y)
            for x in 0..<side where !isInside || !columns.contains(x) { pixels[y * side + x] = .zero }
        }
    }
}
