internal import CKernels

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
        /// The number of values.
        let count: Int
        /// Four bits for each: its index in row by row order. Positions outside of the corner have 0, where the DC is
        /// written at the end.
        let places: UInt64

        init(side: Int) {
            let limit = side == 1 ? 1 : side == 2 ? 5 : 15
            self.limit = UInt64(limit)
            count = side * side
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

    /// Fills the planes, and returns the number of MCUs that were read in lanes. Nil if the data are damaged or truncated.
    /// `lanes`: nil for one walk over all data.
    func read(lanes: ScaledCoefficientsLanes.Size?) -> Int? {
        guard var reader = ScaledCoefficientsReader(data) else { return nil }
        var blocks = blocks
        return withExtendedLifetime(codes) {
            blocks.withUnsafeMutableBufferPointer { blocks in
                var unit = 0
                if let lanes, units > 0 {
                    guard let reached = readLanes(lanes, into: blocks) else { return nil }
                    if let next = reached.reader {
                        unit = reached.unit
                        reader = next
                    } else if reached.unit > 0 {
                        // The walk cannot go on where the lanes ended, and must not read from the first MCU again.
                        return nil
                    }
                }
                return read(from: unit, into: blocks, from: &reader) ? unit : nil
            }
        }
    }

    /// MCUs to read.
    private var units: Int { rows * columns }

    /// Reads all MCUs from `first` on.
    private func read(
        from first: Int, into blocks: UnsafeMutableBufferPointer<Block>, from reader: inout ScaledCoefficientsReader
    ) -> Bool {
        var unit = first
        while unit < units {
            var count = aim(blocks, at: unit)
            if restartInterval > 0 {
                let (interval, passed) = unit.quotientAndRemainder(dividingBy: restartInterval)
                if passed == 0, interval > 0 {
                    guard reader.restart((interval - 1) & 7) else { return false }
                    forgetPredictions(blocks)
                }
                count = min(count, restartInterval - passed)
            }
            guard Self.read(count, of: blocks, from: &reader), !reader.isOverrun else { return false }
            unit += count
        }
        return true
    }

    private func forgetPredictions(_ blocks: UnsafeMutableBufferPointer<Block>) {
        for index in blocks.indices { blocks[index].prediction = 0 }
    }

    /// Points the blocks at an MCU; returns the number of MCUs in its row from there on that are all shown, or all hidden.
    private func aim(_ blocks: UnsafeMutableBufferPointer<Block>, at unit: Int) -> Int {
        let (row, column) = unit.quotientAndRemainder(dividingBy: columns)
        let left = shownRows.contains(row) ? min(shownColumns.lowerBound, columns) : columns
        let right = max(left, min(shownColumns.upperBound, columns))
        aim(blocks, row: row, column: column, isShown: left..<right ~= column)
        return (column < left ? left : column < right ? right : columns) - column
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

// MARK: Lanes

extension ScaledCoefficientsScan {
    /// Reads what lanes can read; the walk goes on at `unit` with the reader, if there is one. Nil: a DC is out of range.
    private func readLanes(
        _ size: ScaledCoefficientsLanes.Size, into blocks: UnsafeMutableBufferPointer<Block>
    ) -> (unit: Int, reader: ScaledCoefficientsReader?)? {
        let kernel = blocks.map { block in
            ckernels_block(
                dc: block.dc.laneCode, ac: block.ac.laneCode, limit: block.kept.limit, places: block.kept.places,
                count: block.kept.count)
        }
        var unit = 0
        var isDamaged = false
        let place = { (values: UnsafePointer<Int16>, count: Int) -> Bool in
            if restartInterval > 0, unit % restartInterval == 0 { forgetPredictions(blocks) }
            isDamaged = isDamaged || !self.place(values, count: count, at: unit, into: blocks)
            unit += count
            return !isDamaged
        }
        let lanes = ScaledCoefficientsLanes(data, blocks: kernel, size: size)
        let reader =
            restartInterval > 0
            ? lanes.read(intervals: units / restartInterval, of: restartInterval, place: place)
            : lanes.read(units: units, columns: columns, place: place)
        return isDamaged ? nil : (unit, reader)
    }

    /// Takes over what a lane has read.
    private func place(
        _ values: UnsafePointer<Int16>, count: Int, at first: Int, into blocks: UnsafeMutableBufferPointer<Block>
    ) -> Bool {
        var (unit, values) = (first, values)
        while unit < first + count {
            let next = min(aim(blocks, at: unit), first + count - unit)
            guard Self.place(next, of: blocks, from: &values) else { return false }
            unit += next
        }
        return true
    }

    private static func place(
        _ count: Int, of blocks: UnsafeMutableBufferPointer<Block>, from outer: inout UnsafePointer<Int16>
    ) -> Bool {
        guard let first = blocks.baseAddress else { return false }
        let end = first + blocks.count
        var values = outer
        defer { outer = values }
        for _ in 0..<count {
            var block = first
            while block < end {
                let own = first + block.pointee.first
                let value = own.pointee.prediction &+ Int(values[0])
                let dc = Int16(truncatingIfNeeded: value)
                guard Int(dc) == value else { return false }
                own.pointee.prediction = value
                let target = block.pointee.target
                let count = block.pointee.kept.count
                if block.pointee.limit > 1 { copy(count, from: values, to: target) }
                target[0] = dc
                block.pointee.target = target + block.pointee.step
                values += count
                block += 1
            }
        }
        return true
    }

    /// 4 or 16 values, without a call.
    @inline(__always)
    private static func copy(_ count: Int, from values: UnsafePointer<Int16>, to target: UnsafeMutablePointer<Int16>) {
        let (source, target) = (UnsafeRawPointer(values), UnsafeMutableRawPointer(target))
        for offset in stride(from: 0, to: 2 * count, by: 8) {
            let four = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: four, toByteOffset: offset, as: UInt64.self)
        }
    }
}

extension ScaledCoefficientsCode {
    fileprivate var laneCode: ckernels_code {
        ckernels_code(symbols: symbols, runs: runs, bounds: bounds, values: values, kept: nil)
    }
}
