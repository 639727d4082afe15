/// For every target pixel of one axis: the source pixels it reads, with their weights.
struct Taps {
    /// First source pixel of each target pixel.
    private(set) var first: [Int] = []
    /// The start of its weights in `weights`; one more than there are targets.
    private(set) var start: [Int] = [0]
    /// Weights of each target sum to 1.
    private(set) var weights: [Float] = []

    var count: Int { first.count }

    /// Target pixel i, for i in `targets`, has its centre at `(i + 0.5 - inset)` of `span` pixels, onto which the
    /// source range `start ..< start + length` is mapped. All in pixels; `extent`: the number of source pixels.
    init(start origin: Double, length: Double, extent: Int, targets: Range<Int>, inset: Double, span: Double) {
        let step = length / span
        let stretch = max(step, 1)
        let reach = Lanczos.support * stretch
        let lowest = max(Int(origin.rounded(.down)), 0)
        let highest = min(Int((origin + length).rounded(.up)), extent)
        for target in targets {
            let offset = min(max((Double(target) + 0.5 - inset) * step, 0), length)
            append(centre: origin + offset, reach: reach, stretch: stretch, within: lowest..<highest)
        }
    }

    /// Source pixels that these targets read. Both edges of a target's taps only ever move forward.
    func sources(of targets: Range<Int>) -> Range<Int> {
        let last = targets.upperBound - 1
        return first[targets.lowerBound]..<(first[last] + start[last + 1] - start[last])
    }

    private mutating func append(centre: Double, reach: Double, stretch: Double, within source: Range<Int>) {
        // Clamped before the conversion to integers: the reach of a tiny picture exceeds them.
        let lowest = min(
            max((centre - reach + 0.5).rounded(.down), Double(source.lowerBound)), Double(source.upperBound - 1))
        let highest = min((centre + reach + 0.5).rounded(.down), Double(source.upperBound))
        let low = Int(lowest)
        let high = max(Int(highest), low + 1)
        let begin = weights.count
        var sum = 0.0
        for pixel in low..<high {
            let weight = Lanczos.kernel((Double(pixel) + 0.5 - centre) / stretch)
            sum += weight
            weights.append(Float(weight))
        }
        let scale = Float(1 / sum)
        for i in begin..<weights.count { weights[i] *= scale }
        first.append(low)
        start.append(weights.count)
    }
}
