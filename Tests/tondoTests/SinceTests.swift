import Foundation
import Testing

@testable import tondo

@Suite struct SinceTests {
    private let now = Date(timeIntervalSince1970: 1_795_269_792)
    private let clock = WallClock.fixed(seconds: 3_600)

    @Test func `An age is counted back from now`() {
        #expect(Since(argument: "2d")?.date(now: now) == now.addingTimeInterval(-172_800))
    }

    @Test(arguments: [
        ("2026-11-20", "2026-11-20 00:00:00"), ("2026-11-20T14:00", "2026-11-20 14:00:00"),
        ("2026-11-20 14:00", "2026-11-20 14:00:00"), ("2026-11-20 14:03:12", "2026-11-20 14:03:12"),
        ("2024-02-29", "2024-02-29 00:00:00"),
    ])
    func `A date is meant on the local clock`(_ argument: String, _ text: String) {
        #expect(Since(argument: argument).map { clock.text($0.date(now: now, clock: clock)) } == text)
    }

    @Test(arguments: [
        "", "30", "2026", "2026-11", "2026-13-01", "2026-02-29", "2026-11-31", "26-11-20", "2026-1-1", "1969-12-31",
        "2026-11-20T", "2026-11-20T24:00", "2026-11-20T14", "2026-11-20T14:60", "2026-11-20T14:00:60",
        "2026-11-20T1400", "2026-11-20T14:00:00Z", "2026/11/20", "yesterday", "+026-11-20",
    ])
    func `What is neither is refused`(_ text: String) {
        #expect(Since(argument: text) == nil)
    }
}
