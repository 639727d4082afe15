import Foundation
import Synchronization
import SystemPackage
import Testing
import TondoAvatars
import TondoImage
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

/// What other programs, operators and failing servers do to the streams while workers use them.
@Suite(.blocking) struct HostileStreamTests {
    private let fleet: TestFleet
    private let stream: JobStream
    private let work = "tondo:1:{jobs}:work"

    init() throws {
        fleet = try TestFleet()
        stream = fleet.stream()
    }

    private func results(_ count: Int) throws -> [JobResult] {
        var results: [JobResult] = []
        _ = try TestFleet.wait(60) {
            results += try stream.results(of: "run", count: 1_000)
            return results.count >= count
        }
        return results.sorted { $0.number < $1.number }
    }

    private func add(_ words: String...) throws { try fleet.server.run(["XADD", work, "*"] + words) }

    // MARK: Entries

    @Test func `Entries that are no jobs go to the dead ones, and the others are drawn`() throws {
        let job = TestFleet.job(try fleet.photos(1)[0]).fields.map { String(decoding: $0, as: UTF8.self) }
        func changed(_ name: String, _ value: String) -> [String] {
            var words = job
            words[job.firstIndex(of: name)! + 1] = value
            return words
        }
        let long = String(repeating: "x", count: DrawJob.longestField + 1)
        let garbage = [
            ["a", "b"], changed("v", "2"), changed("n", "99999999999999999999"), changed("styles", ""),
            changed("styles", Array(repeating: "16x1 normal", count: 65).joined(separator: ";")),
            changed("styles", "99999999x9 normal"), changed("photo", "url"), changed("contact", long),
            job + ["k", long],
            job + ["crop", "1,2,3"], job + Array(repeating: "x", count: 100),
        ]
        for words in garbage { try fleet.server.run(["XADD", work, "*"] + words) }
        try fleet.server.run(["XADD", work, "*"] + job)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try results(1).map(\.code) == [nil])
        #expect(try TestFleet.wait { try stream.counts().jobs == 0 })
        #expect(worker.stop())
        let dead = try stream.dead(100)
        #expect(dead.count == garbage.count && dead.allSatisfy { $0.code == JobResult.malformed })
        #expect(try fleet.server.cli("XRANGE", "tondo:1:{jobs}:dead", "-", "+").count < 20_000, "Not the long fields")
    }

    @Test func `A crop of any numbers ends no worker`() throws {
        let photos = try fleet.photos(4)
        let crops = [(Int.max, Int.max, Int.max, Int.max), (.min, .min, .max, .max), (.min, 0, .min, -1), (0, 0, 0, 0)]
        for (number, crop) in crops.enumerated() {
            var job = TestFleet.job(photos[number], number: number)
            job.crop = CropRectangle(x: crop.0, y: crop.1, width: crop.2, height: crop.3)
            _ = try stream.publish([job])
        }
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try results(4).map(\.number) == [0, 1, 2, 3])
        #expect(worker.stop())
    }

    @Test func `An entry beyond the limit of a reply is dead, and the jobs around it are drawn`() throws {
        let paths = try fleet.photos(3)
        _ = try stream.publish([TestFleet.job(paths[0], number: 0)])
        let connection = fleet.connection
        let large = [UInt8](repeating: 7, count: 200_000)
        _ = try connection.call(RedisCommand("XADD", .text(work), "*", "k", .bytes(large)), by: .now + .seconds(300))
        _ = try stream.publish([TestFleet.job(paths[1], number: 1), TestFleet.job(paths[2], number: 2)])
        let worker = fleet.worker(
            "one", try fleet.pipeline("cache"), claimAfter: .milliseconds(50), longestReply: 100_000)
        #expect(try results(3).map(\.code) == [nil, nil, nil])
        #expect(try TestFleet.wait { try stream.counts().jobs == 0 })
        #expect(worker.stop())
        #expect(try stream.dead(10).map(\.code) == [JobResult.malformed])
    }

    @Test func `A photo that a job names outside of the folders is refused, whatever leads there`() throws {
        let outside = try TemporaryFolder()
        _ = try fleet.photos(1)
        let photo = try fleet.folder.bytes("book/0.png")
        let secret = try outside.write(photo, to: "secret.png").string
        let (book, name) = (fleet.folder.pathString + "/book", outside.path.lastComponent!.string)
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: book + "/link.png", withDestinationPath: secret)
        try manager.createSymbolicLink(atPath: book + "/folder", withDestinationPath: outside.pathString)
        let up = String(repeating: "../", count: 20)
        let paths = [
            secret, book + "/link.png", book + "/folder/secret.png", book + "/../../\(name)/secret.png",
            book + "/\(up)\(secret.dropFirst())", up + secret.dropFirst(), "link.png", book + "/folder/../link.png",
            "/proc/self/root" + secret, book + "/0.png\0.jpg", "",
        ]
        _ = try stream.publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        let drawings = Mutex(0)
        let worker = fleet.worker("one", try fleet.pipeline("cache") { drawings.withLock { $0 += 1 } })
        let results = try results(paths.count)
        #expect(worker.stop())
        #expect(results.count == paths.count)
        for result in results { #expect(result.code != nil && result.avatars.isEmpty, "\(paths[result.number])") }
        #expect(drawings.withLock { $0 } == 0)
    }

    @Test func `A job names no other key than a photo on its way, and none that is too large`() throws {
        _ = try fleet.photos(1)
        let photo = try fleet.folder.bytes("book/0.png")
        let connection = fleet.connection
        let large = photo + [UInt8](repeating: 0, count: PhotoBlobs.largest)
        for (key, bytes) in [("tondo:1:avatar:x", photo), ("tondo:1:photo:large", large)] {
            _ = try connection.call(RedisCommand("SET", .text(key), .bytes(bytes)), by: .now + .seconds(300))
        }
        for (number, key) in ["tondo:1:avatar:x", "tondo:1:photo:large", "tondo:1:photo:none"].enumerated() {
            var job = TestFleet.job("", number: number)
            job.source = .blob(key)
            _ = try stream.publish([job])
        }
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try results(3).allSatisfy { $0.code == JobResult.photoGone })
        #expect(worker.stop())
    }

    // MARK: The server

    @Test(arguments: ["DEL", "FLUSHALL"])
    func `A stream that is deleted while a worker waits for jobs is made again, and nothing is reported`(
        _ command: String
    ) throws {
        let reports = Recorder<FleetWorker.Report>()
        let worker = fleet.worker("one", try fleet.pipeline("cache"), reports: reports)
        #expect(try TestFleet.wait { try fleet.server.cli("CLIENT", "LIST").contains("cmd=xreadgroup") })
        if command == "DEL" { try fleet.server.cli("DEL", work) } else { try fleet.server.cli("FLUSHALL") }
        _ = try stream.publish([TestFleet.job(try fleet.photos(1)[0])])
        #expect(try results(1).map(\.code) == [nil])
        #expect(worker.stop())
        #expect(!reports.all.contains { if case .unreachable = $0 { true } else { false } })
    }

    @Test func `A list of results that is something else costs its results, and no worker`() throws {
        try fleet.server.cli("SET", "tondo:1:{jobs}:results:other", "x")
        let paths = try fleet.photos(2)
        _ = try stream.publish([TestFleet.job(paths[0], run: "other"), TestFleet.job(paths[1])])
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try results(1).map(\.code) == [nil])
        #expect(try TestFleet.wait { try stream.counts().jobs == 0 })
        #expect(worker.stop())
    }

    @Test func `A server that has become a replica is left, and work goes on when it may write again`() throws {
        let reports = Recorder<FleetWorker.Report>()
        _ = try stream.publish([TestFleet.job(try fleet.photos(1)[0])])
        try fleet.server.cli("REPLICAOF", "127.0.0.1", "1")
        let worker = fleet.worker("one", try fleet.pipeline("cache"), reports: reports)
        let report = reports.wait(for: 1).first
        guard case .unreachable(.redis(.refused(let text))) = report else {
            Issue.record("\(String(describing: report))")
            return
        }
        #expect(text.hasPrefix("READONLY"))
        try fleet.server.cli("REPLICAOF", "NO", "ONE")
        #expect(try results(1).map(\.code) == [nil])
        #expect(worker.stop())
    }

    @Test func `Without memory in the middle nothing is lost, and everything is drawn when there is some`() throws {
        var options = JobStream.Options()
        options.time = .seconds(300)
        let paths = try fleet.photos(60)
        _ = try stream.publish(paths.prefix(40).enumerated().map { TestFleet.job($0.element, number: $0.offset) })
        let worker = fleet.worker("one", try fleet.pipeline("cache"), claimAfter: .seconds(60))
        #expect(try TestFleet.wait { try stream.length() < 35 })
        try fleet.server.cli("CONFIG", "SET", "maxmemory", "1")
        // The stream shrinks on; results are lost, which a requester notices by what is missing.
        #expect(try TestFleet.wait(60) { try stream.length() == 0 })
        #expect(throws: JobStreamError.full(length: 0)) { try stream.publish([TestFleet.job(paths[59], number: 59)]) }
        try fleet.server.cli("CONFIG", "SET", "maxmemory", "0")
        _ = try stream.publish(paths.suffix(20).enumerated().map { TestFleet.job($0.element, number: 40 + $0.offset) })
        #expect(try TestFleet.wait(60) { try results(1).contains { $0.number >= 40 } })
        #expect(worker.stop())
        #expect(try stream.counts().pending == 0)
    }

    // MARK: Several at once

    @Test func `Publishers at the same time do not exceed the limit together`() throws {
        var few = JobStream.Options()
        few.mostJobs = 130
        few.time = .seconds(300)
        let (options, fleet) = (few, fleet)
        let taken = Mutex(0)
        let address = fleet.address()
        DispatchQueue.concurrentPerform(iterations: 4) { publisher in
            let stream = JobStream(RedisConnection(to: address), options: options)
            for batch in 0..<2 {
                let jobs = (0..<50).map { TestFleet.job("/p/\($0)", number: 100 * publisher + 50 * batch + $0) }
                let ids = (try? stream.publish(jobs)) ?? []
                taken.withLock { $0 += ids.count }
            }
        }
        #expect(try stream.length() == 130 && taken.withLock { $0 } == 130)
    }

    @Test func `Of two that retry the same dead job one adds it, and without memory it stays dead`() throws {
        _ = try stream.publish([TestFleet.job("/p")])
        let failure = JobResult(number: 0, code: "decoder-crashed", message: "it crashed")
        try stream.finish(
            try stream.read(1, as: "one", waiting: nil).map { .init(delivery: $0, end: .deadLetter, result: failure) },
            as: "one")
        let id = try stream.dead(1)[0].id
        try fleet.server.cli("CONFIG", "SET", "maxmemory", "1")
        #expect(throws: JobStreamError.self) { try stream.retry(id) }
        try fleet.server.cli("CONFIG", "SET", "maxmemory", "0")
        #expect(try stream.counts().dead == 1)
        let address = fleet.address()
        let added = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            var options = JobStream.Options()
            options.time = .seconds(300)
            if (try? JobStream(RedisConnection(to: address), options: options).retry(id)) == true {
                added.withLock { $0 += 1 }
            }
        }
        #expect(added.withLock { $0 } == 1)
        #expect(try stream.counts() == .init(jobs: 1, pending: 0, dead: 0, workers: 1))
    }

    @Test func `Jobs end in one transaction, with one command for all of them`() throws {
        _ = try stream.publish((0..<5).map { TestFleet.job("/p/\($0)", number: $0) })
        let jobs = try stream.read(5, as: "one", waiting: nil)
        try fleet.server.cli("CONFIG", "RESETSTAT")
        try stream.finish(
            jobs.enumerated().map {
                .init(delivery: $0.element, end: .complete, result: JobResult(number: $0.offset, avatars: []))
            }, as: "one"
        )
        let statistics = try fleet.server.cli("INFO", "commandstats")
        for command in ["multi", "xack", "xdel", "rpush", "expire", "exec"] {
            #expect(statistics.contains("cmdstat_\(command):calls=1,"), "\(command)")
        }
        #expect(try stream.results(of: "run", count: 10).count == 5 && stream.length() == 0)
    }
}
