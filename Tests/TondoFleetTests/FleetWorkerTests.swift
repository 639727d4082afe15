import Synchronization
import Testing
import TondoAvatars
import TondoCache
import TondoImage
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

@Suite(.blocking) struct FleetWorkerTests {
    private let fleet: TestFleet
    private let stream: JobStream

    init() throws {
        fleet = try TestFleet()
        stream = fleet.stream()
    }

    @Test func `A worker draws the jobs, and reports each avatar`() throws {
        try stream.publish(files: fleet.photos(20))
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let results = try stream.results(count: 20)
        #expect(results.map(\.number) == Array(0..<20))
        #expect(results.allSatisfy { $0.avatars.count == 1 && $0.avatars[0].isDrawn })
        #expect(worker.stop())
        #expect(try stream.counts() == .init())
    }

    @Test func `A photo that cannot be decoded is reported, and so is one outside the folders`() throws {
        let text = try fleet.folder.write("no photo", to: "x.png")
        try stream.publish(files: [text, "/etc/passwd"])
        let worker = fleet.worker("one", try fleet.pipeline())
        let results = try stream.results(count: 2)
        #expect(results.map(\.code) == ["unsupported", "photo-outside"])
        #expect(worker.stop())
        let dead = try stream.dead(10)
        #expect(dead.map(\.code) == ["photo-outside"] && dead[0].deliveries == 3, "Another worker may know the folder")
        #expect(try stream.counts().jobs == 0)
    }

    @Test func `A failure that may pass is tried three times, alone, and then dead`() throws {
        try stream.publish(files: fleet.photos(1))
        let tries = Mutex(0)
        let pipeline = try fleet.pipeline {
            tries.withLock { $0 += 1 }
            throw RenderError(stage: .decode, error: .decoderCrashed("it ended"))
        }
        let worker = fleet.worker("one", pipeline, claimAfter: .milliseconds(50))
        #expect(try stream.results(count: 1).map(\.code) == ["decoder-crashed"])
        #expect(tries.withLock { $0 } == 3)
        #expect(try stream.dead(10).map(\.deliveries) == [3])
        #expect(worker.stop())
    }

    @Test func `A worker whose jobs take long leaves an abandoned job alone for three times as long`() throws {
        var claimTime = ClaimTime()
        claimTime.shortest = .milliseconds(50)
        for _ in 0..<ClaimTime.fewest { claimTime.record(.seconds(200)) }
        try stream.publish(files: fleet.photos(3))
        #expect(try stream.read(1, as: "lost", waiting: nil).count == 1)
        // Longer than the shortest time, and far below three times the usual one.
        let worker = fleet.worker("one", try fleet.pipeline("cache"), claimTime: claimTime)
        #expect(try stream.results(count: 2).map(\.number) == [1, 2])
        #expect(try TestFleet.wait { try stream.pending(10).first.map { $0.idle > .milliseconds(500) } == true })
        #expect(try stream.pending(10).map(\.worker) == ["lost"])
        #expect(try stream.counts().claims == 0)
        #expect(worker.stop())
    }

    @Test func `A worker that is stopped finishes what it has, and takes no more`() throws {
        try stream.publish(files: fleet.photos(200))
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        _ = try stream.results(count: 1)
        #expect(worker.stop())
        let counts = try stream.counts()
        #expect(counts.pending == 0 && counts.workers == 0)
    }

    @Test func `A worker with a photo that takes too long hands it back`() throws {
        try stream.publish(files: fleet.photos(1))
        let (gate, begun) = (Gate(), Gate())
        let pipeline = try fleet.pipeline {
            begun.open()
            gate.pass()
        }
        var options = FleetWorker.Options(name: "slow")
        options.grace = .milliseconds(50)
        let worker = RunningWorker(
            FleetWorker(pipeline, options: options), fleet.address(), folder: fleet.folder.path)
        #expect(begun.pass())
        #expect(worker.stop())
        gate.open()
        #expect(try stream.claim(as: "two", idle: .seconds(60))?.deliveries == 1)
    }

    @Test func `Results that could not be sent while Redis was away are sent later`() throws {
        try stream.publish(files: fleet.photos(1))
        let (gate, begun) = (Gate(), Gate())
        let pipeline = try fleet.pipeline {
            begun.open()
            gate.pass()
        }
        let worker = fleet.worker("one", pipeline, claimAfter: .seconds(60))
        #expect(begun.pass())
        fleet.server.stop()
        gate.open()
        try fleet.server.start()
        #expect(try stream.results(count: 1).map(\.number) == [0])
        #expect(worker.stop())
    }

    @Test func `A paused Redis costs a worker nothing but time`() throws {
        try stream.publish(files: fleet.photos(5))
        fleet.server.pause()
        let reports = Recorder<FleetWorker.Report>()
        let worker = fleet.worker("one", try fleet.pipeline(), reports: reports)
        _ = reports.wait(for: 1)
        fleet.server.resume()
        #expect(try stream.results(count: 5).count == 5)
        #expect(worker.stop())
    }
}

/// Workers that end with a job are consumers here that never finish it.
@Suite struct LostWorkerTests {
    private let fleet: TestFleet
    private let stream: JobStream

    init() throws {
        fleet = try TestFleet()
        stream = fleet.stream()
        try stream.publish(files: fleet.photos(3))
    }

    @Test func `The jobs of a lost worker are drawn once by another one`() throws {
        #expect(try stream.read(3, as: "lost", waiting: nil).count == 3)
        let drawings = Mutex(0)
        let reports = Recorder<FleetWorker.Report>()
        let pipeline = try fleet.pipeline("cache") { drawings.withLock { $0 += 1 } }
        let worker = fleet.worker("one", pipeline, claimAfter: .milliseconds(50), reports: reports)
        #expect(try stream.results(count: 3).allSatisfy { $0.code == nil })
        #expect(drawings.withLock { $0 } == 3)
        #expect(worker.stop())
        let deliveries = reports.all.compactMap { if case .finished(_, _, let count) = $0 { count } else { nil } }
        #expect(deliveries == [2, 2, 2])
    }

    @Test func `A job of a lost worker does not wait for the lock that the worker has left`() throws {
        var pool = RedisPool.Options()
        pool.time = .seconds(20)
        var options = SharedTier.Options()
        options.lockTime = .seconds(600)
        let tier = SharedTier(RedisPool(address: fleet.address(), options: pool), options: options)
        let first = fleet.worker("one", try fleet.pipeline("one", shared: tier))
        let keys = try stream.results(count: 3).flatMap { $0.avatars.map(\.key) }
        #expect(keys.count == 3)
        #expect(first.stop())
        for key in keys {
            try fleet.server.cli("DEL", "tondo:1:avatar:" + key)
            try fleet.server.cli("SET", "tondo:1:lock:" + CacheKey(recipe: key).hexadecimal, "lost")
        }
        let paths = try fleet.photos(3)
        _ = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        #expect(try stream.read(3, as: "lost", waiting: nil).count == 3)
        let second = fleet.worker("two", try fleet.pipeline("two", shared: tier), claimAfter: .milliseconds(50))
        #expect(try stream.results(count: 3).allSatisfy { $0.code == nil && $0.avatars[0].isDrawn })
        #expect(second.stop())
        #expect(tier.counters.lockWaits == 0)
    }

    @Test func `A job that three workers were lost with is dead, undrawn, and the others are drawn`() throws {
        let jobs = try stream.read(3, as: "lost-1", waiting: nil)
        for name in ["lost-2", "lost-3"] {
            #expect(try fleet.stream().claim(as: name, idle: .zero)?.id == jobs[0].id)
        }
        let drawings = Mutex(0)
        let pipeline = try fleet.pipeline("cache") { drawings.withLock { $0 += 1 } }
        let worker = fleet.worker("one", pipeline, claimAfter: .milliseconds(50))
        #expect(try stream.results(count: 3).map(\.code) == [JobResult.workerLost, nil, nil])
        #expect(drawings.withLock { $0 } == 2)
        #expect(worker.stop())
        #expect(try stream.dead(10).map(\.job) == [try jobs[0].job.get()])
    }

    @Test func `A long job is not taken from a worker that is alive`() throws {
        let (gate, begun) = (Gate(), Gate())
        let slow = try fleet.pipeline {
            begun.open()
            gate.pass()
        }
        let one = fleet.worker("one", slow, claimAfter: .seconds(2))
        #expect(begun.pass())
        let reports = Recorder<FleetWorker.Report>()
        let two = fleet.worker("two", try fleet.pipeline("cache"), claimAfter: .seconds(2), reports: reports)
        // Long enough for many looks at abandoned jobs. The worker says each 0.7 s that it has the job: on a busy machine, it
        // may not get to it for a while.
        #expect(!TestFleet.wait(4) { !reports.all.isEmpty })
        gate.open()
        #expect(try stream.results(count: 3).count == 3)
        for worker in [one, two] { #expect(worker.stop()) }
        #expect(reports.all.isEmpty)
    }

    @Test func `A photo that ends three workers is dead, and its neighbours in the batch are drawn`() throws {
        // Each worker has a user of its own, whose end is the worker's: it can neither end jobs nor say that it has them.
        let (gate, pipeline) = (Gate(), try fleet.pipeline("cache"))
        var lost: [RunningWorker] = []
        for number in 1...3 {
            let user = "w\(number)"
            try fleet.server.run(
                ["ACL", "SETUSER", user, "on", ">secret"] + StreamAccess.rules.split(separator: " ").map(String.init))
            let begun = Gate()
            var options = FleetWorker.Options(name: user)
            (options.claimTime.shortest, options.grace) = (.milliseconds(100), .milliseconds(50))
            let endless = try fleet.pipeline {
                begun.open()
                gate.pass()
            }
            lost.append(
                RunningWorker(FleetWorker(endless, options: options), fleet.address(user), folder: fleet.folder.path))
            #expect(begun.pass())
            try fleet.server.cli("ACL", "SETUSER", user, "off")
            try fleet.server.cli("CLIENT", "KILL", "USER", user)
            // So that the next one claims this job, and not a neighbour.
            #expect(try TestFleet.wait { try stream.pending(1).first?.idle ?? .zero > .milliseconds(400) })
        }
        let worker = fleet.worker("four", pipeline, claimAfter: .milliseconds(100))
        #expect(try stream.results(count: 3).map(\.code) == [JobResult.workerLost, nil, nil])
        #expect(try stream.dead(10).map(\.deliveries) == [4])
        gate.open()
        for worker in lost + [worker] { #expect(worker.stop()) }
    }
}

/// Workers with a Redis for avatars that is not always there.
@Suite(.blocking) struct UnsharedAvatarsTests {
    private let fleet: TestFleet
    private let avatars: RedisServer
    private let stream: JobStream
    private let tier: SharedTier

    init() throws {
        (fleet, avatars) = (try TestFleet(), try RedisServer())
        stream = fleet.stream()
        var pool = RedisPool.Options()
        pool.time = .seconds(5)
        tier = SharedTier(RedisPool(address: RedisAddress("unix:\(avatars.socket)")!, options: pool))
    }

    private func has(_ results: [JobResult]) -> Bool {
        results.flatMap(\.avatars).allSatisfy { avatar in CacheKey(avatar.key).map { tier.contains($0) } == true }
    }

    @Test func `A job ends once the shared tier has its avatars`() throws {
        avatars.stop()
        try stream.publish(files: fleet.photos(3))
        let reports = Recorder<FleetWorker.Report>()
        let worker = fleet.worker("one", try fleet.pipeline("cache", shared: tier), reports: reports)
        let unshared = reports.wait(for: 3)
        #expect(unshared.allSatisfy { if case .unshared = $0 { true } else { false } })
        #expect(try stream.length() == 3 && stream.results(of: "run", count: 10).isEmpty)
        try avatars.start()
        let results = try stream.results(count: 3)
        #expect(results.count == 3 && results.allSatisfy { $0.code == nil && $0.avatars[0].isDrawn })
        #expect(has(results))
        #expect(worker.stop())
    }

    @Test func `What a worker has in its own cache is shared again after Redis lost it`() throws {
        let worker = fleet.worker("one", try fleet.pipeline("cache", shared: tier))
        try stream.publish(files: fleet.photos(3))
        #expect(has(try stream.results(count: 3)))
        try avatars.cli("FLUSHALL")
        try stream.publish(files: fleet.photos(3))
        let results = try stream.results(count: 3)
        #expect(results.count == 3 && results.allSatisfy { !$0.avatars[0].isDrawn })
        #expect(has(results))
        #expect(worker.stop())
    }

    @Test func `A worker that is stopped hands back what the shared tier lacks`() throws {
        avatars.stop()
        try stream.publish(files: fleet.photos(3))
        let reports = Recorder<FleetWorker.Report>()
        var options = FleetWorker.Options(name: "one")
        (options.grace, options.report) = (.milliseconds(50), { reports.add($0) })
        let worker = RunningWorker(
            FleetWorker(try fleet.pipeline("cache", shared: tier), options: options), fleet.address(),
            folder: fleet.folder.path)
        _ = reports.wait(for: 3)
        #expect(worker.stop())
        #expect(try stream.claim(as: "two", idle: .seconds(60))?.deliveries == 1)
        #expect(try stream.length() == 3)
    }
}
