internal import CKernels
internal import Synchronization

/// For every target pixel of one axis: the source pixels it reads, with their weights.
struct Taps {
    /// First source pixel of each target pixel.
    private(set) var first: [Int] = []
    /// The start of its weights in `weights`; one more than there are targets.
    private(set) var start: [Int] = [0]
    /// Weights of each target sum to 1.
    private(set) var weights: [Float] = []

    /// An even number of weights for each target, the last of them 0, and each of them four times: for `ckernels_sum_pixels`.
    private(set) var spread: [SIMD4<Float>] = []
    /// That number.
    private(set) var most = 0

    var count: Int { first.count }

    /// Target pixel i, for i in `targets`, has its centre at `(i + 0.5 - inset)` of `span` pixels, onto which the
    /// source range `start ..< start + length` is mapped. All in pixels; `extent`: the number of source pixels.
    init(start origin: Double, length: Double, extent: Int, targets: Range<Int>, inset: Double, span: Double) {
        let step = length / span
        let stretch = max(step, 1)
        let reach = Lanczos.support * stretch
        let lowest = max(Int(origin.rounded(.down)), 0)
        let highest = min(Int((origin + length).rounded(.up)), extent)
        first.reserveCapacity(targets.count)
        start.reserveCapacity(targets.count + 1)
        // A target reads no more than its reach on both sides, rounded outwards, and nothing beyond the source.
        let most = Int(min(2 * reach + 2, Double(max(highest - lowest, 1))))
        weights = [Float](unsafeUninitializedCapacity: targets.count * most) { weights, count in
            for target in targets {
                let offset = min(max((Double(target) + 0.5 - inset) * step, 0), length)
                let source = Self.sources(centre: origin + offset, reach: reach, within: lowest..<highest)
                first.append(source.lowerBound)
                Self.weigh(
                    source, centre: origin + offset, stretch: stretch,
                    into: UnsafeMutableBufferPointer(rebasing: weights[count..<(count + source.count)]))
                count += source.count
                start.append(count)
            }
        }
        spreadWeights()
    }

    private mutating func spreadWeights() {
        most = (1 + (0..<count).reduce(0) { max($0, start[$1 + 1] - start[$1]) }) & ~1
        spread = Array(repeating: .zero, count: count * most)
        for target in 0..<count {
            for tap in start[target]..<start[target + 1] {
                spread[target * most + tap - start[target]] = SIMD4(repeating: weights[tap])
            }
        }
    }

    /// Source pixels that these targets read. Both edges of a target's taps only ever move forward.
    func sources(of targets: Range<Int>) -> Range<Int> {
        let last = targets.upperBound - 1
        return first[targets.lowerBound]..<(first[last] + start[last + 1] - start[last])
    }

    /// Whether the sources of a target and of the next one overlap, or touch each other.
    func overlap(_ target: Int) -> Bool { first[target + 1] - first[target] <= start[target + 1] - start[target] }

    /// Calls `body` with the weights of a target.
    func withWeights(of target: Int, body: (ckernels_weights) -> Void) {
        weights[start[target]..<start[target + 1]].withUnsafeBufferPointer {
            body(ckernels_weights(weights: $0.baseAddress, taps: $0.count))
        }
    }

    /// At least one source pixel, so that the sum of the weights is not 0.
    private static func sources(centre: Double, reach: Double, within source: Range<Int>) -> Range<Int> {
        // Clamped before the conversion to integers: the reach of a tiny picture exceeds them.
        let lowest = min(
            max((centre - reach + 0.5).rounded(.down), Double(source.lowerBound)), Double(source.upperBound - 1))
        let highest = min((centre + reach + 0.5).rounded(.down), Double(source.upperBound))
        let low = Int(lowest)
        return low..<max(Int(highest), low + 1)
    }

    /// The weights of these source pixels, whose sum is 1, into as many places.
    private static func weigh(
        _ source: Range<Int>, centre: Double, stretch: Double, into weights: UnsafeMutableBufferPointer<Float>
    ) {
        var sum = 0.0
        Lanczos.withTable { table in
            for i in weights.indices {
                let weight = Lanczos.kernel((Double(source.lowerBound + i) + 0.5 - centre) / stretch, table)
                sum += weight
                weights.initializeElement(at: i, to: Float(weight))
            }
        }
        let scale = Float(1 / sum)
        for i in weights.indices { weights[i] *= scale }
    }
}

/// The taps that were made last: most photos of an address book have one of a few sizes. Usable from any thread.
final class RecentTaps: Sendable {
    /// What taps depend on, see `Taps.init`.
    struct Key: Equatable {
        var start: Double
        var length: Double
        var extent: Int
        var grid: Grid
    }

    private static let capacity = 8
    /// Weights of more are not kept.
    private static let mostWeights = 1 << 14
    /// The one that was made last comes first.
    private let recent = Mutex<[(key: Key, taps: Taps)]>([])

    func taps(_ key: Key) -> Taps {
        if let found = recent.withLock({ list in list.first { $0.key == key } }) { return found.taps }
        let taps = Taps(key)
        if taps.weights.count <= Self.mostWeights {
            recent.withLock { $0 = [(key, taps)] + $0.prefix(Self.capacity - 1) }
        }
        return taps
    }
}

extension Taps {
    init(_ key: RecentTaps.Key) {
        self.init(
            start: key.start, length: key.length, extent: key.extent, targets: key.grid.pixels, inset: key.grid.inset,
            span: key.grid.imageSide)
    }
}

/// The Lanczos kernel with three lobes, sinc(x) sinc(x/3), from a table.
enum Lanczos {
    /// Half width at scale 1, in pixels.
    static let support = 3.0

    private static let stepsPerUnit = 2048
    /// Values at multiples of 1/2048; linear interpolation between them is exact to 3e-7.
    private static let table: [Double] = {
        let count = 3 * stepsPerUnit + 2
        var values: [Double] = []
        values.reserveCapacity(count + 7)
        // Several at a time: each value takes two dozen divisions, one after the other.
        for first in stride(from: 0, to: count, by: 8) {
            var x = SIMD8<Double>()
            for lane in 0..<8 { x[lane] = Double(first + lane) / Double(stepsPerUnit) }
            let angle = Double.pi * x
            let value = Trigonometry.sinPi(x) * Trigonometry.sinPi(x / 3) / (angle * angle / 3)
            for lane in 0..<8 { values.append(x[lane] == 0 ? 1 : x[lane] < support ? value[lane] : 0) }
        }
        return values
    }()

    /// Calls `body` with the table, for loops over `kernel`: each use of a global checks that it is initialised.
    static func withTable(_ body: (UnsafeBufferPointer<Double>) -> Void) { table.withUnsafeBufferPointer(body) }

    static func kernel(_ x: Double, _ table: UnsafeBufferPointer<Double>) -> Double {
        let position = abs(x) * Double(stepsPerUnit)
        guard position < Double(3 * stepsPerUnit) else { return 0 }
        let index = Int(position)
        let rest = position - Double(index)
        return table[index] + (table[index + 1] - table[index]) * rest
    }
}

/// Sine and arc tangent from additions, multiplications and divisions alone. The C library's differ in the last bit
/// between machines, and the same photo must give the same bytes everywhere.
enum Trigonometry {
    /// sin(pi x), for any x; absolute error below 1e-15.
    static func sinPi(_ x: SIMD8<Double>) -> SIMD8<Double> {
        let turns = x - 2 * (x / 2).rounded(.toNearestOrAwayFromZero)
        let folded = turns.replacing(with: 1 - turns, where: turns .> 0.5)
            .replacing(with: -1 - turns, where: turns .< -0.5)
        let angle = folded * Double.pi
        let square = angle * angle
        var sum = SIMD8<Double>()
        for k in stride(from: 12, through: 1, by: -1) { sum = (1 + sum) * -square / Double(2 * k * (2 * k + 1)) }
        return angle * (1 + sum)
    }

    /// arcsin(x) for -1...1; absolute error below 1e-14.
    static func arcsin(_ x: Double) -> Double { 2 * arctan(x / (1 + (max(0, 1 - x * x)).squareRoot())) }

    /// arctan(x) for -1...1: the argument is halved three times, then the series converges fast.
    private static func arctan(_ x: Double) -> Double {
        var t = x
        for _ in 0..<3 { t /= 1 + (1 + t * t).squareRoot() }
        let square = t * t
        var sum = 0.0
        for k in stride(from: 12, through: 0, by: -1) { sum = 1 / Double(2 * k + 1) - square * sum }
        return 8 * t * sum
    }
}
