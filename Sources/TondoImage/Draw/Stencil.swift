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

    init(_ style: Style) {
        let radius = Double(style.side) / 2
        grid = Grid(side: style.side, inset: style.inset)
        // A disc through the corners covers the whole square.
        let reach = style.shape == .square ? Double(style.side) : radius - style.inset
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
