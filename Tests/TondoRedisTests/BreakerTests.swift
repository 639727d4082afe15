import Testing
import TondoRedis

struct BreakerTests {
    /// A breaker that expectations may change.
    private final class Subject {
        private var value = Breaker()

        @discardableResult
        func failed(at now: Breaker.Instant, jitter: Double = 0) -> Bool { value.failed(at: now, jitter: jitter) }
        @discardableResult
        func succeeded() -> Bool { value.succeeded() }
        func admits(at now: Breaker.Instant) -> Bool { value.admits(at: now) }
        func abandoned() { value.abandoned() }
    }

    private let start = ContinuousClock.now
    private let breaker = Subject()

    private func open() { for _ in 0..<3 { breaker.failed(at: start) } }

    @Test func `opens after three errors in a row, not after three with a success between them`() {
        #expect(!breaker.failed(at: start) && !breaker.failed(at: start))
        breaker.succeeded()
        #expect(!breaker.failed(at: start) && !breaker.failed(at: start))
        #expect(breaker.admits(at: start))
        #expect(breaker.failed(at: start))
        #expect(!breaker.admits(at: start))
    }

    @Test func `admits one probe after the pause`() {
        open()
        let later = start + .milliseconds(100)
        #expect(!breaker.admits(at: start + .milliseconds(99)))
        #expect(breaker.admits(at: later))
        #expect(!breaker.admits(at: later))
        #expect(breaker.succeeded())
        #expect(breaker.admits(at: later) && breaker.admits(at: later))
    }

    @Test func `pauses twice as long after each failed probe, one second at most`() {
        open()
        var (now, pauses) = (start, [Duration]())
        for _ in 0..<6 {
            let since = now
            while !breaker.admits(at: now) { now += .milliseconds(10) }
            pauses.append(now - since)
            #expect(!breaker.failed(at: now), "It was open already")
        }
        #expect(
            pauses == [
                .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .seconds(1),
                .seconds(1),
            ])
    }

    @Test func `ignores errors of attempts from before it opened`() {
        open()
        breaker.failed(at: start + .milliseconds(50))
        #expect(breaker.admits(at: start + .milliseconds(100)))
    }

    @Test func `a probe that reached nothing leaves the next one to another caller`() {
        open()
        #expect(breaker.admits(at: start + .milliseconds(100)))
        breaker.abandoned()
        #expect(breaker.admits(at: start + .milliseconds(100)))
    }

    @Test func `jitter shortens a pause by a quarter at most`() {
        for _ in 0..<3 { breaker.failed(at: start, jitter: 1) }
        #expect(!breaker.admits(at: start + .milliseconds(74)))
        #expect(breaker.admits(at: start + .milliseconds(75)))
    }
}
