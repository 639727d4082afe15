import Testing

@testable import TondoFleet

@Suite struct PublishedJobsTests {
    private static func jobs(_ count: Int) -> PublishedJobs {
        var jobs = PublishedJobs()
        for _ in 0..<count { jobs.add { DrawJobTests.job(number: $0) } }
        return jobs
    }

    @Test func `A batch that was taken in part goes on behind it`() {
        var jobs = Self.jobs(5)
        jobs.published(["1-0", "2-0"])
        #expect(jobs.batch(10).map(\.number) == [2, 3, 4])
        #expect(jobs.count == 5)
        #expect(jobs.oldest(10) == ["1-0", "2-0"])
    }

    @Test func `A second result of a job is ignored`() {
        var jobs = Self.jobs(1)
        jobs.published(["1-0"])
        #expect(jobs.end(0)?.number == 0)
        #expect(jobs.end(0) == nil)
        #expect(jobs.count == 0)
    }

    @Test func `A job that vanished is published again, and given up after five times`() {
        var jobs = Self.jobs(1)
        for time in 1...PublishedJobs.mostTries {
            #expect(jobs.batch(10).map(\.number) == [0])
            jobs.published(["\(time)-0"])
            let lost = jobs.vanished(["\(time)-0"])
            #expect(lost.count == (time == PublishedJobs.mostTries ? 1 : 0))
        }
        #expect(jobs.count == 0)
    }

    @Test func `A result that comes while its job waits to be published again ends it`() {
        var jobs = Self.jobs(2)
        jobs.published(["1-0", "2-0"])
        _ = jobs.vanished(["1-0", "2-0"])
        #expect(jobs.end(0) != nil)
        #expect(jobs.batch(10).map(\.number) == [1])
    }

    @Test func `Without results, published jobs are not remembered`() {
        var jobs = Self.jobs(3)
        jobs.published(["1-0"])
        jobs.forgetPublished()
        #expect(jobs.count == 2)
        #expect(jobs.batch(1).map(\.number) == [1])
    }
}
