import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// A book that cannot be read any more, wholly or in part, is as it was last read until it can be read again.
@Suite struct LostBookTests {
    private let book: SmallBook
    private let reader = DispatchQueue(label: "test")
    private let watcher: BookWatcher
    private let recorded = Recorded()

    private final class Recorded: Sendable {
        let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// The book lies in `house/book`, with two cards that were read.
    init() throws {
        book = try SmallBook()
        try book.folder.makeFolder("house")
        try book.folder.move("book", to: "house/book")
        let path = book.folder.path.appending("house").appending("book")
        try book.folder.write(Array(SmallBook.card("ada").utf8), to: "house/book/ada.vcf")
        try book.folder.write(Array(SmallBook.card("bo").utf8), to: "house/book/office/bo.vcf")
        let events = EventQueue { [recorded] in
            if let event = $0?.event { recorded.add(event.text) }
        } note: { [recorded] notice in
            switch notice {
            case .lost(let error): recorded.add(error.map { "lost: \($0)" } ?? "found")
            case .broken(let count, _): recorded.add("\(count) broken")
            case .unreadable(let parts): recorded.add("unreadable: \(parts)")
            default: break
            }
        }
        let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: events, isWatching: true)
        watcher = BookWatcher(
            path: path, snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: events,
            location: try BookLocation(path))
        self.events = events
        #expect(follow(.everything) == .applied)
        _ = texts()
    }

    private let events: EventQueue

    private func follow(_ change: BookChangeFeed.Change) -> BookWatcher.Outcome {
        reader.sync { watcher.apply(change, permit: BlockingPermit(on: reader)) }
    }

    /// The events and notices since the last call.
    private func texts() -> [String] {
        let done = DispatchSemaphore(value: 0)
        events.afterAll { done.signal() }
        done.wait()
        return recorded.texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
    }

    private var place: String { book.folder.pathString + "/house/book" }

    enum Loss: String, CaseIterable {
        case moved, fileInPlace, emptyFileInPlace, parentMoved, fileInPlaceOfParent, loop, loopAbove

        func make(in folder: TemporaryFolder) throws {
            switch self {
            case .moved: try folder.move("house/book", to: "away")
            case .fileInPlace, .emptyFileInPlace:
                try folder.move("house/book", to: "away")
                try folder.write(self == .fileInPlace ? Array("hello\n".utf8) : [], to: "house/book")
            case .parentMoved: try folder.move("house", to: "away")
            case .fileInPlaceOfParent:
                try folder.move("house", to: "away")
                try folder.write([1], to: "house")
            case .loop:
                try folder.move("house/book", to: "away")
                try folder.link("house/book", to: "book")
            case .loopAbove:
                try folder.move("house", to: "away")
                try folder.link("house", to: "house")
            }
        }

        func undo(in folder: TemporaryFolder) throws {
            let isParent = [.parentMoved, .fileInPlaceOfParent, .loopAbove].contains(self)
            let name = isParent ? "house" : "house/book"
            if ![.moved, .parentMoved].contains(self) { unlink(folder.pathString + "/" + name) }
            try folder.move("away", to: name)
        }

        var away: String { [.parentMoved, .fileInPlaceOfParent, .loopAbove].contains(self) ? "away/book" : "away" }
    }

    @Test(arguments: Loss.allCases)
    func `The contacts of a lost book stay, and its loss and its return are reported once`(_ loss: Loss) throws {
        try loss.make(in: book.folder)
        #expect(follow(.everything) == .postponed(125))
        #expect(follow(.files(["ada.vcf"])) == .postponed(250))
        let lost = texts()
        #expect(lost.count == 2 && lost.first?.hasPrefix("broken \(place):0 book-un") == true, "\(lost)")
        #expect(lost.last?.hasPrefix("lost: ") == true)
        // Meanwhile, unnoticed.
        try book.folder.write(Array(SmallBook.card("ada", note: "New").utf8), to: "\(loss.away)/ada.vcf")
        #expect(watcher.check() == nil)
        try loss.undo(in: book.folder)
        // What was no book is read again by its back-off, or by an event.
        #expect(watcher.check() == ([.fileInPlace, .emptyFileInPlace].contains(loss) ? nil : .files([])))
        #expect(follow(.files([])) == .exchanged, "it has to be watched again")
        #expect(texts() == ["unreadable: ", "changed ada", "0 broken", "found"])
        #expect(follow(.everything) == .applied)
    }

    @Test func `A lost book of a relative path is named by its whole path`() {
        let avatars = AvatarLoader(AvatarPipeline(cache: nil), styles: [], events: events, isWatching: true)
        let relative = BookWatcher(
            path: "no-such-book", snapshot: BookSnapshot([:], order: [], listing: []), avatars: avatars, events: events)
        _ = reader.sync { relative.apply(.everything, permit: BlockingPermit(on: reader)) }
        let place = FilePath("no-such-book").absolute
        #expect(texts().first?.hasPrefix("broken \(place):0 book-un") == true)
    }

    @Test(arguments: Loss.allCases)
    func `A loss that no event reports is found by a check`(_ loss: Loss) throws {
        #expect(watcher.check() == nil)
        try loss.make(in: book.folder)
        #expect(watcher.check() == .ended)
        try loss.undo(in: book.folder)
        #expect(watcher.check() == nil)
    }

    @Test func `A change that could not be read is read once the book is back, and no other file`() throws {
        try book.folder.move("house", to: "away")
        #expect(follow(.files(["ada.vcf"])) == .postponed(125))
        try book.folder.write(Array(SmallBook.card("ada", note: "New").utf8), to: "away/book/ada.vcf")
        try book.folder.write(Array(SmallBook.card("bo", note: "New").utf8), to: "away/book/office/bo.vcf")
        try book.folder.move("away", to: "house")
        _ = texts()
        #expect(follow(.files([])) == .exchanged)
        #expect(texts().filter { $0.hasPrefix("changed") } == ["changed ada"])
    }

    @Test func `An emptied folder is an empty book, and a removed file is gone`() throws {
        try book.folder.remove("house/book/office")
        #expect(follow(.files(["office/bo.vcf"])) == .applied)
        #expect(texts().contains("removed bo"))
        try book.folder.remove("house/book/ada.vcf")
        #expect(follow(.everything) == .applied)
        #expect(texts() == ["unreadable: ", "removed ada", "0 broken"])
    }

    @Test func `A card that cannot be read keeps its contact, and is read again once that is possible`() throws {
        // A link that leads to itself cannot be opened, also by root.
        try book.folder.move("house/book/ada.vcf", to: "ada.vcf")
        try book.folder.link("house/book/ada.vcf", to: "ada.vcf")
        #expect(follow(.files(["ada.vcf"])) == .applied)
        let reason = ContactsError.unreadable(.tooManySymbolicLinkLevels)
        #expect(texts() == ["unreadable: ada.vcf: \(reason)", "broken ada.vcf:0 book-unreadable", "1 broken"])
        #expect(watcher.check() == nil)
        unlink(place + "/ada.vcf")
        try book.folder.write(Array(SmallBook.card("ada", note: "New").utf8), to: "house/book/ada.vcf")
        #expect((0..<3).contains { _ in watcher.check() == .files([]) })
        #expect(follow(.files([])) == .applied)
        #expect(texts() == ["unreadable: ", "changed ada", "0 broken"])
    }

    @Test func `A card that is repaired is not counted as broken any more`() throws {
        try book.folder.write(Array("BEGIN:VCARD\r\nFN:A\r\n".utf8), to: "house/book/ada.vcf")
        #expect(follow(.files(["ada.vcf"])) == .applied)
        #expect(texts().last == "1 broken")
        try book.folder.write(Array(SmallBook.card("ada").utf8), to: "house/book/ada.vcf")
        #expect(follow(.files(["ada.vcf"])) == .applied)
        #expect(texts().last == "0 broken")
    }

    @Test func `An empty folder of another file system is no book, and neither is a folder in place of a file`() throws
    {
        let (folder, mount) = (Self.identity(1, 2), Self.identity(7, 2))
        let book = BookLocation(isFile: false, folder: folder)
        #expect(BookLocation(isFile: false, folder: mount).absence(since: book) == .unmounted)
        #expect(BookLocation(isFile: true, folder: folder).absence(since: book) == .notABook)
        let file = BookLocation(isFile: true, folder: folder)
        #expect(book.absence(since: file) == .notABook)
        #expect(book.absence(since: book) == nil && book.absence(since: nil) == nil)
        #expect(book.absence(since: BookLocation(isFile: false, folder: Self.identity(1, 9))) == nil)
    }

    private static func identity(_ device: UInt64, _ inode: UInt64) -> FileIdentity {
        var raw = stat()
        (raw.st_dev, raw.st_ino) = (dev_t(device), ino_t(inode))
        return FileIdentity(raw)
    }

    @Test func `Unreadable parts are looked at less and less often, until others are unreadable`() {
        var checks = UnreadableChecks()
        let isDueAtFirst = checks.isDue([])
        let due = (1...40).filter { _ in checks.isDue(["a"]) }
        #expect(due == [1, 3, 7, 15, 27, 39])
        let isDueForOthers = checks.isDue(["b"])
        let isDueForNone = checks.isDue([])
        #expect(!isDueAtFirst && isDueForOthers && !isDueForNone)
    }
}

/// A book of one file.
@Suite struct LostFileTests {
    private let folder: TemporaryFolder
    private let path: FilePath
    private let known: Set<FilePath> = ["people.vcf"]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path.appending("people.vcf")
        try folder.write(Array((SmallBook.card("ada") + SmallBook.card("bo")).utf8), to: "people.vcf")
    }

    private func rescan(_ text: String) throws -> BookRescan { try rescan(Array(text.utf8)) }

    private func rescan(_ bytes: [UInt8]) throws -> BookRescan {
        let place = try BookLocation(path)
        try folder.write(bytes, to: "people.vcf")
        return try BookRescan(path: path, touched: .all, known: known, doubtful: [], since: place)
    }

    @Test func `A file that becomes something else is lost`() throws {
        #expect(throws: ContactsError.self) { try rescan("The disk is full.\n") }
        #expect(throws: ContactsError.self) { try rescan(String(repeating: "x", count: 9_000)) }
        // As file systems leave a file that was not written to its end.
        #expect(throws: ContactsError.self) { try rescan([UInt8](repeating: 0, count: 64)) }
    }

    @Test(arguments: [
        [], Array("\r\n".utf8), [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0x0A], [0xFF, 0xFE], [0xFE, 0xFF, 0, 0x0A],
        [0x0A, 0, 0x0D, 0], [0, 0x0A],
    ])
    func `A file that is emptied is an empty book, as removing its last contact leaves it`(bytes: [UInt8]) throws {
        let part = try rescan(bytes).parts["people.vcf"]
        #expect(part?.people.isEmpty == true && part?.failures.count == 1)
    }

    @Test func `A file that is removed is lost`() throws {
        try folder.remove("people.vcf")
        #expect(throws: ContactsError.unreadable(.noSuchFileOrDirectory)) {
            try BookRescan(path: path, touched: .all, known: known, doubtful: [])
        }
    }
}

/// The whole loader: a loss without any event of the kernel.
@Suite(.timeLimit(.minutes(10))) struct LostParentTests {
    @Test func `Changes of a book below a folder that was moved away are read, and it is watched again`() async throws {
        let book = try SmallBook()
        try book.folder.write(Array(SmallBook.card("ada").utf8), to: "house/book/ada.vcf")
        var options = AvatarPipeline.Options()
        options.system.bookChecks = .milliseconds(10)
        let loader = ContactLoader(
            book.folder.path.appending("house").appending("book"), styles: [],
            pipeline: AvatarPipeline(cache: nil, options), isWatching: true)
        var (texts, isLoaded) = ([String](), false)
        for try await event in loader.events() {
            if isLoaded { texts.append(event.text.prefix(7).description) }
            if case .finished = event {
                isLoaded = true
                try book.folder.move("house", to: "away")
            }
            if case .contactFailed = event {
                try book.folder.write(Array(SmallBook.card("bo").utf8), to: "away/book/bo.vcf")
                try book.folder.move("away", to: "house")
            }
            if event.text == "changed bo" {
                try book.folder.write(Array(SmallBook.card("cy").utf8), to: "house/book/new/cy.vcf")
            }
            if event.text == "changed cy" { break }
        }
        #expect(texts == ["broken ", "changed", "changed"])
    }
}
