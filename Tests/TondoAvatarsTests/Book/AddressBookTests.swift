import Glibc
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct AddressBookTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func card(_ name: String, more: String = "") -> [UInt8] {
        Array("BEGIN:VCARD\nVERSION:3.0\nUID:\(name)\nFN:\(name)\n\(more)END:VCARD\n".utf8)
    }

    @Test func `A pipe that brings more than a book may have is refused`() {
        #expect(throws: ContactsError.overLimit(.file, found: 2 << 20, limit: 3 << 19)) {
            try PipedBook("/dev/zero", limit: 3 << 19)
        }
    }

    @Test(arguments: ["/etc", "/etc/passwd", "/nowhere"]) func `Files and folders are no pipes`(path: String) throws {
        #expect(try PipedBook(FilePath(path)) == nil)
    }

    @Test func `A folder is read file by file, in the order of their names`() throws {
        try folder.write(card("c") + card("d"), to: "b.vcf")
        try folder.write(card("a"), to: "a/x.vcf")
        let contents = try AddressBook(folder.path).contents()
        #expect(contents.contacts.map(\.id) == ["a", "c", "d"])
        #expect(contents.contacts[2].place?.file == "b.vcf")
    }

    @Test func `A single file is a book, whatever its name`() throws {
        try folder.write(card("a"), to: "contacts.bak")
        let book = try AddressBook(folder.path.appending("contacts.bak"))
        #expect(book.files == ["contacts.bak"] && book.folder == folder.path && book.isFile)
    }

    @Test func `Equal ids in two files are kept apart`() throws {
        try folder.write(card("a"), to: "1.vcf")
        try folder.write(card("a"), to: "2.vcf")
        let ids = try AddressBook(folder.path).contents().contacts.map(\.id)
        #expect(ids.count == 2 && ids[0] == "a" && ids[1].hasPrefix("a-") && ids[1] != "a-2")
    }

    @Test func `A broken card is a failure among the others`() throws {
        try folder.write(card("a") + Array("BEGIN:VCARD\nVERSION:3.0\nTEL:\nEND:VCARD\n".utf8) + card("b"), to: "x.vcf")
        let contents = try AddressBook(folder.path).contents()
        #expect(contents.contacts.map(\.id) == ["a", "b"])
        #expect(contents.failures == [ContactFailure(file: "x.vcf", line: 6, error: .nothingInside)])
    }

    @Test func `A file of a folder that is no book is a failure, alone it is refused`() throws {
        try folder.write(card("a"), to: "a.vcf")
        let text = try folder.write(Array("a note".utf8), to: "b.vcf")
        let contents = try AddressBook(folder.path).contents()
        #expect(contents.contacts.map(\.id) == ["a"])
        #expect(contents.failures.map(\.file) == ["b.vcf"])
        #expect(throws: ContactsError.otherKind("text without contacts")) {
            try AddressBook(text).contents()
        }
    }

    @Test func `A missing book, an empty one and a pipe report the reason`() throws {
        #expect(throws: ContactsError.unreadable(.noSuchFileOrDirectory)) { try AddressBook("/nowhere/book.vcf") }
        let empty = try folder.write([], to: "empty.vcf")
        #expect(throws: ContactsError.empty) { try AddressBook(empty).contents() }
        let pipe = folder.path.appending("pipe.vcf")
        #expect(mkfifo(pipe.string, 0o600) == 0)
        #expect(throws: ContactsError.unreadable(.invalidArgument)) { try AddressBook(pipe).contents() }
    }

    @Test func `A folder without cards may hold a book of another kind beside its pictures`() throws {
        try folder.write(SmallPhoto.bytes, to: "ada.jpg")
        try folder.write(Array(#"[{"first_name":"Ada"}]"#.utf8), to: "friends.json")
        let book = try AddressBook(folder.path)
        #expect(book.files == ["friends.json"])
        #expect(try book.contents().contacts.map(\.displayName) == ["Ada"])
    }

    @Test func `A file whose bytes say so is a book, whatever its name`() throws {
        let book = try folder.write(card("a"), to: "book.jpg")
        let json = try folder.write(Array(#"[{"first_name":"Ada"}]"#.utf8), to: "friends")
        let photo = try folder.write(SmallPhoto.bytes, to: "photo.vcf")
        let note = try folder.write(Array("a note".utf8), to: "note.vcf")
        #expect([book, json, photo, note].map { AddressBook.isBook(file: $0) } == [true, true, false, false])
    }

    @Test func `A large mapped file is read to its end`() throws {
        let note = "NOTE:" + String(repeating: "words ", count: 1000) + "\n"
        let names = (1000..<1400).map { "p\($0)" }
        let file = try folder.write(names.flatMap { card($0, more: note) }, to: "large.vcf")
        #expect(try AddressBook(file).contents().contacts.map(\.id) == names)
        #expect(try BookFile(file).bytes.count > 1 << 20)
    }

    @Test func `Reading stops when there is enough`() throws {
        let file = try folder.write(card("a") + card("b") + card("c"), to: "x.vcf")
        let book = try AddressBook(file)
        var ids: [String] = []
        book.read(try book.scan()) { item in
            if case .success(let contact) = item { ids.append(contact.id) }
            return ids.count < 2
        }
        #expect(ids == ["a", "b"])
    }
}
