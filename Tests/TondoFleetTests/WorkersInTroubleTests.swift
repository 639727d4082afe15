import Foundation
import Testing
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

/// Workers that cannot read photos, that were killed, and that were stopped for a while.
@Suite(.blocking) struct WorkersInTroubleTests {
    private let fleet: TestFleet
    private let stream: JobStream

    init() throws {
        fleet = try TestFleet()
        stream = fleet.stream()
    }

    @Test func `A job that one worker cannot read is drawn by another one`() throws {
        try stream.publish(files: fleet.photos(3))
        let elsewhere = try TemporaryFolder()
        let wrong = fleet.worker(
            "wrong", try fleet.pipeline(), claimAfter: .milliseconds(50), folder: elsewhere.path)
        #expect(try TestFleet.wait { try stream.pending(10).count == 3 })
        #expect(wrong.stop())
        let right = fleet.worker("right", try fleet.pipeline("cache"), claimAfter: .milliseconds(50))
        #expect(try stream.results(count: 3).allSatisfy { $0.code == nil })
        #expect(right.stop())
        #expect(try stream.counts().dead == 0)
    }

    @Test func `A burial that fails costs the other jobs nothing, and is done later`() throws {
        try stream.publish(files: fleet.photos(2))
        // An entry that is no job goes to the dead jobs.
        try fleet.server.cli("XADD", "tondo:1:{jobs}:work", "*", "x", "y")
        try fleet.server.cli("SET", "tondo:1:{jobs}:dead", "x")
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try stream.results(count: 2).map(\.number) == [0, 1])
        try fleet.server.cli("DEL", "tondo:1:{jobs}:dead")
        #expect(try TestFleet.wait { try stream.counts().dead == 1 })
        #expect(try stream.length() == 0 && stream.results(of: "run", count: 10).isEmpty, "Nothing is reported again")
        #expect(worker.stop())
    }

    @Test func `While the Redis of the avatars is away, jobs with photos in it wait`() throws {
        let avatars = try RedisServer()
        let blobs = PhotoBlobs(
            connection: RedisConnection(to: RedisAddress("unix:\(avatars.socket)")!), time: .seconds(20))
        let photo = try [UInt8](Data(contentsOf: URL(filePath: fleet.photos(1)[0])))
        _ = try stream.publish(
            (0..<30).map { number in
                var job = TestFleet.job("", number: number)
                job.source = .blob(try blobs.store(photo + Array("\(number)".utf8), name: "\(number)"))
                return job
            })
        avatars.pause()
        let worker = fleet.worker(
            "one", try fleet.pipeline("cache"), claimAfter: .milliseconds(200), blobs: avatars.socket)
        // Far longer than the time after which a job is claimed, and three of these.
        #expect(try TestFleet.wait { try stream.counts().pending > 0 })
        usleep(1_500_000)
        let counts = try stream.counts()
        #expect(counts.dead == 0 && counts.claims == 0 && counts.pending <= 8)
        avatars.resume()
        #expect(try stream.results(count: 30).allSatisfy { $0.code == nil })
        #expect(worker.stop())
        #expect(try stream.counts() == .init())
    }

    @Test func `A worker does not claim its own job that ended while it spoke to Redis`() throws {
        let (draws, reports, mayDraw) = (Locked(0), Locked(0), DispatchSemaphore(value: 0))
        let pipeline = try fleet.pipeline("cache") {
            if draws.next() == 2 { mayDraw.wait() }
        }
        var options = FleetWorker.Options(name: "one")
        // Twice as long without measured jobs. Renewed after 200 ms: later than the first job takes.
        options.claimTime.shortest = .milliseconds(600)
        options.report = { [socket = fleet.server.socket] _ in
            guard reports.next() == 1 else { return }
            // Between a transaction and the next look for abandoned jobs the second job ends, and looks abandoned.
            mayDraw.signal()
            let stream = TestFleet.stream(socket, .init())
            _ = try? TestFleet.wait { try stream.pending(10).allSatisfy { $0.idle > .seconds(2) } }
        }
        try stream.publish(files: fleet.photos(2))
        let worker = RunningWorker(FleetWorker(pipeline, options: options), fleet.address(), folder: fleet.folder.path)
        #expect(try stream.results(count: 2).map(\.number) == [0, 1])
        #expect(worker.stop())
        #expect(try stream.counts() == .init())
    }

    @Test func `A worker that ends while photos cannot be had hands its jobs back`() throws {
        var job = TestFleet.job("")
        job.source = .blob(FleetNames.blob("x"))
        _ = try stream.publish([job])
        let worker = fleet.worker("one", try fleet.pipeline(), blobs: fleet.folder.pathString + "/none")
        #expect(try TestFleet.wait { try stream.counts().pending == 1 })
        #expect(worker.stop())
        let pending = try stream.pending(10)
        #expect(pending.count == 1 && pending[0].deliveries == 0 && pending[0].idle > .seconds(3_600))
    }

    @Test func `A worker counts from its start, and one that was killed does so for an hour`() throws {
        let worker = fleet.worker("one", try fleet.pipeline())
        #expect(try TestFleet.wait { try stream.counts().workers == 1 })
        #expect(worker.stop())
        #expect(try stream.counts().workers == 0)
        _ = try stream.publish([TestFleet.job("/p")])
        #expect(try stream.read(1, as: "busy", waiting: nil).count == 1)
        for name in ["old", "new"] {
            _ = try fleet.server.cli("XGROUP", "CREATECONSUMER", "tondo:1:{jobs}:work", "workers", name)
        }
        try stream.join("two")
        #expect(try stream.counts().workers == 4, "None is silent for an hour")
        try stream.join("three", forgetting: .zero)
        #expect(try stream.counts().workers == 2, "The one with a job, and the new one")
    }

    @Test func `A worker that was stopped takes no job back that another one has claimed`() throws {
        try stream.publish(files: fleet.photos(1))
        let job = try stream.read(1, as: "stopped", waiting: nil)[0]
        #expect(try stream.claim(as: "other", idle: .zero)?.deliveries == 2)
        try stream.renew([job.id], as: "stopped")
        try stream.handBack(job, as: "stopped")
        let pending = try stream.pending(10)
        #expect(pending.map(\.worker) == ["other"] && pending[0].deliveries == 2 && pending[0].idle < .seconds(3_000))
    }
}

extension Locked<Int> {
    /// 1, 2, 3...
    fileprivate func next() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}
