import Testing
import TondoAvatars
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

/// A node of a Redis Cluster refuses commands and scripts with keys of several slots.
@Suite(.blocking) struct ClusterModeTests {
    private let fleet: TestFleet

    init() throws {
        fleet = try TestFleet(RedisServer.clusterNode())
    }

    @Test func `Jobs go their whole way`() throws {
        let stream = fleet.stream()
        let paths = try fleet.photos(6)
        let ids = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        #expect(try stream.missing(ids).isEmpty)
        #expect(try stream.read(1, as: "lost", waiting: nil).count == 1)
        let delivered = try stream.read(1, as: "one", waiting: nil)
        try stream.finish(
            delivered.map {
                .init(
                    delivery: $0, end: .deadLetter,
                    result: JobResult(number: 1, code: "decoder-crashed", message: "it crashed"))
            },
            as: "one")
        #expect(try stream.retry(stream.dead(1)[0].id))
        let tier = SharedTier(RedisPool(address: fleet.address(), options: options()))
        let worker = fleet.worker("two", try fleet.pipeline("cache", shared: tier), claimAfter: .milliseconds(50))
        #expect(try TestFleet.wait { try stream.counts().jobs == 0 })
        #expect(worker.stop())
        // The job that died has one result, although it was drawn after all.
        #expect(try stream.results(of: "run", count: 100).count == 6)
        #expect(tier.counters.stored == 6 && tier.counters.errors == 0)
        try stream.forget("run")
        let waiting = try stream.publish([TestFleet.job(paths[0])])
        #expect(try stream.drop(waiting[0]))
    }

    private func options() -> RedisPool.Options {
        var options = RedisPool.Options()
        options.time = .seconds(20)
        return options
    }
}
