internal import CFaces

/// What the network's numbers say: for each of three sizes of cells, and each cell, the class, a box, whether there is an
/// object, and five landmarks.
struct FaceOutputs {
    /// The input in pixels.
    let width: Int
    let height: Int

    /// The least score of what is worth a closer look, in thousandths.
    private static let leastScore = 300
    /// No photo has more; a hostile one has as many as it has cells.
    private static let mostCandidates = 512

    /// In 1/64 pixel of the input, the surest first. `outputs`: of `cfaces_run`.
    func faces(in outputs: UnsafePointer<UnsafePointer<Int16>?>) -> [Face] {
        var candidates: [Face] = []
        for level in 0..<3 {
            guard let values = outputs[level] else { continue }
            let step = 8 << level
            let columns = (width + 31) / 32 * 32 / step
            let rows = (height + 31) / 32 * 32 / step
            for cell in 0..<rows * columns {
                let values = UnsafeBufferPointer(
                    start: values + cell * Int(CFACES_OUTPUTS), count: Int(CFACES_OUTPUTS))
                face(values, column: cell % columns, row: cell / columns, step: step).map { candidates.append($0) }
            }
        }
        // Equal scores stay in the order of their cells, so that the result is the same everywhere.
        let sorted = candidates.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }
        var faces: [Face] = []
        for (_, face) in sorted.prefix(Self.mostCandidates) where !faces.contains(where: { $0.isSame(as: face) }) {
            faces.append(face)
        }
        return faces
    }

    private func face(_ values: UnsafeBufferPointer<Int16>, column: Int, row: Int, step: Int) -> Face? {
        // The logistic function of less than -2.4 is less than 0.09: the score, a mean of two, is less than 0.3.
        let least = Int16(-24 * (1 << CFACES_FRACTION_BITS) / 10)
        guard values[0] > least, values[5] > least else { return nil }
        func value(_ index: Int) -> Double { Double(values[index]) / Double(1 << CFACES_FRACTION_BITS) }
        func place(_ offset: Double, _ cell: Int) -> Int { units((offset + Double(cell)) * Double(step)) }
        let certainty = Exponential.logistic(value(0)) * Exponential.logistic(value(5))
        let score = Int((certainty.squareRoot() * 1000).rounded())
        guard score >= Self.leastScore else { return nil }
        let size = (
            width: Exponential.value(value(3)) * Double(step), height: Exponential.value(value(4)) * Double(step)
        )
        return Face(
            origin: Face.Point(
                x: place(value(1), column) - units(size.width / 2), y: place(value(2), row) - units(size.height / 2)),
            width: units(size.width), height: units(size.height), score: score,
            landmarks: (0..<5).map {
                Face.Point(x: place(value(6 + 2 * $0), column), y: place(value(7 + 2 * $0), row))
            })
    }

    /// A box may be e^16 cells wide: longer than any picture is long enough.
    private func units(_ pixels: Double) -> Int { Int((min(pixels, 10_000) * Double(Face.unitsPerPixel)).rounded()) }
}

extension Face {
    /// Boxes that share more of their common area are of one face, in percent.
    private static let mostShared = 30

    fileprivate func isSame(as other: Face) -> Bool {
        let across = min(origin.x + width, other.origin.x + other.width) - max(origin.x, other.origin.x)
        let down = min(origin.y + height, other.origin.y + other.height) - max(origin.y, other.origin.y)
        let shared = max(across, 0) * max(down, 0)
        return shared * 100 > Self.mostShared * (width * height + other.width * other.height - shared)
    }
}

/// The exponential function from additions, multiplications and divisions alone, see `Trigonometry`.
enum Exponential {
    /// e^x for -700...700; relative error below 1e-14.
    static func value(_ x: Double) -> Double {
        // x = n ln 2 + rest, and the series converges fast for the rest.
        let powers = (x / 0.693147180559945309).rounded()
        let rest = x - powers * 0.693147180559945309
        var sum = 1.0
        for k in stride(from: 14, through: 1, by: -1) { sum = 1 + sum * rest / Double(k) }
        return Double(sign: .plus, exponent: Int(powers), significand: sum)
    }

    static func logistic(_ x: Double) -> Double { 1 / (1 + value(-x)) }
}
