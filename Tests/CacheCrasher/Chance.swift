internal import TondoTestSupport

/// Random numbers that are the same for the same seed.
struct Chance: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed) }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True once in `many` times.
    mutating func once(in many: Int) -> Bool { number(below: many) == 0 }
}
