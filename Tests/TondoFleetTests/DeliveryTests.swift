import Testing
import TondoTestSupport

@testable import TondoFleet

@Suite struct DeliveryTests {
    @Test(arguments: [
        (1, DeliveryRules.Start.draw), (2, .drawAlone), (3, .drawAlone), (4, .deadLetter), (9, .deadLetter),
    ])
    func `A job is drawn, then drawn alone, then a dead job`(_ deliveries: Int, _ start: DeliveryRules.Start) {
        #expect(DeliveryRules().start(deliveries: deliveries) == start)
    }

    @Test(arguments: [
        (DeliveryRules.Ending.drawn, 1, DeliveryRules.End.complete), (.drawn, 3, .complete), (.failed, 1, .complete),
        (.failedForNow, 1, .leave), (.failedForNow, 2, .leave), (.failedForNow, 3, .deadLetter),
        (.notBegun, 1, .handBack),
        (.notBegun, 3, .handBack),
    ])
    func `How a job ended decides where it goes`(
        _ ending: DeliveryRules.Ending, _ deliveries: Int, _ end: DeliveryRules.End
    ) { #expect(DeliveryRules().end(ending, deliveries: deliveries) == end) }
}

@Suite struct ClaimTimeTests {
    private static func time(_ milliseconds: [Int]) -> ClaimTime {
        var time = ClaimTime()
        time.shortest = .milliseconds(100)
        time.longest = .seconds(10)
        for value in milliseconds { time.record(.milliseconds(value)) }
        return time
    }

    @Test func `Without enough jobs it is twice the shortest time`() {
        #expect(Self.time([]).idle == .milliseconds(200))
        #expect(Self.time(Array(repeating: 1_000, count: ClaimTime.fewest - 1)).idle == .milliseconds(200))
    }

    @Test(arguments: [(1, 100), (40, 120), (1_000, 3_000), (9_000, 10_000)])
    func `It is three times the 99th percentile within its bounds`(_ job: Int, _ idle: Int) {
        let found = Self.time(Array(repeating: job, count: 100)).idle
        #expect(found == .milliseconds(idle))
    }

    @Test func `One slow job of two hundred does not lengthen it, three do`() {
        let fast = Array(repeating: 50, count: 200)
        #expect(Self.time(fast + [2_000]).idle < .milliseconds(200))
        #expect(Self.time(fast + [2_000, 2_000, 2_000]).idle >= .seconds(6))
    }

    @Test func `Slow jobs are forgotten after two windows`() {
        let slow = Array(repeating: 2_000, count: 100)
        let time = Self.time(slow + Array(repeating: 50, count: 3 * ClaimTime.window))
        #expect(time.idle < .milliseconds(200))
    }
}
