/// The square canvas of a style and the square of the picture in it.
struct Grid: Hashable, Sendable {
    /// Side of the canvas in pixels.
    var side: Int
    /// Pixels from each edge of the canvas to the picture: ring width + gap.
    var inset: Double

    /// Side of the picture in pixels, including fractions.
    var imageSide: Double { Double(side) - 2 * inset }

    /// Canvas columns (and rows) that the picture touches.
    var pixels: Range<Int> { Int(inset.rounded(.down))..<(side - Int(inset.rounded(.down))) }
}
