import Dispatch
import Foundation
import SystemPackage
import TondoCache
import TondoContacts
import TondoDigest
import TondoImage
import TondoJobs
import TondoTestSupport

@testable import TondoAvatars
@testable import TondoServer

/// One service over a folder of cards that changes, with one worker, a queue for one job, and steps that fail at random:
/// opening and drawing of photos, storing, the index of the cache, watching. A client replays the stream of events. The
/// same seed makes the same choices; threads may still meet differently.
final class ServiceChaosRun {
    private let seed: UInt64
    private var choices: Choices
    private let folder: TemporaryFolder
    private let cache: AvatarCache
    private let changes = ReportedChanges()
    private let addressBooks: AddressBookService
    private let broadcaster = EventBroadcaster(capacity: 100_000)
    private var people: [(id: String, shade: UInt8?, note: Int)] = []
    private var replay = ServiceReplay()
    private var born = 0

    /// What went wrong with this seed; nil: nothing.
    static func problem(of seed: UInt64, keys: [UInt8?: String]) async throws -> String? {
        try await ServiceChaosRun(seed).run(keys)
    }

    private init(_ seed: UInt64) throws {
        (self.seed, choices) = (seed, Choices(seed))
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.pathString + "/book", withIntermediateDirectories: false)
        let faults = ServiceFaults(choices.next(), left: choices.number(8), chance: 20 + choices.number(150))
        var cacheOptions = AvatarCache.Options()
        cacheOptions.fault = faults.cache
        cache = try AvatarCache(FilePath(folder.pathString + "/cache"), options: cacheOptions)
        var options = AvatarPipeline.Options()
        (options.queue.workers, options.queue.spares) = (1, 0)
        (options.queue.depth, options.queue.room, options.openDepth) = (1, 1, 4)
        // As fast as it goes, but so that what is tried for long leaves the processor to others.
        options.system.after = { delay, body in
            let wait = delay < .seconds(1) ? DispatchTimeInterval.microseconds(200) : .milliseconds(2)
            DispatchQueue.global().asyncAfter(deadline: .now() + wait, execute: body)
        }
        options.system.opening = faults.open
        options.system.drawing = faults.draw
        options.system.watching = changes.source(faults)
        addressBooks = AddressBookService(
            AvatarPipeline(cache: cache, options), broadcaster: broadcaster, firstRetry: 0.001)
        for _ in 0...choices.number(5) { try add() }
    }

    private func run(_ keys: [UInt8?: String]) async throws -> String? {
        let subscriber = broadcaster.subscribe(after: 0)
        addressBooks.serve([FilePath(folder.pathString + "/book")], styles: [AvatarStyle(size: 16)])
        var left = choices.number(7)
        let limit = ContinuousClock.now + .seconds(300)
        while !isSettled(keys) || left > 0 {
            // A change at any time, and when everything was reported.
            while left > 0, isSettled(keys) || choices.number(8) == 0 {
                left -= 1
                changes.report(try change())
            }
            if isSettled(keys) { break }
            guard ContinuousClock.now < limit, let batch = await subscriber.next() else {
                return report("hangs with the list \(listed)", keys)
            }
            if case .events(let bytes) = batch { replay.take(bytes) }
            if !replay.problems.isEmpty { break }
        }
        addressBooks.stop()
        cache.close()
        return replay.problems.first.map { report($0, keys) }
    }

    private var listed: [String] { addressBooks.directory.contacts.all.map(\.id) }

    private func isSettled(_ keys: [UInt8?: String]) -> Bool {
        // A contact is in the list before its event, so that a client of an empty book may know all of an older reading.
        replay.count > 0 && replay.order == people.map(\.id) && listed == replay.order
            && people.allSatisfy { replay.keys[$0.id] == keys[$0.shade] }
    }

    private func report(_ problem: String, _ keys: [UInt8?: String]) -> String {
        let expected = people.map { "\($0.id)=\(keys[$0.shade]?.prefix(4) ?? "")" }
        let known = replay.order.map { "\($0)=\(replay.keys[$0]?.prefix(4) ?? "")" }
        return "seed \(seed): \(problem); book \(expected), a client knows \(known) after \(replay.count) events"
    }

    private func change() throws -> BookChangeFeed.Change {
        let index = people.isEmpty ? nil : choices.number(people.count)
        switch (choices.number(8), index) {
        case (0, let index?):
            let id = people.remove(at: index).id
            try FileManager.default.removeItem(atPath: "\(folder.pathString)/book/\(id).vcf")
            return .files([id + ".vcf"])
        case (1, let index?):
            people[index].note += 1
            return try write(people[index])
        case (2, let index?), (3, let index?):
            people[index].shade = choices.number(4) == 0 ? nil : UInt8(choices.number(40))
            return try write(people[index])
        case (4, _): return .everything
        default: return try add()
        }
    }

    /// Anywhere in the order, which is that of the files' names.
    @discardableResult
    private func add() throws -> BookChangeFeed.Change {
        born += 1
        let person = ("\(choices.number(10))-\(born)", choices.number(4) == 0 ? nil : UInt8(choices.number(40)), 0)
        people.append(person)
        people.sort { "\($0.id).vcf".utf8.lexicographicallyPrecedes("\($1.id).vcf".utf8) }
        return try write(person)
    }

    private func write(_ person: (id: String, shade: UInt8?, note: Int)) throws -> BookChangeFeed.Change {
        let photo = person.shade.map { "PHOTO;ENCODING=b;TYPE=PNG:" + Data(Self.image($0)).base64EncodedString() }
        let lines = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:\(person.id)", "FN:\(person.id)", "NOTE:\(person.note)", photo,
            "END:VCARD", "",
        ]
        let name = "\(folder.pathString)/book/\(person.id).vcf"
        try folder.write(lines.compactMap(\.self).joined(separator: "\r\n"), to: "book/.draft")
        guard rename(folder.pathString + "/book/.draft", name) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return .files([person.id + ".vcf"])
    }

    private static func image(_ shade: UInt8) -> [UInt8] {
        PNGEncoder.encode(
            pixels: Array((0..<64).map { _ in [shade, 255 - shade, 77, 255] }.joined()), width: 8, height: 8)
    }

    /// The key of the avatar for each shade; nil: that of the placeholder.
    static func keys() throws -> [UInt8?: String] {
        let source = CachingRenderer(styles: [Style(size: 16)], limits: Limits())
        func key(_ bytes: [UInt8]) throws -> String {
            let file = PhotoFile(copying: bytes)
            let geometry = try PhotoGeometry(probing: file.bytes)
            let subject = CachingRenderer.Subject(digest: SHA256Digest(file), geometry: geometry)
            return source.recipes(for: subject)[0].key.hexadecimal
        }
        var keys: [UInt8?: String] = [nil: try key(Silhouette.photo)]
        for shade in 0..<40 as Range<UInt8> { keys[shade] = try key(image(shade)) }
        return keys
    }
}
