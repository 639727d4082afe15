/// The Lanczos kernel with three lobes, sinc(x) sinc(x/3), from a table.
enum Lanczos {
    /// Half width at scale 1, in pixels.
    static let support = 3.0

    private static let stepsPerUnit = 2048
    /// Values at multiples of 1/2048; linear interpolation between them is exact to 3e-7.
    private static let table: [Double] = (0...(3 * stepsPerUnit + 1)).map { value(Double($0) / Double(stepsPerUnit)) }

    private static func value(_ x: Double) -> Double {
        guard x > 0 else { return 1 }
        guard x < support else { return 0 }
        let angle = Double.pi * x
        return Trigonometry.sinPi(x) * Trigonometry.sinPi(x / 3) / (angle * angle / 3)
    }

    static func kernel(_ x: Double) -> Double {
        let position = abs(x) * Double(stepsPerUnit)
        guard position < Double(3 * stepsPerUnit) else { return 0 }
        let index = Int(position)
        let rest = position - Double(index)
        return table[index] + (table[index + 1] - table[index]) * rest
    }
}
