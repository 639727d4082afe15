/// Where a drawing's square lies on whole pixels: `pixels` rows and columns, and from the left and from the top `inset` of
/// them, less than one, before its edge.
package struct DrawingSquare: Hashable, Sendable {
    package let pixels: Int
    package let inset: Double
    /// In pixels, including fractions.
    package let side: Double

    /// The side of the square follows from both: `pixels - 2 * inset`.
    package init(pixels: Int, inset: Double = 0) {
        self.pixels = pixels
        self.inset = inset
        side = Double(pixels) - 2 * inset
    }

    init(grid: Grid) {
        self.init(pixels: grid.pixels.count, inset: grid.inset - grid.inset.rounded(.down))
    }
}

extension FloatImage {
    /// `pixels`: a square without transparent pixels.
    init(opaque pixels: Pixels) {
        let count = pixels.width * pixels.height
        precondition(pixels.width == pixels.height && pixels.layout == .opaque, "a square that hides what is behind it")
        self.init(
            side: pixels.width,
            pixels: [SIMD4<Float>](unsafeUninitializedCapacity: count) { target, initialized in
                for i in 0..<count {
                    let source = pixels.bytes + i * 4
                    target[i] = SIMD4(Float(source[0]), Float(source[1]), Float(source[2]), 255)
                }
                initialized = count
            })
    }
}
