/// The parts of a JPEG that a scaled decode must read. A picture at 1/8 needs DC coefficients only, so the scans of a
/// progressive file that carry nothing else a component needs are left out; the result is exactly the same.
struct ScanSelection: Equatable {
    private(set) var ranges: [Range<Int>]
    /// Bit c: component c needs its DC only, and no scan that is read carries more.
    private(set) var dcOnly: UInt32 = 0
    /// The scans of a file with several, and whether each must be read.
    private(set) var scans: [JPEGScans.Scan] = []
    private(set) var isNeeded: [Bool] = []

    init(wholeFile bytes: UnsafeRawBufferPointer) { ranges = [0..<bytes.count] }

    init(
        bytes: UnsafeRawBufferPointer, header: ImageHeader, denominator: Int, limits: Limits
    ) throws(ImageError) {
        let found = try JPEGScans(bytes: bytes, header: header, limits: limits)
        try Self.requireSingleScans(found.scans, header: header)
        var needed = header.scaledTransformSizes(denominator).map { Self.corner($0) }
        let isNeeded = Self.mark(found.scans, needed: &needed)
        let visits = zip(found.scans, isNeeded).reduce(0) { $0 + ($1.1 ? header.visits(of: $1.0) : 0) }
        guard visits <= limits.maxBlockVisits else { throw .tooManyScans }
        scans = found.scans
        self.isNeeded = isNeeded
        ranges = []
        var start = 0
        // All between the scans is kept, since tables for later scans are there.
        for (scan, isNeeded) in zip(found.scans, isNeeded) where !isNeeded {
            ranges.append(start..<scan.range.lowerBound)
            start = scan.range.upperBound
        }
        ranges.append(start..<max(start, found.end))
        for (component, bits) in needed.enumerated() where bits == 1 { dcOnly |= 1 << component }
    }

    /// Only a progressive picture may have a component in more than one scan (ITU-T T.81 section B.2.3).
    private static func requireSingleScans(_ scans: [JPEGScans.Scan], header: ImageHeader) throws(ImageError) {
        guard !header.isProgressive else { return }
        let components = scans.flatMap(\.components)
        guard Set(components).count == components.count else { throw .corrupt("a component is scanned twice") }
    }

    /// Zigzag positions that an inverse DCT of `size` points per side reads, as bits. libjpeg's reduced transforms
    /// average a block over halves or quarters, where only these frequencies contribute.
    private static func corner(_ size: Int) -> UInt64 {
        let frequencies: Set<Int>
        switch size {
        case 1: frequencies = [0]
        case 2: frequencies = [0, 1, 3, 5, 7]
        case 4: frequencies = [0, 1, 2, 3, 5, 6, 7]
        default: return .max
        }
        return bits(
            (0..<64).filter { frequencies.contains(naturalOrder[$0] / 8) && frequencies.contains(naturalOrder[$0] % 8) }
        )
    }

    /// Row x 8 + column of each zigzag position (ITU-T T.81 figure A.6).
    static let naturalOrder: [Int] = {
        let diagonals = (0..<15).flatMap { sum in
            let rows = max(0, sum - 7)...min(7, sum)
            let upwards = rows.reversed().map { $0 * 8 + sum - $0 }
            return sum.isMultiple(of: 2) ? upwards : upwards.reversed()
        }
        return diagonals
    }()

    private static func bits(_ positions: some Sequence<Int>) -> UInt64 { positions.reduce(0) { $0 | 1 << $1 } }

    /// From the last scan back: a scan is read if it carries a needed position; a refinement can be read only after
    /// everything it refines, so its whole band is needed then.
    private static func mark(_ scans: [JPEGScans.Scan], needed: inout [UInt64]) -> [Bool] {
        var isNeeded = [Bool](repeating: false, count: scans.count)
        for (i, scan) in scans.enumerated().reversed() {
            let band = bits(scan.band)
            guard scan.components.contains(where: { needed[$0] & band != 0 }) else { continue }
            isNeeded[i] = true
            for component in scan.components { needed[component] |= band }
        }
        return isNeeded
    }
}

extension ImageHeader {
    /// Points per side of each component's inverse DCT at 1/denominator. Subsampled components are decoded at a larger
    /// scale instead of being enlarged afterwards, as far as that fits (libjpeg's rule).
    func scaledTransformSizes(_ denominator: Int) -> [Int] {
        let smallest = 8 / denominator
        let most = maxSampling
        return sampling.map { factors in
            var size = smallest
            while size < 8, most.horizontal * smallest % (factors.horizontal * size * 2) == 0,
                most.vertical * smallest % (factors.vertical * size * 2) == 0
            { size *= 2 }
            return size
        }
    }

    /// The cost of one pass over a scan, at least 1: its 8 x 8 blocks, three times for the arithmetic decoder.
    func visits(of scan: JPEGScans.Scan) -> Int {
        scan.components.reduce(1) { $0 + blocks(of: $1) } * (isArithmetic ? 3 : 1)
    }
}
