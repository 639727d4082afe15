import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// The photos of local books and of mirrors, over several runs.
@Suite struct SourcePhotosTests {
    private static let first: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100)
    private static let second: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 2, count: 100)
    private let folder: TemporaryFolder
    private let day = 86_400

    /// What the server answers with; nil: 404.
    private final class Photo: Sendable {
        let bytes = Locked<[UInt8]?>(SourcePhotosTests.first)
    }

    private let photo = Photo()
    private let server: ScriptedServer

    init() throws {
        folder = try TemporaryFolder()
        let photo = photo
        server = try ScriptedServer { _ in
            guard let bytes = photo.bytes.withLock({ $0 }) else { return ScriptedServer.Reply(404) }
            var reply = ScriptedServer.Reply(200)
            reply.body = bytes
            return reply
        }
    }

    private var options: SourceRun.Options {
        var options = SourceRun.Options()
        (options.photos.policy, options.photos.permitsPlain) = (.loopback, true)
        options.photos.timeout = .seconds(60)
        return options
    }

    private func card(_ number: Int) -> [UInt8] {
        Array(
            "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\(number)\r\nFN:Person \(number)\r\nPHOTO;VALUE=uri:\(server.url)/\(number).jpg\r\nEND:VCARD\r\n"
                .utf8)
    }

    private func source(_ kind: SyncSource.Kind, hosts: [String]? = nil) -> SyncSource {
        var source = SyncSource(
            name: kind == .photos ? "photos" : "work", kind: kind, url: kind == .photos ? "" : server.url)
        source.hosts = hosts ?? ["127.0.0.1:\(server.port)"]
        return source
    }

    private func fetched(_ url: String) -> [UInt8]? {
        let path = FetchedPhotos.file(of: url, in: FetchedPhotos.root(in: folder.path))
        return (try? Data(contentsOf: URL(filePath: path.string))).map { [UInt8]($0) }
    }

    @Test func `Photos of local books lie by their URLs`() throws {
        for number in 1...3 { try folder.write(card(number), to: "book/\(number).vcf") }
        let book = folder.pathString + "/book"
        let photos = try SourcePhotos(source: source(.photos), options: options, in: folder.path, now: 0)
        #expect(try photos?.run(books: [book]).fetched == 3)
        #expect(fetched("\(server.url)/2.jpg") == Self.first)
        // Not again on the same day.
        server.forget()
        let again = try SourcePhotos(source: source(.photos), options: options, in: folder.path, now: day - 1)
        _ = try again?.run(books: [book])
        #expect(server.requests.isEmpty)
    }

    @Test func `Photos of the JSON of other programs are followed`() throws {
        let json =
            #"{"contacts": [{"id": 1, "firstname": "Ada", "lastname": "L", "photo_url": "\#(server.url)/a.jpg", "messenger": {}}]}"#
        let path = try folder.write(json, to: "people.json")
        #expect(BookPhotoAddresses.urls(in: path) == ["\(server.url)/a.jpg"])
    }

    @Test func `Nothing is asked without hosts`() throws {
        try folder.write(card(1), to: "book/1.vcf")
        #expect(try SourcePhotos(source: source(.photos, hosts: []), options: options, in: folder.path, now: 0) == nil)
        let other = try SourcePhotos(
            source: source(.photos, hosts: ["example.org"]), options: options, in: folder.path, now: 0)
        _ = try other?.run(books: [folder.pathString + "/book"])
        #expect(server.requests.isEmpty)
    }

    /// One run of a mirror's photos.
    private func run(now: Int, hosts: [String]? = nil) throws -> Int {
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
        let photos = try #require(
            try SourcePhotos(source: source(.carddav, hosts: hosts), options: options, in: folder.path, now: now))
        return try photos.run(mirror)
    }

    private func fill(_ numbers: ClosedRange<Int>) throws {
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
        try mirror.put(numbers.map { MirrorItem(id: "/\($0)", version: "v", name: "\($0)", bytes: card($0)) })
        _ = try mirror.finish(attributes: ["token": "1"])
    }

    private var photoFiles: [String] { (try? folder.names(in: "work/cards/photos")) ?? [] }

    @Test func `Cards of a mirror name the photos beside them`() throws {
        try fill(1...3)
        #expect(try run(now: 0) == 3)
        // One photo for equal bytes.
        #expect(photoFiles.count == 1)
        let text = String(decoding: try folder.bytes("work/cards/1.vcf"), as: UTF8.self).replacing("\r\n ", with: "")
        #expect(text.contains(":photos/\(photoFiles[0])\r\n"))
        #expect(text.contains("X-TONDO-URL=\"\(server.url)/1.jpg\""))
        #expect(try folder.bytes("work/cards/photos/\(photoFiles[0])") == Self.first)
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
        #expect(mirror.state.attributes == ["token": "1"])
        #expect(mirror.version(of: "/1") == "v")
    }

    @Test func `A card changes exactly when its photo does`() throws {
        try fill(1...2)
        _ = try run(now: 0)
        let before = try folder.bytes("work/cards/1.vcf")
        #expect(try run(now: day) == 0)
        #expect(try folder.bytes("work/cards/1.vcf") == before)
        photo.bytes.withLock { $0 = Self.second }
        #expect(try run(now: 2 * day) == 2)
        #expect(try folder.bytes("work/cards/1.vcf") != before)
        #expect(photoFiles.count == 1)
        #expect(try folder.bytes("work/cards/photos/\(photoFiles[0])") == Self.second)
    }

    @Test func `An unchanged run reads no card`() throws {
        try fill(1...3)
        _ = try run(now: 0)
        let state = try folder.bytes("work/state")
        // Bytes that only a reader of the card would notice.
        for number in 1...3 {
            let path = "work/cards/\(number).vcf"
            let text = String(decoding: try folder.bytes(path), as: UTF8.self)
            try folder.write(text.replacing(".jpg\"", with: ".png\""), to: path, mode: 0o644)
        }
        server.forget()
        #expect(try run(now: 2 * day) == 0)
        #expect(Set(server.requests.map(\.path)) == ["/1.jpg", "/2.jpg", "/3.jpg"])
        #expect(try folder.bytes("work/state") == state)
    }

    @Test func `A card without a photo is read once`() throws {
        do {
            let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
            let bytes = Array("BEGIN:VCARD\nFN:Ada\nEND:VCARD\n".utf8)
            try mirror.put([MirrorItem(id: "/1", version: "v", name: "1", bytes: bytes)])
            _ = try mirror.finish(attributes: [:])
        }
        #expect(try run(now: 0) == 0)
        try folder.write(card(1), to: "work/cards/1.vcf")
        #expect(try run(now: 1) == 0)
        #expect(server.requests.isEmpty)
    }

    @Test func `A run that ended between a photo and its cards is made up for`() throws {
        try fill(1...2)
        let url = "\(server.url)/1.jpg"
        do {
            let store = try PhotoStore(in: folder.path, now: 0)
            let wanted = [url: PhotoHosts(words: ["any"])]
            #expect(
                try PhotoRun(fetch: PhotoFetch(options: options.photos), store: store, now: 0).run(wanted).fetched == 1)
            try store.save(now: 0)
        }
        server.forget()
        #expect(try run(now: 1) == 2)
        #expect(server.requests.map(\.path) == ["/2.jpg"])
        #expect(String(decoding: try folder.bytes("work/cards/1.vcf"), as: UTF8.self).contains("photos/"))
    }

    @Test func `A photo that was removed from the mirror comes back`() throws {
        try fill(1...1)
        _ = try run(now: 0)
        let photo = try #require(photoFiles.first)
        try folder.remove("work/cards/photos/\(photo)")
        #expect(try run(now: 1) == 0)
        #expect(photoFiles == [photo])
    }

    @Test func `A lost photo stays for a month`() throws {
        try fill(1...1)
        _ = try run(now: 0)
        photo.bytes.withLock { $0 = nil }
        var now = 0
        while now < 29 * day {
            now += day
            #expect(try run(now: now) == 0)
        }
        #expect(photoFiles.count == 1)
        now += 14 * day
        #expect(try run(now: now) == 1)
        #expect(photoFiles == [])
        #expect(try folder.bytes("work/cards/1.vcf") == card(1))
    }

    @Test func `A card that the source sends again keeps its photo`() throws {
        try fill(1...1)
        _ = try run(now: 0)
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
        let photos = try #require(try SourcePhotos(source: source(.carddav), options: options, in: folder.path, now: 1))
        let prepared = photos.prepare(mirror)(card(1)).bytes
        #expect(try mirror.put([MirrorItem(id: "/1", version: "v2", name: "1", bytes: prepared)]) == [.unchanged])
    }

    @Test func `The server of a mirror is meant by a word`() throws {
        try fill(1...1)
        #expect(try run(now: 0, hosts: ["same-origin"]) == 1)
    }

    @Test func `Deletions that wait are not forgotten`() throws {
        try fill(1...3)
        _ = try run(now: 0)
        do {
            let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
            #expect(try mirror.finish(removing: ["/1", "/2", "/3"], attributes: [:]).withheld == 3)
        }
        photo.bytes.withLock { $0 = Self.second }
        _ = try run(now: 2 * day)
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "work", in: folder.path))
        #expect(mirror.state.withheld.count == 3)
    }

    @Test func `A damaged photo is fetched again`() throws {
        try folder.write(card(1), to: "book/1.vcf")
        let book = folder.pathString + "/book"
        _ = try SourcePhotos(source: source(.photos), options: options, in: folder.path, now: 0)?.run(books: [book])
        let url = "\(server.url)/1.jpg"
        let path = FetchedPhotos.file(of: url, in: FetchedPhotos.root(in: folder.path))
        try Data([0xFF]).write(to: URL(filePath: path.string))
        _ = try SourcePhotos(source: source(.photos), options: options, in: folder.path, now: 10)?.run(books: [book])
        #expect(fetched(url) == Self.first)
    }

    @Test func `Two processes do not fetch at once`() throws {
        let first = try PhotoStore(in: folder.path, now: 0)
        let second = try PhotoStore(in: folder.path, now: 0)
        #expect(first.canFetch)
        #expect(!second.canFetch)
    }

    @Test func `Two photos of a host are fetched at once`() throws {
        let counts = Locked((now: 0, most: 0))
        let slow = try ScriptedServer { _ in
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            usleep(20_000)
            counts.withLock { $0.now -= 1 }
            var reply = ScriptedServer.Reply(200)
            reply.body = Self.first
            return reply
        }
        let store = try PhotoStore(in: folder.path, now: 0)
        let hosts = PhotoHosts(words: ["any"])
        let wanted = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\(slow.url)/\($0)", hosts) })
        let report = try PhotoRun(fetch: PhotoFetch(options: options.photos), store: store, now: 0).run(wanted)
        #expect(report.fetched == 20)
        #expect(counts.withLock { $0.most } == 2)
    }
}
