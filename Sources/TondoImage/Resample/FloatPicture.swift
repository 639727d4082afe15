/// A small square picture while it is worked on: `side` x `side` pixels of four channels in 0...255, colours multiplied
/// by alpha (or four inks). Values may lie slightly outside the range, where the resampler overshoots.
struct FloatPicture {
    var side: Int
    var pixels: [SIMD4<Float>]
}

extension FloatPicture {
    func oriented(_ orientation: Orientation) -> FloatPicture {
        FloatPicture(side: side, pixels: orientation.apply(to: pixels, side: side))
    }
}
