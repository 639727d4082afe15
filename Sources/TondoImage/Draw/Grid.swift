/// The square canvas of a style and the square the picture takes in it.
struct Grid: Hashable, Sendable {
    /// Pixels a side of the canvas.
    var side: Int
    /// Pixels from each edge of the canvas to the picture: ring width + gap.
    var inset: Double

    /// Pixels a side of the picture, fractions included.
    var pictureSide: Double { Double(side) - 2 * inset }

    /// Canvas columns (and rows) that the picture touches.
    var pixels: Range<Int> { Int(inset.rounded(.down))..<(side - Int(inset.rounded(.down))) }
}
