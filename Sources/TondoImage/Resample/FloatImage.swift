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
}
