/// Reads the coefficients of a scan that are kept, and skips the others (T.81 sections A.2 and F.2.2).
struct ScaledCoefficientsScan {
    /// Blocks of an MCU in coded order, at most 10 (section B.2.3).
    private let blocks: [Block]
    private let planes: [ScaledCoefficients.Plane]
    /// MCUs per row of the picture.
    private let columns: Int
    /// Rows of MCUs to read: up to the last needed one and one more, which smooth upsampling may read.
    private let rows: Int
    /// The needed MCUs and a border of one. For the others, only DCs are read, because later ones are relative to them.
    private let shownColumns: Range<Int>
    private let shownRows: Range<Int>
    private let restartInterval: Int
    private let data: UnsafeRawBufferPointer
    /// Owns the tables that the blocks point to.
    private let codes: ScaledCoefficientsCodes

    /// A block of an MCU and its present position.
    private struct Block {
        let dc: ScaledCoefficientsCode
        let ac: ScaledCoefficientsCode
        let component: Int
        /// Blocks from the left and top of the MCU, and blocks of an MCU.
        let (x, y): (Int, Int)
        let (width, height): (Int, Int)
        let kept: Kept
        /// The component's first block in the MCU, which holds its last DC.
        let first: Int
        var prediction = 0
        /// Zigzag positions to read, from 1 on.
        var limit: UInt64 = 1
        /// The target of the values, and the step to that of the next MCU.
        var target: UnsafeMutablePointer<Int16>
        let step: Int
    }

    /// The zigzag positions of a block that are kept.
    private struct Kept {
        /// The number of positions to read: those up to the highest frequencies of a corner of `side` x `side`.
        let limit: UInt64
        /// Four bits for each: its index in row by row order. Positions outside of the corner have 0, where the DC is
        /// written at the end.
        let places: UInt64

        init(side: Int) {
            let limit = side == 1 ? 1 : side == 2 ? 5 : 15
            self.limit = UInt64(limit)
            places = (0..<limit).reduce(0) { places, position in
                let (row, column) = ScanSelection.naturalOrder[position].quotientAndRemainder(dividingBy: 8)
                return row < side && column < side ? places | UInt64(row * side + column) << (4 * position) : places
            }
        }
    }

    /// `planes`: zeros. Nil if MCUs have more blocks than permitted.
    init?(
        segments: ScaledCoefficientsSegments, codes: ScaledCoefficientsCodes, planes: [ScaledCoefficients.Plane],
        header: ImageHeader, plan: DecodePlan
    ) {
        // A scan of one component is not interleaved: its MCU is one block, whatever its sampling (A.2.2). The decoder
        // still works in rows of as many blocks as the sampling factors give.
        let isSingle = planes.count == 1
        let across = isSingle ? 1 : header.sampling.map(\.horizontal).max() ?? 1
        let down = header.sampling.map(\.vertical).max() ?? 1
        var blocks: [Block] = []
        for (component, plane) in planes.enumerated() {
            let selected = segments.selected[component]
            guard let dc = codes.codes[selected.dc], let ac = codes.codes[selected.ac] else { return nil }
            let (shape, first) = (plane.shape, blocks.count)
            let (width, height) = isSingle ? (1, 1) : (shape.sampling.horizontal, shape.sampling.vertical)
            for index in 0..<width * height {
                blocks.append(
                    Block(
                        dc: dc, ac: ac, component: component, x: index % width, y: index / width, width: width,
                        height: height, kept: Kept(side: shape.side), first: first, target: plane.values,
                        step: width * shape.side * shape.side))
            }
        }
        guard blocks.count <= 10 else { return nil }
        self.blocks = blocks
        self.planes = planes
        self.codes = codes
        data = segments.scan
        restartInterval = segments.restartInterval
        let region = plan.region
        columns = (header.width + 8 * across - 1) / (8 * across)
        let scale = isSingle ? down : 1
        let allRows = (header.height + 8 * down / scale - 1) / (8 * down / scale)
        func units(from start: Int, count: Int, side: Int) -> Range<Int> {
            let first = start * plan.denominator / side
            return max(first - 1, 0)..<((start + count) * plan.denominator + side - 1) / side + 1
        }
        shownColumns = units(from: region.x, count: region.width, side: 8 * across)
        let wanted = units(from: region.y, count: region.height, side: 8 * down)
        shownRows = wanted.lowerBound * scale..<wanted.upperBound * scale
        rows = min(allRows, shownRows.upperBound)
    }

    /// Fills the planes. False if the data are damaged or truncated.
    func read() -> Bool {
        guard var reader = ScaledCoefficientsReader(data) else { return false }
        var blocks = blocks
        var cursor = Cursor(untilRestart: restartInterval)
        return withExtendedLifetime(codes) {
            blocks.withUnsafeMutableBufferPointer { blocks in
                for row in 0..<rows {
                    guard readRow(row, into: blocks, from: &reader, at: &cursor), !reader.isOverrun else {
                        return false
                    }
                }
                return true
            }
        }
    }

    private struct Cursor {
        /// MCUs until the next restart marker; unused without an interval.
        var untilRestart: Int
        /// Number of the next restart marker, 0...7.
        var number = 0
    }

    private func readRow(
        _ row: Int, into blocks: UnsafeMutableBufferPointer<Block>, from reader: inout ScaledCoefficientsReader,
        at cursor: inout Cursor
    ) -> Bool {
        let left = shownRows.contains(row) ? min(shownColumns.lowerBound, columns) : columns
        let right = max(left, min(shownColumns.upperBound, columns))
        for (range, isShown) in [(0..<left, false), (left..<right, true), (right..<columns, false)] {
            var column = range.lowerBound
            while column < range.upperBound {
                if restartInterval > 0, cursor.untilRestart == 0 {
                    guard reader.restart(cursor.number) else { return false }
                    for index in blocks.indices { blocks[index].prediction = 0 }
                    cursor = Cursor(untilRestart: restartInterval, number: (cursor.number + 1) & 7)
                }
                var end = range.upperBound
                if restartInterval > 0 {
                    end = min(end, column + cursor.untilRestart)
                    cursor.untilRestart -= end - column
                }
                aim(blocks, row: row, column: column, isShown: isShown)
                guard Self.read(end - column, of: blocks, from: &reader) else { return false }
                column = end
            }
        }
        return true
    }

    /// Points the blocks at an MCU inside the picture. All of its blocks are inside their planes, since those have a
    /// multiple of the sampling factors, rounded up.
    private func aim(_ blocks: UnsafeMutableBufferPointer<Block>, row: Int, column: Int, isShown: Bool) {
        for index in blocks.indices {
            let block = blocks[index]
            let plane = planes[block.component]
            let number = (row * block.height + block.y) * plane.shape.columns + column * block.width + block.x
            blocks[index].target = plane.values + number * plane.shape.side * plane.shape.side
            blocks[index].limit = isShown ? block.kept.limit : 1
        }
    }

    /// Reads `count` MCUs.
    private static func read(
        _ count: Int, of blocks: UnsafeMutableBufferPointer<Block>, from reader: inout ScaledCoefficientsReader
    ) -> Bool {
        // A copy stays in registers; no other code uses it meanwhile.
        var source = reader
        guard let first = blocks.baseAddress else { return false }
        let end = first + blocks.count
        for _ in 0..<count {
            var block = first
            while block < end {
                guard read(block, of: first, from: &source) else { return false }
                block += 1
            }
        }
        reader = source
        return true
    }

    /// Through a pointer, so that only the needed fields of the block are loaded.
    @inline(__always)
    private static func read(
        _ block: UnsafeMutablePointer<Block>, of blocks: UnsafeMutablePointer<Block>,
        from reader: inout ScaledCoefficientsReader
    ) -> Bool {
        reader.refill()
        let entry = block.pointee.dc.first(reader.bits)
        // A code has one bit at least, and 16 with 15 value bits at most.
        guard entry & 31 > 0 else { return false }
        let first = blocks + block.pointee.first
        let value = first.pointee.prediction &+ reader.value(entry)
        first.pointee.prediction = value
        reader.pass(entry & 31)
        let dc = Int16(truncatingIfNeeded: value)
        guard Int(dc) == value else { return false }
        let target = block.pointee.target
        block.pointee.target = target + block.pointee.step
        guard block.pointee.limit > 1 else {
            target[0] = dc
            if entry & 31 > 20 { reader.refill() }
            return reader.passBlock(from: 1, block.pointee.ac)
        }
        let next = readKept(block, to: target, from: &reader)
        target[0] = dc
        guard next < 64 else { return next < 128 }
        reader.refill()
        return reader.passBlock(from: next, block.pointee.ac)
    }

    /// Reads the AC coefficients up to the block's limit; returns the zigzag position behind them, 64 more after an end
    /// of block, 127 more for an unknown code.
    @inline(__always)
    private static func readKept(
        _ block: UnsafeMutablePointer<Block>, to target: UnsafeMutablePointer<Int16>,
        from reader: inout ScaledCoefficientsReader
    ) -> UInt64 {
        let (limit, places) = (block.pointee.limit, block.pointee.kept.places)
        var k: UInt64 = 1
        repeat {
            if reader.count < 31 { reader.refill() }
            let entry = block.pointee.ac.first(reader.bits)
            k &+= entry &>> 9
            if k <= limit {
                // The limit is 15 at most, so the shift is less than 64, and the index is inside the block.
                let place = Int(truncatingIfNeeded: places &>> (4 &* k &- 4) & 15)
                target[place] = Int16(truncatingIfNeeded: reader.value(entry))
            }
            reader.pass(entry & 31)
        } while k < limit
        return k
    }
}
