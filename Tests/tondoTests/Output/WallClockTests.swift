import Foundation
import Testing

@testable import tondo

@Suite struct WallClockTests {
    private let moment = Date(timeIntervalSince1970: 1_795_269_792.9)

    @Test(arguments: [(0, "2026-11-21 14:03:12"), (3_600, "2026-11-21 15:03:12"), (-54_000, "2026-11-20 23:03:12")])
    func `A date is shown as its zone's clocks show it`(_ seconds: Int, _ text: String) {
        #expect(WallClock.fixed(seconds: seconds).text(moment) == text)
    }

    @Test func `A reading of the machine's own clock leads back to its moment`() {
        // Noon, which no change of clocks skips or repeats.
        let reading = WallClock.Reading(year: 2026, month: 7, day: 1, hour: 12)
        #expect(WallClock.local.reading(WallClock.local.date(reading)) == reading)
    }

    @Test func `Dates beyond every calendar are no crash`() {
        let clock = WallClock.fixed(seconds: 0)
        #expect(clock.text(.distantPast).contains(" "))
        #expect(clock.text(.distantFuture) == "4001-01-01 00:00:00")
        #expect(clock.text(Date(timeIntervalSince1970: .infinity)) == "1970-01-01 00:00:00")
    }
}
