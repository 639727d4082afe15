import Testing
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

@Suite(.blocking) struct JobStreamTests {
    private let fleet: TestFleet
    private let stream: JobStream

    init() throws {
        fleet = try TestFleet()
        stream = fleet.stream()
    }

    private func job(_ number: Int, run: String = "run") -> DrawJob {
        TestFleet.job("/p/\(number)", number: number, run: run)
    }

    private func read(_ count: Int = 10, _ consumer: String = "one") throws -> [JobStream.Delivery] {
        try stream.read(count, as: consumer, waiting: nil)
    }

    @Test func `Jobs are delivered once, in order, also those that came before any worker`() throws {
        let ids = try stream.publish((0..<3).map { job($0) })
        #expect(try read(2).map(\.id) == Array(ids.prefix(2)))
        #expect(try read(2, "two").map(\.id) == [ids[2]])
        #expect(try read() == [])
    }

    @Test func `A finished job leaves the stream together with its result`() throws {
        _ = try stream.publish([job(5)])
        let delivery = try read()[0]
        let result = JobResult(number: 5, avatars: [])
        try stream.finish([.init(delivery: delivery, end: .complete, result: result)], as: "one")
        #expect(try stream.length() == 0)
        #expect(try stream.counts().pending == 0)
        #expect(try stream.results(of: "run", count: 10) == [result])
        #expect(try stream.results(of: "run", count: 10) == [])
    }

    @Test func `A batch that is published again is in the stream once`() throws {
        let ids = try stream.publish((0..<3).map { job($0) }, as: .init("run", number: 0))
        #expect(try stream.publish((0..<3).map { job($0) }, as: .init("run", number: 0)) == ids && stream.length() == 3)
        let others =
            try stream.publish([job(3)], as: .init("run", number: 1))
            + stream.publish([job(0)], as: .init("other", number: 1))
        #expect(try Set(others).isDisjoint(with: ids) && stream.length() == 5)
        #expect(try fleet.server.cli("TTL", "tondo:1:{jobs}:batch:run") == "3600")
    }

    @Test func `A batch that arrives after a later one, or after the end of its load, is not taken`() throws {
        for number in 0...1 { _ = try stream.publish([job(number)], as: .init("run", number: number)) }
        #expect(throws: JobStreamError.full(length: 2)) { try stream.publish([job(0)], as: .init("run", number: 0)) }
        try stream.forget("run")
        #expect(throws: JobStreamError.full(length: 2)) { try stream.publish([job(2)], as: .init("run", number: 2)) }
        #expect(try fleet.server.cli("TTL", "tondo:1:{jobs}:batch:run") == "60")
        #expect(try stream.length() == 2)
    }

    @Test func `A batch that found no room is not taken later`() throws {
        var options = JobStream.Options()
        options.mostJobs = 1
        let stream = fleet.stream(options)
        let ids = try stream.publish([job(0)], as: .init("run", number: 0))
        #expect(throws: JobStreamError.full(length: 1)) { try stream.publish([job(1)], as: .init("run", number: 1)) }
        #expect(try stream.drop(ids[0]))
        #expect(throws: JobStreamError.full(length: 0)) { try stream.publish([job(1)], as: .init("run", number: 1)) }
        #expect(try stream.publish([job(2)], as: .init("run", number: 2)).count == 1)
    }

    @Test(arguments: [true, false])
    func `A job that cannot go to the dead jobs now is not lost, and its worker hears of it`(isForRun: Bool) throws {
        var job = job(0)
        if !isForRun { job.run = "" }
        _ = try stream.publish([job])
        let end = JobStream.Finished(
            delivery: try read()[0], end: .deadLetter,
            result: JobResult(number: 0, code: "worker-lost", message: "it ended its workers"))
        try fleet.server.cli("SET", "tondo:1:{jobs}:dead", "x")
        #expect(throws: JobStreamError.self) { try stream.finish([end], as: "one") }
        try fleet.server.cli("DEL", "tondo:1:{jobs}:dead")
        try fleet.server.cli("CONFIG", "SET", "min-replicas-to-write", "1")
        let error = #expect(throws: JobStreamError.self) { try stream.finish([end], as: "one") }
        guard case .redis(let reason) = error else { return }
        #expect(reason.isTemporary)
        try fleet.server.cli("CONFIG", "SET", "min-replicas-to-write", "0")
        #expect(try stream.counts() == .init(jobs: 1, pending: 1, workers: 1))
        #expect(try stream.results(of: "run", count: 10).isEmpty)
        try stream.finish([end], as: "one")
        #expect(try stream.counts() == .init(dead: 1, workers: 1))
        #expect(try stream.results(of: "run", count: 10).count == (isForRun ? 1 : 0))
    }

    @Test func `A batch of which a part was taken is the same part again`() throws {
        var options = JobStream.Options()
        options.mostJobs = 2
        let stream = fleet.stream(options)
        let ids = try stream.publish((0..<3).map { job($0) }, as: .init("run", number: 0))
        #expect(try ids.count == 2 && stream.publish((0..<3).map { job($0) }, as: .init("run", number: 0)) == ids)
        #expect(throws: JobStreamError.full(length: 2)) { try stream.publish([job(2)], as: .init("run", number: 1)) }
    }

    @Test func `A batch that Redis lost is published again`() throws {
        let ids = try stream.publish([job(0)], as: .init("run", number: 0))
        try fleet.server.cli("FLUSHALL")
        #expect(try stream.publish([job(0)], as: .init("run", number: 0)) != ids && stream.length() == 1)
    }

    @Test func `A job dies once, however often its worker says so, and not after it was dropped`() throws {
        _ = try stream.publish([job(0), job(1)])
        let deliveries = try read()
        let ends = deliveries.map {
            JobStream.Finished(
                delivery: $0, end: .deadLetter,
                result: JobResult(number: 0, code: "worker-lost", message: "it ended its workers")
            )
        }
        try stream.finish([ends[0]], as: "one")
        try stream.finish([ends[0]], as: "one")
        #expect(try stream.counts() == .init(jobs: 1, pending: 1, dead: 1, workers: 1))
        #expect(try stream.drop(deliveries[1].id))
        try stream.finish([ends[1]], as: "one")
        #expect(try stream.dead(10).map(\.job?.number) == [0] && stream.length() == 0)
    }

    @Test func `A full stream refuses jobs, and drops none`() throws {
        var options = JobStream.Options()
        options.mostJobs = 2
        let stream = fleet.stream(options)
        _ = try stream.publish([job(0), job(1)])
        #expect(throws: JobStreamError.full(length: 2)) { try stream.publish([job(2)]) }
        #expect(try stream.length() == 2)
    }

    @Test func `Without memory for jobs the stream is full, and work can still end`() throws {
        _ = try stream.publish([job(0)])
        let delivery = try read()[0]
        try fleet.server.cli("CONFIG", "SET", "maxmemory-policy", "noeviction")
        try fleet.server.cli("CONFIG", "SET", "maxmemory", "1mb")
        #expect(throws: JobStreamError.full(length: 1)) { try stream.publish([job(1)]) }
        try stream.finish(
            [.init(delivery: delivery, end: .complete, result: JobResult(number: 0, avatars: []))], as: "one")
        #expect(try stream.length() == 0)
    }

    @Test func `A job of a worker that is gone is claimed once, with its deliveries`() throws {
        _ = try stream.publish([job(0), job(1)])
        #expect(try read(1).count == 1)
        #expect(try !stream.hasAbandoned(.seconds(60)))
        #expect(try stream.claim(as: "two", idle: .seconds(60)) == nil)
        #expect(try stream.hasAbandoned(.zero))
        let claimed = try stream.claim(as: "two", idle: .zero)
        #expect(claimed?.deliveries == 2)
        #expect(try stream.pending(10).map(\.worker) == ["two"])
    }

    @Test func `A job is found behind many that are not abandoned`() throws {
        let ids = try stream.publish((0..<40).map { job($0) })
        #expect(try read(40).count == 40)
        try stream.handBack(JobStream.Delivery(id: ids[39], job: job(39), deliveries: 1), as: "one")
        #expect(try stream.claim(as: "two", idle: .seconds(60))?.id == ids[39])
    }

    @Test func `A job that is handed back goes to another worker, and its delivery does not count`() throws {
        _ = try stream.publish([job(0)])
        try stream.handBack(try read()[0], as: "one")
        #expect(try stream.claim(as: "two", idle: .seconds(60))?.deliveries == 1)
    }

    @Test func `A renewed job is not abandoned`() throws {
        _ = try stream.publish([job(0)])
        let delivery = try read()[0]
        try stream.handBack(delivery, as: "one")
        try stream.renew([delivery.id], as: "one")
        #expect(try !stream.hasAbandoned(.seconds(60)))
    }

    @Test func `The group is made again after a flush and after a restart`() throws {
        _ = try stream.publish([job(0)])
        #expect(try read().count == 1)
        try fleet.server.cli("FLUSHALL")
        #expect(try read() == [])
        _ = try stream.publish([job(1)])
        #expect(try read().count == 1)
        fleet.server.stop()
        try fleet.server.start()
        _ = try stream.publish([job(2)])
        #expect(try read().count == 1)
    }

    @Test func `Jobs that Redis lost are found missing`() throws {
        let ids = try stream.publish([job(0), job(1)])
        #expect(try stream.missing(ids) == [])
        try fleet.server.cli("XDEL", "tondo:1:{jobs}:work", ids[1])
        #expect(try stream.missing(ids) == [ids[1]])
    }

    @Test func `A dead job is shown, published again, and dropped`() throws {
        _ = try stream.publish([job(0), job(1)])
        let failure = JobResult(number: 0, code: "decoder-crashed", message: "it crashed")
        try stream.finish(try read().map { .init(delivery: $0, end: .deadLetter, result: failure) }, as: "one")
        let dead = try stream.dead(10)
        #expect(dead.map(\.code) == ["decoder-crashed", "decoder-crashed"] && dead[0].job == job(0))
        #expect(try stream.counts() == .init(jobs: 0, pending: 0, dead: 2, workers: 1))
        #expect(try stream.retry(dead[0].id))
        #expect(try !stream.retry(dead[0].id))
        #expect(try read().map(\.job) == [.success(job(0, run: ""))], "Its requester has its failure")
        #expect(try stream.drop(dead[1].id))
        #expect(try !stream.drop(dead[1].id))
        #expect(try stream.counts().dead == 0)
    }

    @Test func `The requester of a dropped job gets a failure`() throws {
        let ids = try stream.publish([job(0), job(1, run: "")])
        for id in ids { #expect(try stream.drop(id)) }
        #expect(try stream.results(of: "run", count: 10).map(\.code) == [JobResult.dropped])
    }

    @Test func `Abandoned jobs are found in turn, and after the last one the first again`() throws {
        let ids = try stream.publish((0..<3).map { job($0) })
        _ = try read()
        let found = try (0..<4).map { _ in try stream.claim(as: "two", idle: .zero)?.id }
        #expect(found == [ids[0], ids[1], ids[2], ids[0]])
        #expect(try stream.claim(as: "two", idle: .seconds(60)) == nil)
    }

    @Test func `A waiting job and a pending one can be dropped`() throws {
        let ids = try stream.publish([job(0), job(1)])
        #expect(try read(1).count == 1)
        for id in ids { #expect(try stream.drop(id)) }
        #expect(try stream.counts() == .init(jobs: 0, pending: 0, dead: 0, workers: 1))
    }

    @Test func `A consumer that leaves keeps its pending jobs`() throws {
        _ = try stream.publish([job(0)])
        #expect(try read().count == 1)
        try stream.leave("one")
        #expect(try stream.counts().workers == 1)
        #expect(try stream.claim(as: "two", idle: .zero) != nil)
        try stream.leave("one")
        #expect(try stream.counts().workers == 1)
    }

    @Test func `An entry that is no job is delivered as such`() throws {
        try fleet.server.cli("XADD", "tondo:1:{jobs}:work", "*", "hello", "world")
        #expect(try read().map(\.job) == [.failure(.version)])
    }
}
