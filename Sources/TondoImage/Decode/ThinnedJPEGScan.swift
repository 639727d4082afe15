/// Copies the scan of a JPEG, leaving out coefficients (T.81 sections A.2, F.1.2 and F.2.2).
struct ThinnedJPEGScan {
    /// One block of an MCU, in coded order.
    struct Block {
        let dc: ThinnedJPEGCode
        let ac: ThinnedJPEGCode
        /// Zigzag positions that are kept, 1...63.
        let keep: UInt64
    }

    /// Blocks of the MCUs that are shown, and of the others, where only DCs count, as the ground of later predictions.
    private let shown: [Block]
    private let hidden: [Block]
    /// MCUs a row of the picture.
    private let columns: Int
    /// Rows of MCUs that are copied: to the last wanted one and one more, which smooth upsampling may look at.
    private let rows: Int
    /// MCUs that are wanted and a border of one.
    private let shownColumns: Range<Int>
    private let shownRows: Range<Int>
    private let restartInterval: Int
    private let data: UnsafeRawBufferPointer
    /// Owns the tables that the blocks point to.
    private let codes: ThinnedJPEGCodes

    /// `limits`: zigzag positions to keep of each component. Nil when MCUs have more blocks than allowed (B.2.3).
    init?(
        _ segments: ThinnedJPEGSegments, codes: ThinnedJPEGCodes, header: ImageHeader, plan: DecodePlan,
        limits: [UInt64]
    ) {
        // A scan of one component is not interleaved: its MCU is one block, whatever its sampling (A.2.2). The decoder
        // still works in rows of as many blocks as the sampling says.
        let isSingle = header.sampling.count == 1
        let across = isSingle ? 1 : header.sampling.map(\.horizontal).max() ?? 1
        let down = header.sampling.map(\.vertical).max() ?? 1
        var blocks: [(block: Block, times: Int)] = []
        for (component, factors) in header.sampling.enumerated() {
            let selected = segments.selected[component]
            guard let dc = codes.codes[selected.dc], let ac = codes.codes[selected.ac] else { return nil }
            let block = Block(dc: dc, ac: ac, keep: limits[component])
            blocks.append((block, isSingle ? 1 : factors.horizontal * factors.vertical))
        }
        shown = blocks.flatMap { Array(repeating: $0.block, count: $0.times) }
        guard shown.count <= 10 else { return nil }
        hidden = shown.map { Block(dc: $0.dc, ac: $0.ac, keep: 1) }
        (self.codes, data, restartInterval) = (codes, segments.scan, segments.restartInterval)
        let region = plan.region
        columns = (header.width + 8 * across - 1) / (8 * across)
        let scale = isSingle ? down : 1
        let allRows = (header.height + 8 * down / scale - 1) / (8 * down / scale)
        func units(_ start: Int, _ count: Int, side: Int) -> Range<Int> {
            let first = start * plan.denominator / side
            return max(first - 1, 0)..<((start + count) * plan.denominator + side - 1) / side + 1
        }
        shownColumns = units(region.x, region.width, side: 8 * across)
        let wanted = units(region.y, region.height, side: 8 * down)
        shownRows = wanted.lowerBound * scale..<wanted.upperBound * scale
        rows = min(allRows, shownRows.upperBound)
    }

    /// Writes the thinned data and EOI; the number of bytes, or nil when they are damaged, end early, or hardly shrink.
    func copy(to target: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard var reader = ThinnedJPEGReader(data), var writer = ThinnedJPEGWriter(target) else { return nil }
        let start = reader.position
        var cursor = Cursor(untilRestart: restartInterval)
        let isCopied = withExtendedLifetime(codes) {
            for row in 0..<rows {
                guard copyRow(row, &reader, &writer, &cursor), !reader.isOverrun, !writer.isFull,
                    writer.count <= ThinnedJPEG.most(reader.position - start)
                else { return false }
            }
            return true
        }
        writer.end(with: 0xD9)
        return isCopied && !writer.isFull ? writer.count : nil
    }

    private struct Cursor {
        /// MCUs until the next restart marker; not looked at without an interval.
        var untilRestart: Int
        /// Number of the next restart marker, 0...7.
        var number = 0
    }

    private func copyRow(
        _ row: Int, _ reader: inout ThinnedJPEGReader, _ writer: inout ThinnedJPEGWriter, _ cursor: inout Cursor
    ) -> Bool {
        let left = shownRows.contains(row) ? min(shownColumns.lowerBound, columns) : columns
        let right = max(left, min(shownColumns.upperBound, columns))
        for (range, blocks) in [(0..<left, hidden), (left..<right, shown), (right..<columns, hidden)] {
            var column = range.lowerBound
            while column < range.upperBound {
                if restartInterval > 0, cursor.untilRestart == 0 {
                    guard reader.restart(cursor.number) else { return false }
                    writer.end(with: 0xD0 + UInt8(cursor.number))
                    cursor = Cursor(untilRestart: restartInterval, number: (cursor.number + 1) & 7)
                }
                var end = range.upperBound
                if restartInterval > 0 {
                    end = min(end, column + cursor.untilRestart)
                    cursor.untilRestart -= end - column
                }
                guard Self.copy(end - column, of: blocks, &reader, &writer) else { return false }
                column = end
            }
        }
        return true
    }

    /// Copies `count` MCUs.
    private static func copy(
        _ count: Int, of blocks: [Block], _ reader: inout ThinnedJPEGReader, _ writer: inout ThinnedJPEGWriter
    ) -> Bool {
        // Copies of both stay in registers; nothing else touches them meanwhile.
        var (source, target) = (reader, writer)
        let isCopied = blocks.withUnsafeBufferPointer { blocks in
            guard let first = blocks.baseAddress else { return false }
            let end = first + blocks.count
            for _ in 0..<count {
                var block = first
                while block < end {
                    guard copy(block, &source, &target) else { return false }
                    block += 1
                }
            }
            return true
        }
        (reader, writer) = (source, target)
        return isCopied
    }

    /// Behind a pointer, so that only what is needed of the block is loaded.
    @inline(__always)
    private static func copy(
        _ block: UnsafePointer<Block>, _ reader: inout ThinnedJPEGReader, _ writer: inout ThinnedJPEGWriter
    ) -> Bool {
        reader.refill()
        let width = block.pointee.dc.first(reader.bits) & 255
        guard width > 0 else { return false }
        let end = block.pointee.ac.endOfBlock
        // A code has one bit at least, and 16 with 15 value bits at most.
        let difference = reader.bits &>> (64 &- width)
        reader.pass(width)
        if block.pointee.keep == 1 {
            writer.put(difference &<< end.count | end.bits, width &+ end.count)
            if width > 20 { reader.refill() }
            return reader.passBlock(from: 1, block.pointee.ac)
        }
        writer.put(difference, width)
        let next = copyKept(block, &reader, &writer)
        guard next < 64 else { return true }
        writer.put(end.bits, end.count)
        reader.refill()
        return reader.passBlock(from: next, block.pointee.ac)
    }

    /// Copies AC codes up to the block's limit, or what is no code: the coefficient where it stopped, 128 behind an end
    /// of block, which is copied too.
    @inline(__always)
    private static func copyKept(
        _ block: UnsafePointer<Block>, _ reader: inout ThinnedJPEGReader, _ writer: inout ThinnedJPEGWriter
    ) -> UInt64 {
        var k: UInt64 = 1
        while k < block.pointee.keep {
            reader.refill()
            var entry = UInt64(block.pointee.ac.runs[Int(truncatingIfNeeded: reader.bits &>> block.pointee.ac.shift)])
            // Taking away the 128 of an end of block: where the codes before it lead.
            if k &+ (entry &>> 8) & 127 > block.pointee.keep {
                entry = block.pointee.ac.first(reader.bits)
                if k &+ (entry &>> 8) & 127 > block.pointee.keep { return k }
            }
            writer.put(reader.bits &>> (64 &- entry & 255), entry & 255)
            reader.pass(entry & 255)
            k &+= entry &>> 8
            if k >= 128 { return 128 }
        }
        return k
    }
}
