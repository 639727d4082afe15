import SystemPackage
import Testing
import TondoFiles
import TondoMirror
import TondoTestSupport

@testable import TondoSync

/// Books of other programs in a mirror. `Tests/Desktop/books.py` reads real ones.
@Suite struct DesktopSourceTests {
    private struct Book: DesktopBook {
        var names: [String]
        var failure: DesktopError?

        func read(_ take: (DesktopCard) throws -> Void) throws {
            for name in names {
                var card = DesktopCard(id: name)
                card.versions = [{ Array("BEGIN:VCARD\r\nFN:\(name)\r\nUID:\(name)\r\nEND:VCARD\r\n".utf8) }]
                try take(card)
            }
            if let failure { throw failure }
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ book: Book, now: Int = 1_000_000_000) throws -> DesktopSource.Report {
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "x", in: folder.path))
        return try DesktopSource(book: book, mirror: mirror, now: now).run()
    }

    private var cards: [String] { get throws { try folder.names(in: "x/cards").sorted() } }

    @Test func `A book that breaks off adds what came, and deletes nothing`() throws {
        #expect(try run(Book(names: ["ada", "bo", "cy"])).added == 3)
        #expect(throws: DesktopError.noServer) { try run(Book(names: ["ada", "di"], failure: .noServer)) }
        #expect(try cards == ["ada.vcf", "bo.vcf", "cy.vcf", "di.vcf"])
        #expect(try run(Book(names: ["ada", "bo", "di"])).outcome.removed == 1)
        #expect(try cards == ["ada.vcf", "bo.vcf", "di.vcf"])
    }

    @Test func `Damage that keeps size and time is repaired within a week`() throws {
        let (start, week) = (1_000_000_000, 7 * 86_400)
        _ = try run(Book(names: ["ada", "bo"]), now: start)
        let name = "x/cards/ada.vcf"
        let text = String(decoding: try folder.bytes(name), as: UTF8.self)
        try folder.overwrite(name, text.replacing("FN:a", with: "FN:e"), keepingTime: true)
        #expect(try run(Book(names: ["ada", "bo"]), now: start + week - 1).changed == 0)
        #expect(try run(Book(names: ["ada", "bo"]), now: start + week).changed == 1)
        #expect(try folder.bytes(name) == Array(text.utf8))
    }

    @Test func `The first version that can be read is mirrored`() throws {
        struct Versions: DesktopBook {
            func read(_ take: (DesktopCard) throws -> Void) throws {
                var card = DesktopCard(id: "a")
                card.versions = [{ Array("nonsense".utf8) }, { Array("BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n".utf8) }]
                try take(card)
                card = DesktopCard(id: "b")
                card.reason = "too large"
                try take(card)
            }
        }
        let mirror = try MirrorFolder(layout: MirrorLayout(name: "x", in: folder.path))
        let report = try DesktopSource(book: Versions(), mirror: mirror).run()
        #expect(report.added == 1 && report.failed == 1 && report.missing.map(\.reason) == ["too large"])
    }

    @Test func `A database is copied in a moment without a change`() throws {
        try folder.write("database", to: "abook.sqlite")
        let (database, copies) = (folder.path.appending("abook.sqlite"), folder.path)
        func copy(at clock: () -> Int) throws -> DatabaseCopy {
            try DatabaseCopy(of: database, in: copies, within: .zero, clock: clock)
        }
        let changed = try #require(FileStatus(database)).changed
        // Another change may have the same time.
        #expect(throws: DesktopError.busy(database)) { _ = try copy { changed + 19_000_000 } }
        // The log comes between the first look and the last.
        #expect(throws: DesktopError.busy(database)) {
            _ = try copy {
                _ = try? folder.write("log", to: "abook.sqlite-wal")
                return changed + 1_000_000_000
            }
        }
        #expect(try folder.names(in: "").sorted() == ["abook.sqlite", "abook.sqlite-wal"])
        let later = try #require(FileStatus(database.appendingToName("-wal"))).changed + 20_000_000
        let whole = try copy { later }
        #expect(try folder.names(in: "").contains(whole.path.appendingToName("-wal").lastComponent?.string ?? ""))
    }

    @Test func `A picture takes the place of its file URI, and of nothing else`() throws {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        try folder.write(picture, to: "a b.jpg")
        let head = "BEGIN:VCARD\r\nVERSION:3.0\r\n"
        let card =
            "\(head)PHOTO;TYPE=JPEG;VALUE=uri:file://\(folder.pathString)/a%20b.jpg\r\nNOTE:PHOTO\r\nEND:VCARD\r\n"
        let photos = LocalPhotos(folders: [folder.path])
        let text = String(decoding: photos.inlined(Array(card.utf8)), as: UTF8.self)
        #expect(text == "\(head)PHOTO;TYPE=JPEG:data:image/jpeg;base64,/9j/4A==\r\nNOTE:PHOTO\r\nEND:VCARD\r\n")
        for url in ["file://other/a.jpg", "https://example.org/a.jpg", "file:a.jpg", "a.jpg"] {
            let card = Array("\(head)PHOTO;VALUE=uri:\(url)\r\nEND:VCARD\r\n".utf8)
            #expect(photos.inlined(card) == card)
        }
        #expect(photos.failures == nil)
    }

    @Test func `A URI does not carry a picture of another folder into the mirror`() throws {
        try folder.write([0xFF, 0xD8, 0xFF, 0xE0], to: "own.jpg")
        let photos = LocalPhotos(folders: [folder.path.appending("evolution")])
        for name in ["own.jpg", "evolution/../own.jpg", "evolution/%2E%2E/own.jpg", "evolution-2/own.jpg"] {
            let line = "PHOTO;VALUE=uri:file://\(folder.pathString)/\(name)"
            let card = Array("BEGIN:VCARD\r\nVERSION:3.0\r\n\(line)\r\nEND:VCARD\r\n".utf8)
            #expect(photos.inlined(card) == card)
        }
        #expect(photos.failures?.hasPrefix("4 photos cannot be read: ") == true)
    }
}
