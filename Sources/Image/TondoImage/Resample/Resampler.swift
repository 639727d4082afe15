internal import CKernels

/// Lanczos resampling of a decoded square to a small picture, first along the columns, then along the rows, in floating
/// point throughout, colours multiplied by alpha.
///
/// A change that changes a byte of any avatar needs a new `AvatarRecipe.rendererVersion`, see `Tests/Checks/goldens`.
struct Resampler {
    private let source: Pixels
    private let columns: Taps
    private let rows: Taps
    private let grid: Grid
    private let disc: DiscCoverage?
    /// The place of the first resampled pixel in the target.
    private var origin = (column: 0, row: 0)
    /// One row of the source, resampled vertically: four floats a pixel.
    private var line: [SIMD4<Float>]

    /// `box`: the square in pixels of `source`. The target is the part of `grid` that its picture square touches.
    /// Pixels that `disc`, on the canvas of `grid`, does not touch stay 0, which saves a fifth of the work.
    init(source: Pixels, box: DecodePlan.Box, grid: Grid, disc: DiscCoverage? = nil) {
        self.source = source
        self.grid = grid
        self.disc = disc
        func taps(from start: Double, extent: Int) -> Taps {
            Taps(
                start: start, length: box.side, extent: extent, targets: grid.pixels, inset: grid.inset,
                span: grid.imageSide)
        }
        columns = taps(from: box.x, extent: source.width)
        // A square photo that is shown whole needs the weights of one axis.
        rows =
            box.x == box.y && source.width == source.height ? columns : taps(from: box.y, extent: source.height)
        line = Array(repeating: .zero, count: source.width)
    }

    /// The whole of `source`, of which `size` pixels belong to the photo, with fractions, on these columns and rows of the canvas
    /// of `grid`. The rest of the target stays 0.
    init(source: Pixels, size: (width: Double, height: Double), columns: Range<Int>, rows: Range<Int>, grid: Grid) {
        self.source = source
        self.grid = grid
        disc = nil
        func taps(_ length: Double, extent: Int, targets: Range<Int>) -> Taps {
            Taps(
                start: 0, length: length, extent: extent, targets: targets, inset: Double(targets.lowerBound),
                span: Double(targets.count))
        }
        self.columns = taps(size.width, extent: source.width, targets: columns)
        self.rows = taps(size.height, extent: source.height, targets: rows)
        let first = grid.pixels.lowerBound
        origin = (columns.lowerBound - first, rows.lowerBound - first)
        line = Array(repeating: .zero, count: source.width)
    }

    mutating func run() -> FloatImage {
        let side = grid.pixels.count
        var pixels = [SIMD4<Float>](repeating: .zero, count: side * side)
        for row in 0..<rows.count {
            let wanted = wantedColumns(row)
            guard !wanted.isEmpty else { continue }
            gather(row, span: columns.sources(of: wanted))
            let start = (row + origin.row) * side + origin.column
            for column in wanted { pixels[start + column] = weigh(column) }
        }
        return FloatImage(side: side, pixels: pixels)
    }

    /// Columns of the target that are visible in this row.
    private func wantedColumns(_ row: Int) -> Range<Int> {
        guard let disc else { return 0..<columns.count }
        let first = grid.pixels.lowerBound
        let touched = disc.touched(y: row + first)
        return touched.isEmpty ? 0..<0 : (touched.lowerBound - first)..<(touched.upperBound - first)
    }

    /// Resamples one target row vertically into `line`, for these source columns.
    private mutating func gather(_ row: Int, span: Range<Int>) {
        let range = rows.start[row]..<rows.start[row + 1]
        let stride = source.width * 4
        // Straight colours are multiplied by alpha on the way, or those of transparent pixels would show at edges.
        let sum = source.layout == .straight ? ckernels_sum_straight_rows : ckernels_sum_rows
        // Taps lie within 0..<extent, so every row address is inside the source.
        let top = UnsafePointer(source.bytes) + rows.first[row] * stride + span.lowerBound * 4
        rows.weights[range].withUnsafeBufferPointer { weights in
            line.withUnsafeMutableBufferPointer { line in
                let target = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: line[span]))
                sum(
                    top, stride, weights.baseAddress, weights.count,
                    target.baseAddress?.assumingMemoryBound(to: Float.self), span.count * 4)
            }
        }
    }

    /// One target pixel from `line`. Two sums run in parallel, since each addition waits for the previous one.
    private func weigh(_ column: Int) -> SIMD4<Float> {
        line.withUnsafeBufferPointer { line in
            columns.weights.withUnsafeBufferPointer { weights in
                var even = SIMD4<Float>.zero
                var odd = SIMD4<Float>.zero
                var tap = columns.start[column]
                let end = columns.start[column + 1]
                var x = columns.first[column]
                while tap &+ 1 < end {
                    even += line[x] * weights[tap]
                    odd += line[x &+ 1] * weights[tap &+ 1]
                    tap &+= 2
                    x &+= 2
                }
                if tap < end { even += line[x] * weights[tap] }
                return even + odd
            }
        }
    }
}
