internal import CKernels

/// Undoes the five row filters (PNG, third edition, section 9.2) in place.
enum PNGUnfilter {
    /// The time that a pixel of each filter's takes in a row alone, relative to each other, and that a pixel of four rows takes.
    private static let costs: InlineArray<5, UInt8> = [0, 2, 1, 5, 11]
    private static let costOfFour: UInt8 = 20

    /// `first`: `count` rows, `stride` bytes apart, each its filter byte (0...4) and its filtered bytes; above it is a row of
    /// zeros, or an unfiltered one. `width`: pixels of `step` bytes that are unfiltered in each row.
    /// unsafe: the caller guarantees these bytes and 4 readable and writable ones behind them.
    static func rows(_ first: UnsafeMutablePointer<UInt8>, stride: Int, count: Int, width: Int, step: Int) {
        var y = 0
        while y < count {
            let row = first + y * stride
            if count - y >= CKERNELS_UNFILTERED_ROWS, isSlow(row, stride: stride) {
                ckernels_unfilter_rows(row, stride, width, step)
                y += Int(CKERNELS_UNFILTERED_ROWS)
            } else {
                Self.row(
                    row + 1, prior: UnsafePointer(row + 1 - stride), count: width * step, step: step, filter: row[0])
                y += 1
            }
        }
    }

    /// Whether four rows take longer one after the other than together.
    private static func isSlow(_ row: UnsafePointer<UInt8>, stride: Int) -> Bool {
        var cost: UInt8 = 0
        for each in 0..<Int(CKERNELS_UNFILTERED_ROWS) { cost += costs[Int(row[each * stride])] }
        return cost > costOfFour
    }

    /// Four neighbouring bytes as 16-bit lanes, one pixel or the start of one.
    typealias Lanes = SIMD4<Int16>

    /// `row`: `count` filtered bytes, `step` per pixel. `prior`: the row above, unfiltered. `filter`: 0...4.
    /// unsafe: the caller guarantees `count` bytes and 4 readable ones behind them in both rows, since a pixel is
    /// loaded as 4 bytes.
    private static func row(
        _ row: UnsafeMutablePointer<UInt8>, prior: UnsafePointer<UInt8>, count: Int, step: Int, filter: UInt8
    ) {
        switch (filter, step) {
        case (0, _): break
        // This filter alone does not read to the left, so its bytes need not wait for each other.
        case (2, _): up(row, prior: prior, count: count)
        case (_, 4): leftward(row, prior: prior, count: count, step: 4, filter: filter)
        case (_, 3): leftward(row, prior: prior, count: count, step: 3, filter: filter)
        case (_, 2): leftward(row, prior: prior, count: count, step: 2, filter: filter)
        default: leftward(row, prior: prior, count: count, step: 1, filter: filter)
        }
    }

    /// The filters that read the pixel to the left. `step` is a constant at every call, so that each is compiled for
    /// its own pixel size.
    @inline(__always)
    private static func leftward(
        _ row: UnsafeMutablePointer<UInt8>, prior: UnsafePointer<UInt8>, count: Int, step: Int, filter: UInt8
    ) {
        switch filter {
        case 1: walk(row, prior: prior, count: count, step: step) { left, _ in left }
        case 3: walk(row, prior: prior, count: count, step: step) { left, above in (left &+ above) &>> 1 }
        default: paeth(row, prior: prior, count: count, step: step)
        }
    }

    private static func up(_ row: UnsafeMutablePointer<UInt8>, prior: UnsafePointer<UInt8>, count: Int) {
        let (target, source) = (UnsafeMutableRawPointer(row), UnsafeRawPointer(prior))
        var i = 0
        while i &+ 16 <= count {
            let sum =
                target.loadUnaligned(fromByteOffset: i, as: SIMD16<UInt8>.self)
                &+ source.loadUnaligned(fromByteOffset: i, as: SIMD16<UInt8>.self)
            target.storeBytes(of: sum, toByteOffset: i, as: SIMD16<UInt8>.self)
            i &+= 16
        }
        while i < count {
            row[i] = row[i] &+ prior[i]
            i &+= 1
        }
    }

    @inline(__always)
    private static func walk(
        _ row: UnsafeMutablePointer<UInt8>, prior: UnsafePointer<UInt8>, count: Int, step: Int,
        predict: (_ left: Lanes, _ above: Lanes) -> Lanes
    ) {
        var left = Lanes()
        var i = 0
        while i < count {
            left = sum(predict(left, load(prior + i)), load(UnsafePointer(row + i)))
            store(left, to: row + i, step: step)
            i &+= step
        }
    }

    /// Section 9.4 without its distances: the left or upper value beyond which 3 * aboveLeft - left - above lies is the
    /// nearest to left + above - aboveLeft, and between the two it is aboveLeft. Ties have the same result. The part
    /// that depends on the previous pixel is kept short, because every pixel waits for it.
    @inline(__always)
    private static func paeth(
        _ row: UnsafeMutablePointer<UInt8>, prior: UnsafePointer<UInt8>, count: Int, step: Int
    ) {
        let none = Lanes()
        var (left, aboveLeft, above) = (none, none, load(prior))
        var base = none &- above
        var i = 0
        while i < count {
            let threshold = base &- left
            let isLeftLower = left .< above
            let low = above.replacing(with: left, where: isLeftLower)
            let high = left.replacing(with: above, where: isLeftLower)
            let isLow = high .<= threshold
            let isHigh = threshold .<= low
            let other = aboveLeft.replacing(with: none, where: isLow).replacing(with: none, where: isHigh)
            let nearest = none.replacing(with: low, where: isLow) | none.replacing(with: high, where: isHigh) | other
            left = sum(nearest, load(UnsafePointer(row + i)))
            store(left, to: row + i, step: step)
            i &+= step
            aboveLeft = above
            above = load(prior + i)
            base = (aboveLeft &+ aboveLeft &+ aboveLeft) &- above
        }
    }

    /// Sums modulo 256. Added as bytes, the upper halves of the lanes stay 0 without a mask.
    @inline(__always)
    private static func sum(_ a: Lanes, _ b: Lanes) -> Lanes {
        unsafeBitCast(
            unsafeBitCast(a, to: SIMD8<UInt8>.self) &+ unsafeBitCast(b, to: SIMD8<UInt8>.self), to: Lanes.self)
    }

    @inline(__always)
    private static func load(_ bytes: UnsafePointer<UInt8>) -> Lanes {
        Lanes(truncatingIfNeeded: UnsafeRawPointer(bytes).loadUnaligned(as: SIMD4<UInt8>.self))
    }

    @inline(__always)
    private static func store(_ lanes: Lanes, to target: UnsafeMutablePointer<UInt8>, step: Int) {
        let bytes = SIMD4<UInt8>(truncatingIfNeeded: lanes)
        if step == 4 {
            UnsafeMutableRawPointer(target).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
        } else {
            for k in 0..<step { target[k] = bytes[k] }
        }
    }
}
