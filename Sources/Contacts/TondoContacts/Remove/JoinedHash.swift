/// A hash of bytes that is calculated from those of their parts: removing one of many contacts costs its own bytes, not
/// those of the whole file. The same in every process. Not for adversaries.
///
/// A polynomial of the bytes modulo the prime 2^61 - 1.
struct JoinedHash: Equatable, Sendable {
    private var value: UInt64 = 0
    private(set) var count = 0

    private static let prime: UInt64 = 1 << 61 - 1
    private static let base: UInt64 = 0x0E37_79B9_7F4A_7C15
    /// By which a factor `base` is taken away (Fermat's little theorem).
    private static let inverse = power(base, Int(prime - 2))

    private init(value: UInt64, count: Int) {
        self.value = value
        self.count = count
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        // One is added, so that zeros at the beginning make a difference.
        for byte in bytes { value = Self.sum(Self.product(value, Self.base), UInt64(byte) + 1) }
        count = bytes.count
    }

    init(_ bytes: ArraySlice<UInt8> = []) { self = bytes.withUnsafeBytes { Self($0) } }

    /// Those bytes, and then others.
    func joined(_ other: JoinedHash) -> JoinedHash {
        JoinedHash(
            value: Self.sum(Self.product(value, Self.power(Self.base, other.count)), other.value),
            count: count + other.count)
    }

    /// Without the bytes `end`, with which they end.
    func dropping(end: JoinedHash) -> JoinedHash {
        let rest = Self.sum(value, Self.prime - end.value)
        return JoinedHash(value: Self.product(rest, Self.power(Self.inverse, end.count)), count: count - end.count)
    }

    /// Without the bytes `start`, with which they begin.
    func dropping(start: JoinedHash) -> JoinedHash {
        let count = count - start.count
        let moved = Self.product(start.value, Self.power(Self.base, count))
        return JoinedHash(value: Self.sum(value, Self.prime - moved), count: count)
    }

    var text: String { Self.mark + String(value, radix: 16) }

    /// Distinguishes the text from those of other hashes.
    static let mark = "p61-"

    /// `one`, `other`: at most `prime`.
    private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
        // Both have 61 bits: no overflow.
        let sum = one + other
        return sum >= prime ? sum - prime : sum
    }

    private static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let (high, low) = one.multipliedFullWidth(by: other)
        // 2^61 is 1 modulo the prime, so the upper bits of the product count like the lower ones.
        return sum(low & prime, low >> 61 | high << 3)
    }

    private static func power(_ base: UInt64, _ exponent: Int) -> UInt64 {
        var (result, factor, rest): (UInt64, UInt64, Int) = (1, base, exponent)
        while rest > 0 {
            if rest & 1 == 1 { result = product(result, factor) }
            factor = product(factor, factor)
            rest >>= 1
        }
        return result
    }
}
