/// Sine and arc tangent from additions, multiplications and divisions alone. The C library's differ in the last bit
/// between machines, and the same photo must give the same bytes everywhere.
enum Trigonometry {
    /// sin(pi x), for any x; absolute error below 1e-15.
    static func sinPi(_ x: Double) -> Double {
        let turns = x - 2 * (x / 2).rounded()
        let folded = turns > 0.5 ? 1 - turns : turns < -0.5 ? -1 - turns : turns
        let angle = folded * Double.pi
        let square = angle * angle
        var sum = 0.0
        for k in stride(from: 12, through: 1, by: -1) {
            sum = (1 + sum) * -square / Double(2 * k * (2 * k + 1))
        }
        return angle * (1 + sum)
    }

    /// arcsin(x) for -1...1; absolute error below 1e-14.
    static func arcsin(_ x: Double) -> Double {
        2 * arctan(x / (1 + (max(0, 1 - x * x)).squareRoot()))
    }

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
