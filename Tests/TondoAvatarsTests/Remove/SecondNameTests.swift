import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// A file of a book with two names (hard links).
@Suite struct SecondNameTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    private func link(_ name: String, to file: String) throws {
        try FileManager.default.linkItem(
            atPath: people.path.string + "/" + file, toPath: people.path.string + "/" + name)
    }

    private func ids() throws -> [String] { try people.read().contents.contacts.map(\.id).sorted() }

    private func identity(_ name: String) -> FileIdentity? { FileIdentity(people.path.pushing(FilePath(name))) }

    @Test func `A contact with two names is one contact`() throws {
        try link("zoe.vcf", to: "ada.vcf")
        try link("office/ada.vcf", to: "ada.vcf")
        #expect(try ids() == ["ada", "bo", "carl", "dora", "emi"])
    }

    @Test func `A removed contact is gone under each name, and comes back under each`() throws {
        try link("zoe.vcf", to: "ada.vcf")
        try link("office/ada.vcf", to: "ada.vcf")
        #expect(try people.remove("ada").map(\.problem) == [nil])
        #expect(try ids() == ["bo", "carl", "dora", "emi"])
        #expect(try people.folder.names(in: "people") == ["all.vcf", "office"])
        #expect(try people.restore("ada") == .restored)
        #expect(try people.folder.bytes("people/zoe.vcf") == VCardFolder.card("ada"))
        #expect(identity("zoe.vcf") == identity("ada.vcf"))
        #expect(identity("office/ada.vcf") == identity("ada.vcf"))
    }

    @Test func `A file of several contacts changes under each name`() throws {
        try link("office/every.vcf", to: "all.vcf")
        #expect(try people.remove("dora").map(\.problem) == [nil])
        #expect(try ids() == ["ada", "bo", "carl", "emi"])
        #expect(identity("office/every.vcf") == identity("all.vcf"))
        #expect(try people.folder.names(in: "people/office") == ["bo.vcf", "every.vcf"])
        #expect(try people.restore("dora") == .restored)
        #expect(identity("office/every.vcf") == identity("all.vcf"))
        #expect(try ids() == ["ada", "bo", "carl", "dora", "emi"])
    }

    @Test func `A name that is no item, or outside the book, keeps what it has`() throws {
        try link("ada.bak", to: "ada.vcf")
        try link("../outside.vcf", to: "all.vcf")
        try people.remove("ada", "emi")
        #expect(try people.folder.bytes("people/ada.bak") == VCardFolder.card("ada"))
        #expect(try people.folder.bytes("outside.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
        #expect(try ids() == ["bo", "carl", "dora"])
    }

    @Test func `A second name to which a link leads goes, too`() throws {
        try people.folder.write(VCardFolder.card("cy"), to: "people/versions/cy-2")
        try link("versions/cy-3", to: "versions/cy-2")
        try people.folder.link("people/cy.vcf", to: "versions/cy-3")
        try people.folder.link("people/di.vcf", to: "versions/cy-2")
        #expect(try ids().contains("cy"))
        #expect(try people.remove("cy").map(\.problem) == [nil])
        #expect(try ids() == ["ada", "bo", "carl", "dora", "emi"])
    }

    @Test func `Another book is read once, whatever its names`() throws {
        try people.folder.write(Array(#"[{"first_name":"A","id":"a"}]"#.utf8), to: "books/a.json")
        try FileManager.default.linkItem(
            atPath: people.folder.path.string + "/books/a.json", toPath: people.folder.path.string + "/books/b.json")
        try people.folder.link("books/0.json", to: "a.json")
        let read = try people.read("books")
        #expect(read.book.files == ["a.json"])
        #expect(read.contents.contacts.count == 1)
        let removal = BookChange(read.book, read.contents, trash: people.trash)
        #expect(removal.remove(read.contents.contacts, now: 5).map(\.problem) == [nil])
        #expect(try people.read("books").contents.contacts.isEmpty)
    }
}
