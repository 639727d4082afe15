/// The geometry of one style, computed once and used for every photo: the pixels of the picture and of the ring.
struct Stencil {
    let grid: Grid
    /// The picture's circle: radius R - w - g.
    let image: DiscCoverage
    /// The canvas's circle, R, and the ring's inner edge, R - w; nil without a ring.
    let ring: (outer: DiscCoverage, inner: DiscCoverage)?
    /// Colours multiplied by alpha, 0...255.
    let ringColor: SIMD4<Float>
    let background: SIMD4<Float>?

    init(style: Style) {
        let radius = Double(style.side) / 2
        grid = Grid(side: style.side, inset: style.inset)
        // A disc through the corners covers the whole square. Of a whole photo the rest of the square is empty already.
        let reach = style.shape == .circle ? radius - style.inset : Double(style.side)
        image = DiscCoverage(side: style.side, radius: reach)
        ring =
            style.band > 0
            ? (
                DiscCoverage(side: style.side, radius: radius),
                DiscCoverage(side: style.side, radius: radius - style.band)
            ) : nil
        ringColor = style.ring?.color.premultiplied ?? .zero
        background = style.visibleBackground?.premultiplied
    }
}

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

extension Grid {
    /// The pixels of the canvas on which the whole of a photo of this size is drawn: its longer side is that of the canvas.
    /// As many pixels are left on both sides of it, so it is in the middle in every orientation. The shorter side is up to two
    /// pixels longer than its share, because a part of a pixel would give a pale edge.
    func fitted(_ size: (width: Int, height: Int)) -> (columns: Range<Int>, rows: Range<Int>) {
        let long = max(size.width, size.height, 1)
        func range(_ length: Int) -> Range<Int> {
            let margin = min(side * (long - length) / (2 * long), (side - 1) / 2)
            return margin..<(side - margin)
        }
        return (range(size.width), range(size.height))
    }
}
