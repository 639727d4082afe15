import Testing

@testable import TondoImage

@Suite struct HuffmanCodeTests {
    private func lengths(_ counts: [UInt32], limit: Int) -> [Int] {
        let code = HuffmanCode(capacity: 288)
        code.build(counts, count: counts.count, limit: limit)
        return counts.indices.map { code.length($0) }
    }

    /// The sum of 2^-length, in units of 2^-15: 32768 for a complete code.
    private func kraftSum(_ lengths: [Int]) -> Int {
        lengths.reduce(0) { $0 + ($1 == 0 ? 0 : 1 << (15 - $1)) }
    }

    private static let fibonacci: [UInt32] = {
        var numbers: [UInt32] = [1, 1]
        while numbers.count < 40 { numbers.append(numbers[numbers.count - 1] + numbers[numbers.count - 2]) }
        return numbers
    }()

    @Test(arguments: [6, 7, 14, 15])
    func `Fibonacci counts keep to the length limit and give a complete code`(limit: Int) {
        let lengths = lengths(Self.fibonacci, limit: limit)
        #expect(lengths.max() == limit)
        #expect(kraftSum(lengths) == 32_768)
    }

    @Test func `Rare symbols never have shorter codes`() {
        let lengths = lengths(Self.fibonacci, limit: 14)
        #expect(zip(lengths, lengths.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func `Counts of powers of two give their exact lengths`() {
        #expect(lengths([8, 4, 2, 1, 1], limit: 15) == [1, 2, 3, 4, 4])
    }

    @Test func `Symbols that do not occur have no code`() {
        #expect(lengths([5, 0, 5, 0], limit: 15) == [1, 0, 1, 0])
    }

    @Test func `A lone symbol after the first keeps the codes in canonical order`() {
        let code = HuffmanCode(capacity: 30)
        code.build([0, 0, 0, 9], count: 4, limit: 15)
        #expect([code.entries[0], code.entries[3]] == [1 << 16, 1 << 16 | 1])
    }

    @Test func `No symbol at all gives two codes of one bit`() {
        #expect(lengths([0, 0, 0], limit: 15) == [1, 1, 0])
    }

    @Test func `Equal counts of a whole alphabet give equal lengths`() {
        #expect(lengths([UInt32](repeating: 3, count: 256), limit: 15).allSatisfy { $0 == 8 })
    }
}
