import Foundation
import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoServer

@Suite struct FavouritesTests {
    private let folder: TemporaryFolder
    private var file: FilePath { folder.path.appending("state/favourites.json") }

    init() throws { folder = try TemporaryFolder() }

    private func record(_ id: String, name: String = "Ada") -> FavouriteRecord {
        var contact = Contact(id: id)
        contact.name.formatted = name
        return FavouriteRecord(contact, in: "/book")
    }

    private func ids(_ favourites: Favourites) -> [String] { favourites.all.map(\.place.id) }

    /// What a new process finds.
    private var kept: [String] { ids(Favourites(file: file)) }

    @Test func `Favourites are kept in a file that is its owner's alone`() throws {
        let favourites = Favourites(file: file)
        try favourites.add(record("a"))
        try favourites.add(record("b"))
        try favourites.remove(at: record("a").place)
        #expect(ids(favourites) == ["b"] && kept == ["b"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.string)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(FolderListing(file.removingLastComponent(), recursive: false, followsLinks: false).files.count == 1)
    }

    @Test func `Nothing is written for nothing`() throws {
        let favourites = Favourites(file: file)
        try favourites.remove(at: record("a").place)
        #expect(favourites.isEmpty && FileStatus(file) == nil)
        #expect(throws: Favourites.Failure.nowhere) { try Favourites().add(record("a")) }
    }

    @Test func `The file of a newer version stays as it is`() throws {
        let text = #"{"tondoFavourites":2,"favourites":[]}"#
        _ = try folder.write(Array(text.utf8), to: "state/favourites.json")
        let notices = Mutex<[Favourites.Notice]>([])
        let favourites = Favourites(file: file) { notice in notices.withLock { $0.append(notice) } }
        #expect(notices.withLock { $0.count } == 1)
        #expect(throws: (any Error).self) { try favourites.add(record("a")) }
        #expect(try String(contentsOfFile: file.string, encoding: .utf8) == text)
        #expect(FolderListing(file.removingLastComponent(), recursive: false, followsLinks: false).files.count == 1)
    }

    @Test func `A character of a megabyte does not fill the file`() throws {
        let name = "a" + String(repeating: "\u{301}", count: 500_000)
        try Favourites(file: file).add(record("a", name: name))
        #expect(try #require(FileStatus(file)).size < 2_000)
        #expect(kept == ["a"])
    }

    @Test func `Two processes lose none of each other's`() throws {
        let (one, other) = (Favourites(file: file), Favourites(file: file))
        try one.add(record("a"))
        try other.add(record("b"))
        try one.add(record("c"))
        #expect(ids(one) == ["a", "b", "c"] && kept == ["a", "b", "c"])
        try other.remove(at: record("a").place)
        #expect(ids(other) == ["b", "c"])
    }

    @Test func `Threads lose none of each other's`() async throws {
        let favourites = Favourites(file: file)
        await withTaskGroup { group in
            for number in 0..<40 { group.addTask { try? favourites.add(record("\(number)")) } }
        }
        #expect(Set(kept).count == 40 && Set(ids(favourites)) == Set(kept))
    }

    @Test(arguments: [
        "{\"tondoFavourites\":1,\"favourites\":[{\"place\":", "[1, 2]", "not JSON", "\0\0\0\0",
    ])
    func `A file without favourites that can be read is kept aside, and reported`(text: String) throws {
        let notices = Mutex<[Favourites.Notice]>([])
        _ = try folder.write(text, to: "favourites.json")
        let file = folder.path.appending("favourites.json")
        let copy = folder.path.appending("favourites.json.damaged-1")
        let favourites = Favourites(file: file) { notice in notices.withLock { $0.append(notice) } }
        #expect(notices.withLock { $0.count } == 1)
        #expect(try copy.contents(limit: 1_000) == Array(text.utf8))
        try favourites.add(record("a"))
        #expect(ids(Favourites(file: file)) == ["a"])
        // Another one is not written over it.
        _ = try folder.write("{", to: "favourites.json")
        _ = Favourites(file: file)
        #expect(try copy.contents(limit: 1_000) == Array(text.utf8))
        #expect(FileStatus(folder.path.appending("favourites.json.damaged-2")) != nil)
    }

    @Test func `A file that cannot be read is left alone, and nothing is added`() throws {
        let notices = Mutex<[Favourites.Notice]>([])
        try Folder.make(file)
        let favourites = Favourites(file: file) { notice in notices.withLock { $0.append(notice) } }
        #expect(notices.withLock { $0.count } == 1)
        #expect(throws: Favourites.Failure.self) { try favourites.add(record("a")) }
        #expect(FileStatus(file)?.kind == .folder)
    }

    @Test func `Of too many, the oldest of those that are away goes, and is reported`() throws {
        let notices = Mutex<[Favourites.Notice]>([])
        let records = (0..<Favourites.most).map { record("\($0)", name: "") }
        let favourites = Favourites(file: file) { notice in notices.withLock { $0.append(notice) } }
        try favourites.add(records[0])
        let document = FavouriteDocument(tondoFavourites: 1, favourites: records)
        _ = try folder.write(FavouriteDocument.text(document), to: "state/favourites.json")
        #expect(throws: Favourites.Failure.full) { try favourites.add(record("new")) }
        favourites.flush()
        favourites.note(away: [records[7].place, records[9].place])
        try favourites.add(record("new"))
        #expect(notices.withLock { $0 } == [.dropped(book: "/book", id: "7")])
        #expect(favourites.all.count == Favourites.most && ids(favourites).last == "new")
    }

    @Test func `What is known of a favourite follows in the background`() throws {
        let favourites = Favourites(file: file)
        try favourites.add(record("a"))
        var new = record("a", name: "Ada Lovelace")
        new.other = FavouriteRecord.Place(book: "/book", id: "z")
        favourites.update([new])
        #expect(favourites.record(at: FavouriteRecord.Place(book: "/book", id: "z"))?.place.id == "a")
        favourites.flush()
        #expect(Favourites(file: file).all == [new])
    }
}

extension FavouriteDocument {
    fileprivate static func text(_ document: FavouriteDocument) throws -> String {
        String(decoding: try JSONEncoder().encode(document), as: UTF8.self)
    }
}
