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

extension FloatImage {
    /// The picture in sRGB. `isCMYK`: its four channels are inks, and the result is opaque.
    func converted(by transform: ColorTransform, isCMYK: Bool) -> FloatImage {
        var source = [UInt16](repeating: 0, count: pixels.count * transform.channels)
        for (i, pixel) in pixels.enumerated() {
            let values = isCMYK ? pixel : pixel.unmultiplied
            for c in 0..<transform.channels {
                // 255 times 257 is the largest value of 16 bits.
                source[i * transform.channels + c] = UInt16(min(max(values[c], 0), 255) * 257 + 0.5)
            }
        }
        var target = [UInt16](repeating: 0, count: pixels.count * 3)
        transform.apply(source, to: &target, count: pixels.count)
        let result = pixels.enumerated().map { i, pixel in
            let alpha = isCMYK ? 255 : pixel.w
            let factor = alpha / (255 * 257)
            return SIMD4(
                Float(target[i * 3]) * factor, Float(target[i * 3 + 1]) * factor, Float(target[i * 3 + 2]) * factor,
                alpha)
        }
        return FloatImage(side: side, pixels: result)
    }
}

extension SIMD4<Float> {
    /// R, G, B no longer multiplied by alpha; all four in 0...255.
    fileprivate var unmultiplied: SIMD4<Float> {
        guard w > 0.01, w < 254.998 else { return self }
        var values = self * (255 / w)
        values.w = w
        return values
    }
}
