/// The geometry of one style, computed once and used for every photo: the pixels of the picture and of the ring.
struct Stencil {
    let grid: Grid
    /// The picture's circle: radius R - w - g.
    let image: DiscCoverage
    /// The canvas's circle, R, and the ring's inner edge, R - w; nil without a ring.
    let ring: (outer: DiscCoverage, inner: DiscCoverage)?
    /// What of the ring is beside the picture; nil without a ring.
    let rim: Rim?
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
        rim = ring.map { [image, ringColor] in Rim(side: style.side, ring: $0, image: image, color: ringColor) }
        background = style.visibleBackground?.premultiplied
    }
}

/// The pixels of a ring that the picture does not touch: the same for every photo. The left upper quarter of the canvas, the
/// others being its mirror images.
struct Rim {
    /// The first column of each row, and the start of its pixels in `pixels`; one more than there are rows.
    private var rows: [(column: Int, start: Int)] = []
    private var pixels: [SIMD4<UInt8>] = []

    fileprivate init(
        side: Int, ring: (outer: DiscCoverage, inner: DiscCoverage), image: DiscCoverage, color: SIMD4<Float>
    ) {
        let half = (side + 1) / 2
        for y in 0..<half {
            let (touched, picture) = (ring.outer.touched(y: y), image.touched(y: y))
            let first = touched.isEmpty ? half : touched.lowerBound
            rows.append((first, pixels.count))
            for x in first..<max(first, picture.isEmpty ? half : picture.lowerBound) {
                let area = ring.outer.area(x: x, y: y) - ring.inner.area(x: x, y: y)
                pixels.append(Compositor.straight(color * area))
            }
        }
        rows.append((half, pixels.count))
    }

    /// Stores the pixels of a row of `side` pixels.
    func draw(_ y: Int, side: Int, into row: UnsafeMutablePointer<SIMD4<UInt8>>) {
        let y = min(y, side - 1 - y)
        for (column, index) in zip(rows[y].column..., rows[y].start..<rows[y + 1].start) {
            row[column] = pixels[index]
            row[side - 1 - column] = pixels[index]
        }
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
