import Foundation
import Synchronization
import SystemPackage
import Testing
import TondoAvatars
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

@Suite(.blocking) struct EnqueueRunTests {
    private let fleet: TestFleet

    init() throws { fleet = try TestFleet() }

    private final class Load: Sendable {
        let events = Recorder<LoaderEvent>()
        let notices = Recorder<EnqueueRun.Notice>()
        let end = Mutex<Result<LoadSummary, EnqueueRun.Failure>?>(nil)
        let done = DispatchSemaphore(value: 0)

        func wait() throws -> LoadSummary? {
            #expect(done.wait(timeout: .now() + .seconds(300)) == .success)
            return try end.withLock { $0 }?.get()
        }
    }

    private func load(
        _ book: FilePath, cache: String? = nil, stream: JobStream.Options = .init(),
        change: (inout EnqueueRun.Options) -> Void = { _ in }
    ) throws -> Load {
        var options = EnqueueRun.Options()
        (options.styles, options.recheck) = ([TestFleet.style], .milliseconds(200))
        change(&options)
        let load = Load()
        let run = EnqueueRun(
            try fleet.pipeline(cache), options, report: { load.events.add($0) }, notice: { load.notices.add($0) })
        let (connection, photos) = (fleet.server.socket, fleet.server.socket)
        Thread.detachNewThread {
            let jobs = TestFleet.stream(connection, stream)
            let result = Result { () throws(EnqueueRun.Failure) in
                try run.load(book, run: "r1", to: jobs, blobs: TestFleet.blobs(photos))
            }
            load.end.withLock { $0 = result }
            load.done.signal()
        }
        return load
    }

    @Test(arguments: [false, true]) func `A book comes through the queue with all its events`(_ inline: Bool) throws {
        let load = try load(fleet.book(25, inline: inline))
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let summary = try load.wait()
        #expect(summary?.contacts == 25 && summary?.avatars == 25 && summary?.rendered == 25 && summary?.failed == 0)
        let names = load.events.all.map(\.name)
        #expect(names.first == "total" && names.last == "finished")
        #expect(names.count { $0 == "contact" } == 25 && names.count { $0 == "avatar" } == 25)
        #expect(worker.stop())
        #expect(try fleet.stream().counts() == .init())
        // The temporary photos are gone with their jobs.
        #expect(try fleet.server.cli("KEYS", "tondo:1:photo:*") == "")
    }

    @Test func `What is in the cache is not published`() throws {
        let book = try fleet.book(5)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        _ = try load(book).wait()
        #expect(worker.stop())
        let summary = try load(book, cache: "cache").wait()
        #expect(summary?.cached == 5 && summary?.rendered == 0)
    }

    @Test func `A full window that Redis loses is published again`() throws {
        let load = try load(fleet.book(30)) { ($0.window, $0.batch) = (10, 5) }
        #expect(try TestFleet.wait { try fleet.stream().length() >= 10 })
        try fleet.server.cli("FLUSHALL")
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try load.wait()?.avatars == 30)
        #expect(worker.stop())
    }

    @Test func `Contacts with the same photo in their cards keep their copies`() throws {
        let photo = try Data(contentsOf: URL(filePath: fleet.photos(1)[0])).base64EncodedString()
        for number in 0..<40 {
            let card =
                "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c\(number)\r\nFN:C\r\nPHOTO:data:image/png;base64,\(photo)\r\nEND:VCARD\r\n"
            try fleet.folder.write(card, to: "same/\(number).vcf")
        }
        let load = try load(fleet.folder.path.appending("same"))
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let summary = try load.wait()
        #expect(summary?.avatars == 40 && summary?.failed == 0)
        #expect(worker.stop())
        #expect(try fleet.server.run(["--scan", "--pattern", "tondo:1:photo:*"]) == "")
    }

    @Test func `A Redis that takes no writes for a while is waited for`() throws {
        try fleet.server.cli("CONFIG", "SET", "min-replicas-to-write", "1")
        let load = try load(fleet.book(5))
        #expect(TestFleet.wait { load.notices.all.contains { if case .unreachable = $0 { true } else { false } } })
        try fleet.server.cli("CONFIG", "SET", "min-replicas-to-write", "0")
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try load.wait()?.avatars == 5)
        #expect(worker.stop())
    }

    @Test func `Answers that are late publish no job twice`() throws {
        fleet.server.pause()
        var options = JobStream.Options()
        options.time = .milliseconds(100)
        let load = try load(fleet.book(30), stream: options) { ($0.batch, $0.follow) = (10, false) }
        // Each attempt is in the socket of the server, which answers all of them later.
        #expect(TestFleet.wait { load.notices.all.contains { if case .unreachable = $0 { true } else { false } } })
        usleep(500_000)
        fleet.server.resume()
        _ = try load.wait()
        #expect(try fleet.server.cli("XLEN", "tondo:1:{jobs}:work") == "30")
    }

    @Test func `A load that follows says how long the queue is`() throws {
        let load = try load(fleet.book(25)) { ($0.window, $0.batch) = (5, 5) }
        // The counts are asked for twice a second, and nobody draws yet.
        let counts = {
            load.notices.all.compactMap { notice -> JobStream.Counts? in
                if case .counts(let counts) = notice { counts } else { nil }
            }
        }
        #expect(TestFleet.wait { !counts().isEmpty })
        #expect(counts()[0].waiting == 5 && counts()[0].workers == 0)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try load.wait()?.avatars == 25)
        #expect(worker.stop())
    }

    @Test func `A photo in a card that is larger than a temporary copy may be is drawn here`() throws {
        let book = try fleet.book(1, inline: true)
        let photo = try Data(contentsOf: Fixture.root.appendingPathComponent("golden/rgb.png"))
        let large = (photo + Data(count: PhotoBlobs.largest)).base64EncodedString()
        let card =
            "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:large\r\nFN:Large\r\nPHOTO:data:image/png;base64,\(large)\r\nEND:VCARD\r\n"
        try fleet.folder.write(card, to: "book/large.vcf")
        let load = try load(book)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let summary = try load.wait()
        #expect(summary?.rendered == 2 && summary?.failed == 0)
        #expect(worker.stop())
        #expect(PhotoBlobs.largest == 1 << 20)
        #expect(load.notices.all.compactMap { if case .published(let count) = $0 { count } else { nil } } == [1])
    }

    @Test func `The queue keeps all that is published, and takes a hundred thousand by default`() throws {
        let photo = try fleet.photos(1)[0]
        let stream = fleet.stream()
        for batch in 0..<50 { _ = try stream.publish((0..<100).map { TestFleet.job(photo, number: 100 * batch + $0) }) }
        #expect(try stream.length() == 5_000)
        #expect(JobStream.Options().mostJobs == 100_000)
    }

    @Test func `Without a follower everything is published, and drawn later`() throws {
        let summary = try load(fleet.book(150)) { $0.follow = false }.wait()
        #expect(summary?.contacts == 150 && summary?.avatars == 0)
        #expect(try fleet.stream().length() == 150)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try TestFleet.wait { try fleet.stream().length() == 0 })
        #expect(worker.stop())
    }

    @Test func `A full stream ends a run that is not to wait`() throws {
        var few = JobStream.Options()
        few.mostJobs = 100
        let load = try load(fleet.book(250), stream: few) { ($0.failsWhenFull, $0.follow) = (true, false) }
        #expect(throws: EnqueueRun.Failure.self) { try load.wait() }
        #expect(try fleet.stream().length() == 100)
    }

    @Test func `A full stream makes a run wait, and nothing is dropped`() throws {
        var few = JobStream.Options()
        few.mostJobs = 10
        let load = try load(fleet.book(60), stream: few) { $0.batch = 10 }
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try load.wait()?.avatars == 60)
        #expect(worker.stop())
    }

    @Test func `A photo that cannot be drawn is reported, and initials or a silhouette follow`() throws {
        let book = try fleet.book(3)
        // The header is right, so that the worker finds out.
        let photo = try fleet.folder.bytes("book/1.png")
        try fleet.folder.write(Array(photo.prefix(60)), to: "book/1.png")
        let load = try load(book)
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        let summary = try load.wait()
        #expect(summary?.failed == 1 && summary?.avatars == 3)
        #expect(worker.stop())
    }

    @Test func `A flush in the middle loses no answer`() throws {
        let load = try load(fleet.book(300)) { $0.batch = 20 }
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(TestFleet.wait { load.events.all.count { $0.name == "avatar" } > 20 })
        try fleet.server.cli("FLUSHALL")
        #expect(try load.wait()?.avatars == 300)
        #expect(worker.stop())
    }

    @Test func `A restart of Redis in the middle loses no answer`() throws {
        let load = try load(fleet.book(300, inline: true)) { $0.batch = 20 }
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(TestFleet.wait { load.events.all.count { $0.name == "avatar" } > 20 })
        fleet.server.stop()
        try fleet.server.start()
        #expect(try load.wait()?.avatars == 300)
        #expect(worker.stop())
    }

    @Test func `A job that vanished is published again, though results keep coming`() throws {
        let load = try load(fleet.book(1))
        #expect(try TestFleet.wait { try fleet.stream().length() == 1 })
        let address = fleet.address()
        let isOver = Atomic(false)
        // Of jobs that the run does not have, more than one call takes, so that the list is never empty.
        Thread.detachNewThread {
            let connection = RedisConnection(to: address)
            let names = FleetNames()
            let junk = RedisCommand(
                "RPUSH",
                [.text(names.results("r1"))] + (0..<1_000).map { .text(JobResult(number: 9 + $0, avatars: []).text) })
            let length = RedisCommand("LLEN", .text(names.results("r1")))
            while !isOver.load(ordering: .relaxed) {
                let count = try? connection.call(length, by: .now + .seconds(300)).integer
                if count ?? 0 < 2_000 { _ = try? connection.call(junk, by: .now + .seconds(300)) }
            }
        }
        try fleet.server.cli("DEL", FleetNames().work)
        #expect(try TestFleet.wait { try fleet.stream().length() == 1 }, "Published again")
        let worker = fleet.worker("one", try fleet.pipeline("cache"))
        #expect(try load.wait()?.avatars == 1)
        isOver.store(true, ordering: .relaxed)
        #expect(worker.stop())
    }
}
