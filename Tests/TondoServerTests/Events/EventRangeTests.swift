import Testing

@testable import TondoServer

@Suite struct EventRangeTests {
    @Test func `A quiet book goes on with the next number`() {
        let range = EventRange(last: 41, known: 41, silence: EventRange.quiet + .seconds(1), clock: 1_000)
        #expect(range == .goesOn(next: 42))
    }

    @Test(
        arguments: [
            (41, 41, Duration?.some(.seconds(1)), "a busy book"),
            (41, 41, nil, "an instance that has not read the books"),
            (40, 41, .seconds(60), "a stream that lost its end"),
            (42, 41, .seconds(60), "an event that was not passed on yet"),
            (0, 0, .seconds(60), "a stream without events"),
        ] as [(UInt64, UInt64, Duration?, String)])
    func `Everything else begins a new range`(_ last: UInt64, _ known: UInt64, _ silence: Duration?, _ why: String) {
        let range = EventRange(last: last, known: known, silence: silence, clock: 1_000)
        #expect(range == .begins(first: 1_000), "\(why)")
    }

    @Test func `A new range is above all numbers, whatever the clock says`() {
        #expect(EventRange(last: 50, known: 70, silence: nil, clock: 10) == .begins(first: 71))
    }
}
