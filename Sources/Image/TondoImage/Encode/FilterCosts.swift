/// The cost of a row with each filter, as sums of `FilterMath.cost`.
struct FilterCosts {
    /// Byte sums, one per lane and filter, of at most eight vectors.
    struct Sums {
        var none = FilterLanes(repeating: 0)
        var sub = FilterLanes(repeating: 0)
        var up = FilterLanes(repeating: 0)
        var average = FilterLanes(repeating: 0)
        var paeth = FilterLanes(repeating: 0)
    }

    /// A fold adds at most 496 to a lane, so 132 folds (16 KB of row) fit between two `drain`s.
    private static let foldsBeforeDrain = 128

    private var lanes: (Lanes, Lanes, Lanes, Lanes, Lanes) = (.zero, .zero, .zero, .zero, .zero)
    private var totals = (0, 0, 0, 0, 0)
    private var folds = 0
    private typealias Lanes = SIMD8<UInt16>

    /// Adds the byte sums of some vectors.
    @inline(__always)
    mutating func fold(_ sums: Sums) {
        lanes.0 &+= Self.pairs(sums.none)
        lanes.1 &+= Self.pairs(sums.sub)
        lanes.2 &+= Self.pairs(sums.up)
        lanes.3 &+= Self.pairs(sums.average)
        lanes.4 &+= Self.pairs(sums.paeth)
        folds += 1
        if folds == Self.foldsBeforeDrain { drain() }
    }

    /// The filter with the least cost; the first of equal ones.
    var cheapest: PNGFilter {
        mutating get {
            drain()
            var best = (PNGFilter.none, totals.0)
            if totals.1 < best.1 { best = (.sub, totals.1) }
            if totals.2 < best.1 { best = (.up, totals.2) }
            if totals.3 < best.1 { best = (.average, totals.3) }
            if totals.4 < best.1 { best = (.paeth, totals.4) }
            return best.0
        }
    }

    private mutating func drain() {
        totals.0 += Self.total(lanes.0)
        totals.1 += Self.total(lanes.1)
        totals.2 += Self.total(lanes.2)
        totals.3 += Self.total(lanes.3)
        totals.4 += Self.total(lanes.4)
        lanes = (.zero, .zero, .zero, .zero, .zero)
        folds = 0
    }

    /// Each pair of neighbouring bytes added to sixteen bits.
    @inline(__always)
    private static func pairs(_ bytes: FilterLanes) -> Lanes {
        // Same size, every bit pattern valid.
        let words = unsafeBitCast(bytes, to: Lanes.self)
        return (words & Lanes(repeating: 0xFF)) &+ (words &>> 8)
    }

    @inline(__always)
    private static func total(_ lanes: Lanes) -> Int {
        // Same size, every bit pattern valid.
        let words = unsafeBitCast(lanes, to: SIMD4<UInt32>.self)
        return Int(((words & SIMD4(repeating: 0xFFFF)) &+ (words &>> 16)).wrappedSum())
    }
}
