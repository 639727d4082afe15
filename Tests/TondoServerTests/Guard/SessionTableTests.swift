import Testing

@testable import TondoServer

@Suite struct SessionTableTests {
    private var table = SessionTable()

    private func digest(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    @Test mutating func `A code works once`() {
        table.add(code: digest(1), now: .zero)
        #expect(table.exchange(code: digest(2), for: digest(100), now: .zero) == false)
        #expect(table.exchange(code: digest(1), for: digest(101), now: .seconds(1)) == true)
        #expect(table.exchange(code: digest(1), for: digest(102), now: .seconds(1)) == false)
        #expect(table.holds(token: digest(101), now: .seconds(2)))
        for number in [1, 100, 102] { #expect(!table.holds(token: digest(number), now: .seconds(2))) }
    }

    @Test(arguments: [(59_999, true), (60_000, false), (100_000, false)])
    mutating func `A code works for a minute`(_ milliseconds: Int, _ works: Bool) {
        table.add(code: digest(1), now: .seconds(5))
        let now = Duration.seconds(5) + .milliseconds(milliseconds)
        #expect(table.exchange(code: digest(1), for: digest(2), now: now) == works)
    }

    @Test mutating func `A session lasts twelve hours`() {
        table.add(code: digest(1), now: .zero)
        #expect(table.exchange(code: digest(1), for: digest(2), now: .seconds(10)) == true)
        let end = Duration.seconds(10 + 12 * 3_600)
        #expect(table.holds(token: digest(2), now: end - .milliseconds(1)) && !table.holds(token: digest(2), now: end))
    }

    @Test mutating func `Of too many codes the oldest goes`() {
        for number in 0...SessionTable.mostCodes { table.add(code: digest(number), now: .zero) }
        #expect(table.exchange(code: digest(0), for: digest(999), now: .zero) == false)
        for number in 1...SessionTable.mostCodes {
            #expect(table.exchange(code: digest(number), for: digest(1_000 + number), now: .zero) == true)
        }
    }

    @Test mutating func `Of too many sessions the oldest goes, and ended ones go first`() {
        for number in 0...SessionTable.mostTokens {
            table.add(code: digest(number), now: .zero)
            #expect(table.exchange(code: digest(number), for: digest(1_000 + number), now: .zero) == true)
        }
        #expect(!table.holds(token: digest(1_000), now: .zero))
        #expect((1...SessionTable.mostTokens).allSatisfy { table.holds(token: digest(1_000 + $0), now: .zero) })
        let later = SessionTable.tokenLifetime
        for number in 0..<SessionTable.mostTokens {
            table.add(code: digest(number), now: later)
            #expect(table.exchange(code: digest(number), for: digest(2_000 + number), now: later) == true)
        }
        #expect((0..<SessionTable.mostTokens).allSatisfy { table.holds(token: digest(2_000 + $0), now: later) })
    }

    @Test func `Only equal bytes are equal`() {
        #expect(ConstantTime.areEqual([1, 2, 3], other: [1, 2, 3]) && ConstantTime.areEqual([UInt8](), other: []))
        for other in [[1, 2], [1, 2, 4], [0, 2, 3], [1, 2, 3, 4], []] as [[UInt8]] {
            #expect(!ConstantTime.areEqual([1, 2, 3], other: other))
        }
    }
}
