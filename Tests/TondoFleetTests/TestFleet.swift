import Foundation
import SystemPackage
import TondoAvatars
import TondoCache
import TondoImage
import TondoJobs
import TondoRedis
import TondoTestSupport

@testable import TondoFleet

/// A Redis, a folder of photos, and connections.
final class TestFleet {
    let server: RedisServer
    let folder: TemporaryFolder
    static let style = AvatarStyle(size: 16)

    init(_ server: RedisServer? = nil) throws {
        (self.server, folder) = (try server ?? RedisServer(), try TemporaryFolder())
    }

    var connection: RedisConnection { RedisConnection(to: address()) }

    /// `user`: with the password `secret`; nil: the one who may do everything.
    func address(_ user: String? = nil) -> RedisAddress {
        var address = RedisAddress("unix:\(server.socket)")!
        (address.user, address.password) = (user, user.map { _ in "secret" })
        return address
    }

    /// With time for a busy machine.
    func stream(_ options: JobStream.Options = .init(), user: String? = nil) -> JobStream {
        var options = options
        options.time = .seconds(20)
        return JobStream(RedisConnection(to: address(user)), options: options)
    }

    static func stream(_ socket: String, _ options: JobStream.Options) -> JobStream {
        JobStream(RedisConnection(to: RedisAddress("unix:\(socket)")!), options: options)
    }

    static func blobs(_ socket: String) -> PhotoBlobs {
        PhotoBlobs(connection: RedisConnection(to: RedisAddress("unix:\(socket)")!))
    }

    /// Photos that differ by the bytes behind their end.
    func photos(_ count: Int) throws -> [String] {
        let photo = try [UInt8](Data(contentsOf: Fixture.root.appendingPathComponent("golden/rgb.png")))
        return try (0..<count).map { number in
            try folder.write(photo + Array("\(number)".utf8), to: "book/\(number).png").string
        }
    }

    /// A book of as many contacts, each with a photo of its own in a file or in the card.
    func book(_ count: Int, inline: Bool = false) throws -> FilePath {
        let paths = try photos(count)
        for (number, path) in paths.enumerated() {
            let photo =
                inline
                ? "data:image/png;base64,\(try Data(contentsOf: URL(filePath: path)).base64EncodedString())"
                : "\(number).png"
            let card =
                "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c\(number)\r\nFN:Contact \(number)\r\nPHOTO:\(photo)\r\nEND:VCARD\r\n"
            try folder.write(card, to: "book/\(number).vcf")
        }
        return folder.path.appending("book")
    }

    func pipeline(
        _ cache: String? = nil, shared: SharedTier? = nil, fetched: FilePath? = nil,
        drawing: @escaping @Sendable () throws -> Void = {}
    ) throws -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        // On a busy machine a photo takes whatever time it takes.
        options.timeout = .seconds(600)
        (options.shared, options.fetchedPhotos) = (shared, fetched)
        options.queue.workers = 2
        options.system.drawing = drawing
        let cache = try cache.map { try AvatarCache(folder.path.appending($0)) }
        return AvatarPipeline(cache: cache, options)
    }

    static func job(_ path: String, number: Int = 0, run: String = "run") -> DrawJob {
        DrawJob(
            run: run, number: number, contact: "c\(number)", digest: String(repeating: "0", count: 64),
            source: .file(path), styles: [style.style])
    }

    /// A worker on a thread of its own.
    func worker(
        _ name: String, _ pipeline: AvatarPipeline, claimAfter: Duration = .milliseconds(200),
        reports: Recorder<FleetWorker.Report> = Recorder(), user: String? = nil, longestReply: Int = 64 << 20,
        claimTime: ClaimTime? = nil, folder: FilePath? = nil, blobs: String? = nil
    ) -> RunningWorker {
        var options = FleetWorker.Options(name: name)
        options.claimTime.shortest = claimAfter
        if let claimTime { options.claimTime = claimTime }
        options.report = { reports.add($0) }
        return RunningWorker(
            FleetWorker(pipeline, options: options), address(user), folder: folder ?? self.folder.path,
            blobs: blobs, longestReply: longestReply)
    }

    static func wait(_ seconds: Double = 600, for condition: () throws -> Bool) rethrows -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if try condition() { return true }
            usleep(5_000)
        }
        return false
    }
}

final class RunningWorker: Sendable {
    private let worker: FleetWorker
    private let ended = DispatchSemaphore(value: 0)

    init(
        _ worker: FleetWorker, _ address: RedisAddress, folder: FilePath, blobs: String? = nil,
        longestReply: Int = 64 << 20
    ) {
        self.worker = worker
        Thread.detachNewThread { [ended] in
            var avatars = address
            if let blobs { avatars.endpoint = RedisAddress("unix:\(blobs)")!.endpoint }
            let photos = SharedPhotos(folders: [folder], blobs: PhotoBlobs(connection: RedisConnection(to: avatars)))
            worker.run(JobStream(RedisConnection(to: address, limit: longestReply)), from: photos)
            ended.signal()
        }
    }

    /// True: it ended in time.
    @discardableResult
    func stop() -> Bool {
        worker.stop()
        return ended.wait(timeout: .now() + testTimeout) == .success
    }
}

extension JobStream {
    /// As a batch that no other one is.
    func publish(_ jobs: [DrawJob]) throws(JobStreamError) -> [String] {
        try publish(jobs, as: Batch("test-\(UInt64.random(in: .min ... .max))", number: 0))
    }

    /// Jobs of the run `run`, numbered from 0.
    func publish(files paths: [String]) throws {
        _ = try publish(paths.enumerated().map { TestFleet.job($0.element, number: $0.offset) })
    }

    /// All results of that run by their numbers, once there are so many.
    func results(count: Int) throws -> [JobResult] {
        var found: [JobResult] = []
        _ = try TestFleet.wait {
            found += try results(of: "run", count: 1_000)
            return found.count >= count
        }
        return found.sorted { $0.number < $1.number }
    }
}
