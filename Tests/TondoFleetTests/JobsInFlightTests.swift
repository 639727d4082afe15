import Testing

@testable import TondoFleet

@Suite struct JobsInFlightTests {
    private let start = ContinuousClock.now

    private func delivery(_ id: String = "1-0", deliveries: Int = 1, run: String = "r") -> JobStream.Delivery {
        .init(id: id, job: DrawJobTests.job(run: run), deliveries: deliveries)
    }

    private func jobs() -> JobsInFlight { JobsInFlight(ClaimTime(), rules: DeliveryRules()) }

    private static let drawn = JobResult(number: 7, avatars: [])
    private static let failed = JobResult(number: 7, code: "undecodable", message: "m")

    @Test func `A drawn job is completed, and once`() {
        var jobs = jobs()
        #expect(jobs.begin(delivery(), at: start) != nil)
        jobs.end("1-0", as: .drawn, with: Self.drawn, at: start)
        jobs.end("1-0", as: .drawn, with: Self.drawn, at: start)
        #expect(jobs.takeFinished() == [.init(delivery: delivery(), end: .complete, result: Self.drawn)])
        #expect(jobs.isEmpty)
    }

    @Test func `A job that was delivered too often is a dead job without being drawn`() {
        var jobs = jobs()
        #expect(jobs.begin(delivery(deliveries: 4), at: start) == nil)
        let finished = jobs.takeFinished()
        #expect(finished.map(\.end) == [.deadLetter] && finished[0].result.code == JobResult.workerLost)
    }

    @Test func `An entry that is no job goes to the dead jobs`() {
        var jobs = jobs()
        var delivery = delivery()
        delivery.job = .failure(.fields)
        #expect(jobs.begin(delivery, at: start) == nil)
        #expect(jobs.takeFinished().map(\.result.code) == [JobResult.malformed])
    }

    @Test func `A failure without a requester goes to the dead jobs`() {
        var jobs = jobs()
        _ = jobs.begin(delivery("1-0"), at: start)
        _ = jobs.begin(delivery("2-0", run: ""), at: start)
        jobs.end("1-0", as: .failed, with: Self.failed, at: start)
        jobs.end("2-0", as: .failed, with: Self.failed, at: start)
        #expect(jobs.takeFinished().map(\.end) == [.complete, .deadLetter])
    }

    @Test func `What may succeed later stays pending, until the last delivery`() {
        var jobs = jobs()
        for deliveries in 1...3 {
            _ = jobs.begin(delivery(deliveries: deliveries), at: start)
            jobs.end("1-0", as: .failedForNow, with: Self.failed, at: start)
            #expect(jobs.takeFinished().map(\.end) == (deliveries == 3 ? [.deadLetter] : []))
        }
    }

    @Test func `Finished jobs come back in front after an error`() {
        var jobs = jobs()
        for id in ["1-0", "2-0"] {
            _ = jobs.begin(delivery(id), at: start)
            jobs.end(id, as: .drawn, with: Self.drawn, at: start)
            if id == "1-0" {
                let taken = jobs.takeFinished()
                jobs.put(back: taken, at: start)
            }
        }
        #expect(jobs.takeFinished().map(\.delivery.id) == ["1-0", "2-0"])
    }

    @Test func `Finished jobs leave in batches, and wait for others no longer than 25 ms`() {
        var jobs = JobsInFlight(ClaimTime(), rules: DeliveryRules(), batch: 2)
        for number in 1...4 { _ = jobs.begin(delivery("\(number)-0"), at: start) }
        #expect(!jobs.isDue(at: start + .seconds(1)), "Nothing is finished")
        jobs.end("1-0", as: .drawn, with: Self.drawn, at: start)
        #expect(!jobs.isDue(at: start + .milliseconds(24)) && jobs.isDue(at: start + .milliseconds(25)))
        jobs.end("2-0", as: .drawn, with: Self.drawn, at: start + .milliseconds(1))
        #expect(jobs.isDue(at: start + .milliseconds(1)))
        let taken = jobs.takeFinished()
        #expect(taken.count == 2 && !jobs.isDue(at: start + .seconds(1)))
        jobs.put(back: taken, at: start + .seconds(1))
        #expect(jobs.isDue(at: start + .seconds(1)))
        _ = jobs.takeFinished()
        jobs.end("3-0", as: .drawn, with: Self.drawn, at: start)
        #expect(!jobs.isDue(at: start))
        jobs.end("4-0", as: .drawn, with: Self.drawn, at: start)
        _ = jobs.takeFinished()
        _ = jobs.begin(delivery("5-0"), at: start)
        jobs.end("5-0", as: .drawn, with: Self.drawn, at: start)
        #expect(jobs.isDue(at: start), "Nothing else runs")
    }

    @Test func `A worker that ends hands back what it has, and ignores later results`() {
        var jobs = jobs()
        _ = jobs.begin(delivery(), at: start)
        jobs.giveUp()
        jobs.end("1-0", as: .drawn, with: Self.drawn, at: start)
        #expect(jobs.takeHandedBack() == [delivery()])
        #expect(jobs.isEmpty)
    }

    @Test func `A long job is renewed at intervals`() {
        var jobs = jobs()
        _ = jobs.begin(delivery(), at: start)
        let interval = ClaimTime().renewal
        #expect(jobs.takeRenewals(at: start + interval / 2) == [])
        #expect(jobs.takeRenewals(at: start + interval) == ["1-0"])
        #expect(jobs.takeRenewals(at: start + interval * 1.5) == [])
    }

    @Test func `A job that comes again is drawn alone`() {
        var jobs = jobs()
        _ = jobs.begin(delivery(), at: start)
        #expect(!jobs.isDrawingAlone)
        _ = jobs.begin(delivery("2-0", deliveries: 2), at: start)
        #expect(jobs.isDrawingAlone)
    }
}
