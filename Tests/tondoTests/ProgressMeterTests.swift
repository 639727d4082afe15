import Synchronization
import Testing

@testable import tondo

@Suite struct ProgressMeterTests {
    private final class Clock: Sendable {
        let now = Mutex(ContinuousClock.now)
        func advance(_ seconds: Int) { now.withLock { $0 += .seconds(seconds) } }
    }

    private final class Written: Sendable {
        let lines = Mutex<[String]>([])
    }

    private let clock = Clock()
    private let written = Written()

    private func meter(delay: Duration) -> ProgressMeter {
        ProgressMeter(
            total: 40, style: .lines, delay: delay, clock: { [clock] in clock.now.withLock { $0 } },
            write: { [written] line in written.lines.withLock { $0.append(line) } })
    }

    private var lines: [String] { written.lines.withLock { $0 } }

    @Test func `Nothing is shown before the delay, then each tenth is a plain line`() {
        var meter = meter(delay: ProgressMeter.usualDelay)
        meter.update(done: 8, failed: 0)
        clock.advance(1)
        meter.update(done: 12, failed: 0)
        #expect(lines == [])
        clock.advance(1)
        meter.update(done: 13, failed: 0)
        meter.update(done: 14, failed: 0)
        meter.update(done: 16, failed: 1)
        meter.update(done: 40, failed: 1)
        #expect(lines == ["13 of 40 photos\n", "16 of 40 photos, 1 failed\n"])
    }

    @Test func `Without a delay each tenth is shown`() {
        var meter = meter(delay: .zero)
        for done in 1...40 { meter.update(done: done, failed: 0) }
        #expect(lines.count == 9 && lines.first == "4 of 40 photos\n")
    }
}
