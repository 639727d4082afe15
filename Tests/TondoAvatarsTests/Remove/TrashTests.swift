import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct TrashTests {
    @Test(arguments: [
        (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/tondo/trash"), (["HOME": "/h"], "/h/.local/share/tondo/trash"),
        (["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/tondo/trash"), (["HOME": "h"], nil), ([:], nil),
    ]) func `It lies where the environment wants data`(environment: [String: String], place: String?) {
        #expect(Trash.standard { environment[$0].map { FilePath($0) } }?.string == place)
    }

    @Test func `A trash that is not there is empty`() throws {
        let contents = Trash("/nowhere/trash").contents()
        #expect(contents.items.isEmpty && contents.failures.isEmpty)
    }

    @Test func `A trash that cannot be listed is not empty, but a failure`() throws {
        // No file system has such a name: another reason than a missing folder, for root, too.
        let trash = Trash(FilePath("/" + String(repeating: "x", count: 300)))
        let failures = trash.contents().failures
        #expect(failures == [.init(path: trash.folder, error: .unreadable(.fileNameTooLong))])
        #expect(trash.obstacle(in: failures) == failures.first)
    }

    @Test func `What a killed process left in it is gone after the next removal`() throws {
        let people = try VCardFolder()
        try people.remove("ada")
        // No process has the largest number (proc(5), pid_max).
        let left = ".tondo-\(Int32.max)-1.tmp"
        try people.folder.write(VCardFolder.card("ada"), to: "data/trash/\(left)")
        try people.remove("bo", with: Trash(people.trash.folder))
        #expect(!people.folder.exists("data/trash/\(left)"))
        #expect(people.removed == ["ada", "bo"])
    }

    /// Alice and Bob in one file and with one UID.
    private func duplicates() throws -> VCardFolder {
        let people = try VCardFolder()
        let cards = ["Alice", "Bob"].map { "BEGIN:VCARD\r\nUID:dup\r\nFN:\($0)\r\nEND:VCARD\r\n" }
        try people.folder.write(Array(cards.joined().utf8), to: "people/dup.vcf")
        return people
    }

    @Test func `An id that several had stays with the one that is in the trash`() throws {
        let people = try duplicates()
        func read() throws -> [Contact] {
            try ReadBook(people.path, owners: people.trash.owners(of: people.path)).contents.contacts
        }
        let ids = try read().map(\.id)
        let bob = try #require(ids.first { $0.hasPrefix("dup-") })
        try people.remove("dup")
        // In another process: it knows of it only by the trash.
        #expect(try read().map(\.id) == ids.filter { $0 != "dup" })
        let left = try read().first { $0.id == bob }
        #expect(left?.name.formatted == "Bob")
        #expect(try people.restore("dup") == .restored)
        #expect(try read().map(\.id) == ids)
        try people.remove("ada")
        #expect(people.trash.owners(of: people.path) == [:])
    }

    @Test func `A file that is not a record is reported, and the others are listed`() throws {
        let people = try VCardFolder()
        try people.remove("ada")
        let stranger = try people.folder.write(Array("{}".utf8), to: "data/trash/stranger.json")
        try people.folder.write(Array("a note".utf8), to: "data/trash/note.txt")
        let contents = people.trash.contents()
        #expect(contents.items.map(\.record.id) == ["ada"])
        #expect(contents.failures == [.init(path: stranger, error: .malformed("not a trash record"))])
    }

    @Test func `What was removed last comes first`() throws {
        let people = try VCardFolder()
        for id in ["ada", "carl", "dora"] { try people.remove(id) }
        #expect(people.trash.contents().items.map(\.record.id) == ["dora", "carl", "ada"])
    }

    @Test func `A clock that was set back does not change what was removed last`() throws {
        let people = try VCardFolder()
        try people.remove("ada")
        let item = try #require(people.trash.contents().items.first)
        let parts = item.name.split(separator: "-")
        // As if the clock had been a year ahead.
        let number = try #require(Int64(parts[1])) + 31_536_000_000_000_000
        let path = people.trash.folder.appending("\(parts[0])-\(number)-\(parts[2]).json")
        try AtomicFile.rename(item.path, to: path)
        try people.remove("carl", with: Trash(people.trash.folder))
        #expect(people.trash.contents().items.map(\.record.id) == ["carl", "ada"])
    }

    @Test func `An item is meant by its file's name, its contact's id or name`() throws {
        let people = try VCardFolder()
        try people.remove("ada", "carl")
        let items = people.trash.contents().items
        for word in [items[0].name, items[0].record.id, items[0].record.name.uppercased()] {
            #expect(Trash.Lookup(items).items(meantBy: word) == [items[0]])
        }
        #expect(Trash.Lookup(items).items(meantBy: "zoe") == [])
    }

    @Test func `Items of a book are those of its file or of its folder`() throws {
        let people = try VCardFolder()
        try people.remove("bo", "carl")
        let items = people.trash.contents().items
        #expect(Trash.items(items, of: people.path).count == 2)
        #expect(Trash.items(items, of: people.path.appending("office")).map(\.record.id) == ["bo"])
        #expect(Trash.items(items, of: people.path.appending("all.vcf")).map(\.record.id) == ["carl"])
        #expect(Trash.items(items, of: people.folder.path.appending("peop")) == [])
    }
}
