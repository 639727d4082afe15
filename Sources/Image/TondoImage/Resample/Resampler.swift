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

    /// `box`: the square in pixels of `source`. The target is the part of `grid` that its picture square touches.
    /// Pixels that `disc`, on the canvas of `grid`, does not touch stay 0, which saves a fifth of the work.
    /// `recent`: nil: all weights are computed.
    init(source: Pixels, box: DecodePlan.Box, grid: Grid, disc: DiscCoverage? = nil, recent: RecentTaps? = nil) {
        self.source = source
        self.grid = grid
        self.disc = disc
        func taps(from start: Double, extent: Int) -> Taps {
            let key = RecentTaps.Key(start: start, length: box.side, extent: extent, grid: grid)
            return recent?.taps(key) ?? Taps(key)
        }
        columns = taps(from: box.x, extent: source.width)
        // A square photo that is shown whole needs the weights of one axis.
        rows =
            box.x == box.y && source.width == source.height ? columns : taps(from: box.y, extent: source.height)
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
    }

    func run() -> FloatImage {
        let side = grid.pixels.count
        let pixels = [SIMD4<Float>](unsafeUninitializedCapacity: side * side) { pixels, count in
            if columns.count < side || rows.count < side { pixels.initialize(repeating: .zero) }
            if let start = pixels.baseAddress { run(into: start + origin.row * side + origin.column) }
            count = side * side
        }
        return FloatImage(side: side, pixels: pixels)
    }

    /// `target`: the pixel of the first row and column.
    private func run(into target: UnsafeMutablePointer<SIMD4<Float>>) {
        let side = grid.pixels.count
        // Two rows, resampled vertically: four floats a pixel, and zeros behind the last one, which weights of 0 read.
        let count = 4 * (source.width + columns.most)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * count) { lines in
            lines.initialize(repeating: 0)
            guard let line = lines.baseAddress else { return }
            var row = 0
            while row < rows.count {
                let columns = wantedColumns(row)
                let others = row + 1 < rows.count ? wantedColumns(row + 1) : 0..<0
                let isPair = gather(row, for: columns, into: line, with: others, into: line + count)
                if !isPair { gather(row, for: columns, into: line) }
                weigh(line, columns: columns, into: target + row * side)
                if isPair { weigh(line + count, columns: others, into: target + (row + 1) * side) }
                row += isPair ? 2 : 1
            }
        }
    }

    /// Columns of the target that are visible in this row.
    private func wantedColumns(_ row: Int) -> Range<Int> {
        guard let disc else { return 0..<columns.count }
        let first = grid.pixels.lowerBound
        let touched = disc.touched(y: row + first)
        return touched.isEmpty ? 0..<0 : (touched.lowerBound - first)..<(touched.upperBound - first)
    }

    /// Resamples one target row vertically, for these columns of the target.
    private func gather(_ row: Int, for columns: Range<Int>, into line: UnsafeMutablePointer<Float>) {
        guard !columns.isEmpty else { return }
        let span = self.columns.sources(of: columns)
        // Straight colours are multiplied by alpha on the way, or those of transparent pixels would show at edges.
        let sum = source.layout == .straight ? ckernels_sum_straight_rows : ckernels_sum_rows
        rows.withWeights(of: row) {
            sum(address(row, span), source.width * 4, $0.weights, $0.taps, line + 4 * span.lowerBound, 4 * span.count)
        }
    }

    /// Resamples a row and the next one, whose sources overlap, in less time than one after the other. False: not these.
    private func gather(
        _ row: Int, for columns: Range<Int>, into line: UnsafeMutablePointer<Float>, with others: Range<Int>,
        into next: UnsafeMutablePointer<Float>
    ) -> Bool {
        guard source.layout != .straight, !columns.isEmpty, !others.isEmpty, rows.overlap(row) else { return false }
        let (one, other) = (self.columns.sources(of: columns), self.columns.sources(of: others))
        let span = min(one.lowerBound, other.lowerBound)..<max(one.upperBound, other.upperBound)
        guard span.count * 4 >= CKERNELS_PAIRED else { return false }
        rows.withWeights(of: row) { first in
            rows.withWeights(of: row + 1) { second in
                ckernels_sum_two_rows(
                    address(row, span), source.width * 4, first, second, rows.first[row + 1] - rows.first[row],
                    line + 4 * span.lowerBound, next + 4 * span.lowerBound, 4 * span.count)
            }
        }
        return true
    }

    /// Taps lie within 0..<extent, so every row address is inside the source.
    private func address(_ row: Int, _ span: Range<Int>) -> UnsafePointer<UInt8> {
        UnsafePointer(source.bytes) + (rows.first[row] * source.width + span.lowerBound) * 4
    }

    /// Resamples a line along the row, for these columns of the target; the others are 0.
    private func weigh(
        _ line: UnsafePointer<Float>, columns wanted: Range<Int>, into row: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        row.initialize(repeating: .zero, count: wanted.lowerBound)
        (row + wanted.upperBound).initialize(repeating: .zero, count: columns.count - wanted.upperBound)
        let target = UnsafeMutableRawPointer(row + wanted.lowerBound).assumingMemoryBound(to: Float.self)
        columns.first[wanted].withUnsafeBufferPointer { first in
            columns.spread.withUnsafeBytes { weights in
                guard let weights = weights.baseAddress?.assumingMemoryBound(to: Float.self) else { return }
                ckernels_sum_pixels(
                    line, first.baseAddress, weights + 4 * columns.most * wanted.lowerBound, columns.most, target,
                    wanted.count)
            }
        }
    }
}
