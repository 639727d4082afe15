import TondoTestSupport

/// Numbers that look random and are the same on every run.
struct Noise {
    private var numbers = SplitMix64(42)

    mutating func next() -> UInt64 { numbers.next() }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }
}
