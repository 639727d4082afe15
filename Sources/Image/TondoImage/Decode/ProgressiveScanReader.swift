#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// Reads one scan of a progressive JPEG into the coefficients (T.81 sections G.1.2 and G.2).
struct ProgressiveScanReader {
    private let scan: ProgressiveScan
    private let codes: ScaledCoefficientsCodes
    private let planes: [ScaledCoefficients.Plane]
    /// For each block of each component: see `ProgressiveBand.Target`. Nothing for components of which only DCs are read.
    private let nonzero: [UnsafeMutablePointer<UInt64>]
    private let header: ImageHeader

    /// `planes`, `nonzero`: of all components of the frame, zero before the first scan. Nil if a table is missing or overfull.
    init?(
        _ scan: ProgressiveScan, planes: [ScaledCoefficients.Plane], nonzero: [UnsafeMutablePointer<UInt64>],
        header: ImageHeader
    ) {
        guard let codes = ScaledCoefficientsCodes(progressive: scan) else { return nil }
        self.scan = scan
        self.codes = codes
        self.planes = planes
        self.nonzero = nonzero
        self.header = header
    }

    /// The position in the data.
    struct Cursor {
        var reader: ScaledCoefficientsReader
        /// MCUs until the next restart marker, if there are any.
        var untilRestart: Int
        /// The number of the next restart marker, 0...7.
        var number = 0
        /// Blocks that have no more coefficients in this scan.
        var ended: UInt64 = 0
    }

    /// False if the data are damaged, cut short, or followed by others.
    func read() -> Bool {
        guard let reader = ScaledCoefficientsReader(scan.data) else { return false }
        var cursor = Cursor(reader: reader, untilRestart: scan.restartInterval)
        return withExtendedLifetime(codes) {
            let isRead = scan.isDC ? readDCs(&cursor) : readACs(&cursor)
            return isRead && cursor.ended == 0 && cursor.reader.isAtEnd
        }
    }

    /// At the beginning of an MCU: passes a restart marker. True: there was one, and predictions begin again. Nil: one is
    /// missing.
    @inline(__always)
    private func restart(_ cursor: inout Cursor) -> Bool? {
        guard scan.restartInterval > 0 else { return false }
        cursor.untilRestart -= 1
        guard cursor.untilRestart < 0 else { return false }
        // A copy, so that the one of the hot loops stays in registers.
        var reader = cursor.reader
        guard cursor.ended == 0, reader.restart(cursor.number) else { return nil }
        cursor.reader = reader
        cursor.number = (cursor.number + 1) & 7
        cursor.untilRestart = scan.restartInterval - 1
        return true
    }

    // MARK: DCs

    /// A block of an MCU.
    private struct Block {
        /// Nil where the scan has no codes.
        let code: ScaledCoefficientsCode?
        /// Index of its component in the scan.
        let component: Int
        let first: UnsafeMutablePointer<Int16>
        /// Values from a block to that of the next MCU, and to that of the MCU below.
        let right: Int
        let down: Int
        /// Where its next value goes.
        var target: UnsafeMutablePointer<Int16>
    }

    /// Blocks of a component that is alone in a scan: those that the picture has (section A.2.2).
    private func extent(_ component: Int) -> (columns: Int, rows: Int) {
        let (most, own) = (header.maxSampling, header.sampling[component])
        func blocks(_ pixels: Int, _ factor: Int, of most: Int) -> Int { (pixels * factor + 8 * most - 1) / (8 * most) }
        return (
            blocks(header.width, own.horizontal, of: most.horizontal),
            blocks(header.height, own.vertical, of: most.vertical)
        )
    }

    private func blocks() -> [Block] {
        let isSingle = scan.components.count == 1
        var blocks: [Block] = []
        for (index, component) in scan.components.enumerated() {
            let plane = planes[component]
            let (width, height) = isSingle ? (1, 1) : (plane.shape.sampling.horizontal, plane.shape.sampling.vertical)
            let size = plane.shape.side * plane.shape.side
            let code = scan.before == nil ? codes.codes[scan.dcSlot(index)] : nil
            for number in 0..<width * height {
                let place = number / width * plane.shape.columns + number % width
                blocks.append(
                    Block(
                        code: code, component: index, first: plane.values + place * size, right: width * size,
                        down: height * plane.shape.columns * size, target: plane.values + place * size))
            }
        }
        return blocks
    }

    /// MCUs of the scan.
    private var units: (columns: Int, rows: Int) {
        if scan.components.count == 1 { return extent(scan.components[0]) }
        let most = header.maxSampling
        return (
            (header.width + 8 * most.horizontal - 1) / (8 * most.horizontal),
            (header.height + 8 * most.vertical - 1) / (8 * most.vertical)
        )
    }

    private func readDCs(_ outer: inout Cursor) -> Bool {
        // A copy stays in registers.
        var cursor = outer
        defer { outer = cursor }
        var (blocks, units) = (blocks(), units)
        guard blocks.count <= 10 else { return false }
        var predictions = [Int](repeating: 0, count: scan.components.count)
        return blocks.withUnsafeMutableBufferPointer { blocks in
            predictions.withUnsafeMutableBufferPointer { predictions in
                for row in 0..<units.rows {
                    for index in blocks.indices {
                        blocks[index].target = blocks[index].first + row * blocks[index].down
                    }
                    for _ in 0..<units.columns {
                        guard let begins = restart(&cursor) else { return false }
                        if begins { predictions.update(repeating: 0) }
                        guard scan.before == nil else {
                            refine(blocks, from: &cursor.reader)
                            continue
                        }
                        guard read(blocks, from: &cursor.reader, predictions: predictions) else { return false }
                    }
                    if cursor.reader.isOverrun { return false }
                }
                return true
            }
        }
    }

    /// One more bit of each block of an MCU.
    @inline(__always)
    private func refine(_ blocks: UnsafeMutableBufferPointer<Block>, from reader: inout ScaledCoefficientsReader) {
        if reader.count < UInt64(blocks.count) { reader.refill() }
        for index in blocks.indices {
            let target = blocks[index].target
            target[0] |= Int16(truncatingIfNeeded: reader.take(1) &<< UInt64(truncatingIfNeeded: scan.after))
            blocks[index].target = target + blocks[index].right
        }
    }

    /// The first bits of each block of an MCU. False if the data are damaged.
    @inline(__always)
    private func read(
        _ blocks: UnsafeMutableBufferPointer<Block>, from reader: inout ScaledCoefficientsReader,
        predictions: UnsafeMutableBufferPointer<Int>
    ) -> Bool {
        for index in blocks.indices {
            guard let code = blocks[index].code else { return false }
            // A code has 31 bits at most, with those of its value.
            if reader.count < 31 { reader.refill() }
            let difference: Int
            if let (value, width, _) = code.short(reader.bits) {
                difference = value
                reader.pass(width)
            } else {
                let entry = code.first(reader.bits)
                guard entry & 31 > 0 else { return false }
                difference = reader.value(entry)
                reader.pass(entry & 31)
            }
            let component = blocks[index].component
            let value = predictions[component] &+ difference
            predictions[component] = value
            let dc = Int16(truncatingIfNeeded: value &<< scan.after)
            guard Int(dc) == value &<< scan.after else { return false }
            let target = blocks[index].target
            target[0] = dc
            blocks[index].target = target + blocks[index].right
        }
        return true
    }

    // MARK: AC coefficients

    private func readACs(_ cursor: inout Cursor) -> Bool {
        scan.before == nil ? readFirstACs(&cursor) : refineACs(&cursor)
    }

    // One function for each: together they need more registers than there are.

    @inline(never)
    private func readFirstACs(_ cursor: inout Cursor) -> Bool { readACs(&cursor, isRefinement: false) }

    @inline(never)
    private func refineACs(_ cursor: inout Cursor) -> Bool { readACs(&cursor, isRefinement: true) }

    @inline(__always)
    private func readACs(_ cursor: inout Cursor, isRefinement: Bool) -> Bool {
        let component = scan.components[0]
        let (plane, extent) = (planes[component], extent(component))
        guard plane.shape.side == 8, let slot = scan.slots.first, let code = codes.codes[slot] else { return false }
        // A copy stays in registers.
        var own = cursor
        let isRead = ProgressiveBand.positions.withUnsafeBufferPointer { positions in
            let band = ProgressiveBand(scan, code: code, positions: positions)
            for row in 0..<extent.rows {
                let start = row * plane.shape.columns
                let target = ProgressiveBand.Target(
                    values: plane.values + start * 64, nonzero: nonzero[component] + start)
                guard readRow(of: extent.columns, at: target, band, &own, isRefinement: isRefinement) else {
                    return false
                }
            }
            return true
        }
        cursor = own
        return isRead
    }

    @inline(__always)
    private func readRow(
        of columns: Int, at start: ProgressiveBand.Target, _ band: ProgressiveBand, _ cursor: inout Cursor,
        isRefinement: Bool
    ) -> Bool {
        var (target, left) = (start, columns)
        while left > 0 {
            guard restart(&cursor) != nil, band.read(target, &cursor, isRefinement: isRefinement) else { return false }
            var passed = 1
            // Files with restart markers are rare, so their blocks are read one by one.
            if cursor.ended > 0, scan.restartInterval == 0 {
                passed &+= band.pass(behind: target, atMost: left &- 1, &cursor, isRefinement: isRefinement)
            }
            target.values += 64 &* passed
            target.nonzero += passed
            left &-= passed
        }
        return !cursor.reader.isOverrun
    }
}

extension ScaledCoefficients {
    /// Reads a progressive file. Components whose pixels are means have their DCs; of the others, all coefficients of the scans
    /// that libjpeg would read: its values are exactly the same. `selection`: of all scans.
    convenience init?(
        progressive bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, selection: ScanSelection
    ) {
        let sizes = header.scaledTransformSizes(plan.denominator)
        guard header.isProgressive, !header.isArithmetic,
            let found = ProgressiveScans(bytes: bytes, header: header, selection: selection)
        else { return nil }
        self.init(
            shapes: header.coefficientShapes(sides: sizes.map { $0 == 1 ? 1 : 8 }), headerCount: found.headerCount)
        let nonzero = planes.compactMap { plane in
            UnsafeMutablePointer<UInt64>.zeros(plane.shape.side == 8 ? plane.shape.columns * plane.shape.rows : 0)
        }
        defer { for bits in nonzero { free(bits) } }
        guard nonzero.count == planes.count else { return nil }
        for scan in found.scans {
            let reader = ProgressiveScanReader(scan, planes: planes, nonzero: nonzero, header: header)
            guard let reader, reader.read() else { return nil }
        }
    }
}
