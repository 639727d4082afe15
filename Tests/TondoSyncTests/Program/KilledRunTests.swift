import Foundation
import SystemPackage
import Testing
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Directories and photos, whose runs are killed at any moment: whatever has a name is whole, and the next run converges. Cards of
/// CardDAV: `SyncProcessTests`.
@Suite(.blocking) struct KilledRunTests {
    private static let people = 60
    private static let photos = 30

    /// Different for each person, larger than a page, and a JPEG by its first bytes.
    private static func photo(_ number: Int) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 9_000 + number)
    }

    private static func trial(_ slapd: Slapd) throws -> MirrorTrial {
        var trial = try MirrorTrial("ldapi://\(slapd.socket.replacing("/", with: "%2F"))/\(Slapd.base)")
        trial.source.kind = .ldap
        trial.source.user = Slapd.administrator
        trial.source.secret.file = try trial.folder.write("\(Slapd.password)\n", to: "secret")
        return trial
    }

    @Test(.enabled(if: Slapd.isInstalled, "needs slapd and ldap-utils"), arguments: [true, false])
    func `a directory`(synchronises: Bool) throws {
        let people = Slapd.people(0..<Self.people) { Self.photo($0) }
        let slapd = try Slapd(.init(synchronises: synchronises, people: people))
        let whole = try Self.trial(slapd)
        var points = try KillPoints {
            let (status, text) = try SyncProcess(whole).finish()
            #expect(status == 0, "\(text)")
        }
        let cards = try whole.cards()
        #expect(cards.count == Self.people)
        for point in 0..<KillPoints.count {
            let trial = try Self.trial(slapd)
            try trial.folder.write("foreign", to: "work/cards/\(cards[0])")
            points.kill(try SyncProcess(trial), at: point)
            for name in try trial.cards() where name != cards[0] {
                #expect(try trial.text(name).hasSuffix("END:VCARD\r\n"), "point \(point)")
            }
            #expect(trial.run().error == nil, "point \(point)")
            let all = try trial.cards()
            #expect(all.count == Self.people + 1 && Set(cards).isSubset(of: all), "point \(point)")
            for name in cards.dropFirst() {
                #expect(try trial.text(name) == whole.text(name), "point \(point)")
            }
            #expect(try trial.text(cards[0]) == "foreign")
            #expect(try trial.folder.names(in: "work/tmp").isEmpty)
        }
    }

    private static func server() throws -> ScriptedServer {
        try ScriptedServer { request in
            let number = request.path.dropFirst().prefix { $0.isNumber }
            var reply = ScriptedServer.Reply(200)
            reply.body = photo(Int(number) ?? 0)
            return reply
        }
    }

    private static func card(_ number: Int, _ server: ScriptedServer) -> String {
        "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:p\(number)\r\nFN:Person \(number)\r\n"
            + "PHOTO;VALUE=uri:\(server.url)/\(number).jpg\r\nEND:VCARD\r\n"
    }

    private static var options: SourceRun.Options {
        var options = SourceRun.Options()
        (options.photos.policy, options.photos.permitsPlain) = (.loopback, true)
        options.photos.timeout = .seconds(60)
        return options
    }

    @Test
    func `photos of a local book`() throws {
        let server = try Self.server()
        func trial() throws -> (MirrorTrial, book: String) {
            var trial = try MirrorTrial("")
            (trial.source.kind, trial.source.name) = (.photos, "photos")
            trial.source.hosts = ["127.0.0.1:\(server.port)"]
            for number in 0..<Self.photos {
                try trial.folder.write(Self.card(number, server), to: "book/\(number).vcf")
            }
            return (trial, trial.folder.pathString + "/book")
        }
        func start(_ trial: MirrorTrial, _ book: String) throws -> SyncProcess {
            try SyncProcess(trial, fromLoopback: true) { $0.books = [book] }
        }
        let whole = try trial()
        var points = try KillPoints {
            let (status, text) = try start(whole.0, whole.book).finish()
            #expect(status == 0, "\(text)")
        }
        for point in 0..<KillPoints.count {
            let (trial, book) = try trial()
            points.kill(try start(trial, book), at: point)
            var options = Self.options
            options.books = [book]
            #expect(
                SourceRun(source: trial.source, in: trial.folder.path, options: options).run().error == nil,
                "point \(point)")
            for number in 0..<Self.photos {
                let file = FetchedPhotos.file(
                    of: "\(server.url)/\(number).jpg", in: FetchedPhotos.root(in: trial.folder.path))
                let bytes = FileManager.default.contents(atPath: file.string).map { [UInt8]($0) }
                #expect(bytes == Self.photo(number), "point \(point), photo \(number)")
            }
            let names = try trial.folder.names(in: "_photos/fetched")
            #expect(names.count == Self.photos, "point \(point)")
        }
    }

    @Test
    func `photos of a mirror's cards`() throws {
        let server = try Self.server()
        let book = try FakeAddressBook()
        for number in 0..<Self.photos { book.put("\(number).vcf", Self.card(number, server)) }
        func trial() throws -> MirrorTrial {
            var trial = try MirrorTrial(book.url)
            trial.source.hosts = ["127.0.0.1:\(server.port)"]
            return trial
        }
        let whole = try trial()
        var points = try KillPoints {
            let (status, text) = try SyncProcess(whole, fromLoopback: true).finish()
            #expect(status == 0, "\(text)")
        }
        let files = try whole.folder.files(below: "work/cards").sorted()
        #expect(files.count == 2 * Self.photos)
        for point in 0..<KillPoints.count {
            let trial = try trial()
            points.kill(try SyncProcess(trial, fromLoopback: true), at: point)
            let result = SourceRun(source: trial.source, in: trial.folder.path, options: Self.options).run()
            #expect(result.error == nil, "point \(point)")
            #expect(try trial.folder.files(below: "work/cards").sorted() == files, "point \(point)")
            for file in files {
                let (own, other) = (
                    try trial.folder.bytes("work/cards/\(file)"), try whole.folder.bytes("work/cards/\(file)")
                )
                #expect(own == other, "point \(point), \(file)")
            }
        }
    }
}
