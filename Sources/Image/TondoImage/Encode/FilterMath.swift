/// The filter arithmetic on sixteen bytes (PNG third edition 9.2).
enum FilterMath {
    /// The smaller of two bytes, lane by lane.
    @inline(__always)
    static func lesser(_ one: FilterLanes, _ other: FilterLanes) -> FilterLanes {
        one.replacing(with: other, where: other .< one)
    }

    /// The absolute difference of two bytes, lane by lane.
    @inline(__always)
    static func distance(_ one: FilterLanes, _ other: FilterLanes) -> FilterLanes {
        one.replacing(with: other, where: other .> one) &- lesser(one, other)
    }

    /// The assumed cost of a residual: its size as a signed byte, at most `cap`.
    ///
    /// The cap makes the sum grow more slowly than the size, like the bits of a Huffman code.
    @inline(__always)
    static func cost(_ residual: FilterLanes, cap: FilterLanes) -> FilterLanes {
        let size = lesser(residual, FilterLanes(repeating: 0) &- residual)
        return lesser(size, cap)
    }

    /// The mean rounded down, without the ninth bit of the sum.
    @inline(__always)
    static func mean(_ one: FilterLanes, _ other: FilterLanes) -> FilterLanes {
        // Shifting pairs of bytes is safe: the mask drops the bit that crosses from one to the other.
        let halves = unsafeBitCast(one ^ other, to: SIMD8<UInt16>.self) &>> 1
        let kept = unsafeBitCast(halves, to: FilterLanes.self) & FilterLanes(repeating: 0x7F)
        return (one & other) &+ kept
    }

    /// The Paeth prediction from left, up and up-left.
    ///
    /// The distance to up-left is the sum of the others if both have the same direction, so it never wins and 255
    /// stands for it; else it is their difference. All values fit in bytes.
    @inline(__always)
    static func paeth(left: FilterLanes, up: FilterLanes, upLeft: FilterLanes) -> FilterLanes {
        let toLeft = distance(up, upLeft)
        let toUp = distance(left, upLeft)
        let apart = distance(toLeft, toUp)
        let sameWay = (up .> upLeft) .== (left .> upLeft)
        let toCorner = apart.replacing(with: FilterLanes(repeating: 255), where: sameWay)
        let best = upLeft.replacing(with: up, where: toUp .<= toCorner)
        return best.replacing(with: left, where: (toLeft .<= toUp) .& (toLeft .<= toCorner))
    }
}
