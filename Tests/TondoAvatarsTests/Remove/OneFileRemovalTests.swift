import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// Removals by what is known of a contact's file.
@Suite struct OneFileRemovalTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    private func write(_ uid: String, _ name: String, more: String = "", to file: String) throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nFN:\(name)\r\nEND:VCARD\r\n"
        try people.folder.write(Array((card + more).utf8), to: "people/\(file)")
    }

    private func link(_ name: String, to file: String) throws {
        try FileManager.default.linkItem(
            atPath: people.path.string + "/" + file, toPath: people.path.string + "/" + name)
    }

    @Test(arguments: [("ada", "ada.vcf"), ("dora", "all.vcf")])
    func `One file is opened, and that once, whatever links and ids the book has`(id: String, file: String) throws {
        try people.folder.link("people/link.vcf", to: "office/bo.vcf")
        try write("both", "One", to: "one.vcf")
        try write("both", "Other", to: "other.vcf")
        try link("third.vcf", to: "one.vcf")
        let known = try people.known(id)
        let opened = OpenedFiles(in: people.path.string)
        #expect(try people.remove(id, knowing: known).problem == nil)
        #expect(opened.take() == [file: 1])
        #expect(people.removed == [id])
        #expect(try people.read().contents.contacts.contains { $0.id == id } == false)
    }

    @Test func `A file with several names changes under each, and no other file is opened`() throws {
        try link("zoe.vcf", to: "ada.vcf")
        let known = try people.known("ada")
        let opened = OpenedFiles(in: people.path.string)
        #expect(try people.remove("ada", knowing: known).problem == nil)
        #expect(opened.take()["all.vcf"] == nil)
        #expect(try people.folder.names(in: "people") == ["all.vcf", "office"])
    }

    @Test func `A file that another program listed first under another name is not changed under one alone`() throws {
        let known = try people.known("ada")
        try link("aa.vcf", to: "ada.vcf")
        let problem = try people.remove("ada", knowing: known).problem
        #expect(problem?.mayBeElsewhere == true)
        #expect(try people.folder.bytes("people/aa.vcf") == VCardFolder.card("ada"))
        #expect(people.removed == [])
    }

    @Test func `A contact of a book of one file is removed by its place`() throws {
        let book = try AddressBook(people.path.appending("all.vcf"))
        let contents = try book.contents()
        let contact = try #require(contents.contacts.first { $0.id == "dora" })
        let removal = BookChange(AddressBook(book.path, onlyAt: "all.vcf"), contents, trash: people.trash)
        #expect(removal.remove([contact], now: 5).map(\.problem) == [nil])
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "emi"]))
    }

    @Test func `A contact that is elsewhere in its file by now is found there`() throws {
        let known = try people.known("dora")
        try people.folder.write(VCardFolder.cards(["zed", "emi", "dora"]), to: "people/all.vcf")
        #expect(try people.remove("dora", knowing: known).problem == nil)
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["zed", "emi"]))
    }

    @Test(arguments: [
        VCardFolder.card("ada").filter { $0 != UInt8(ascii: "b") }, VCardFolder.card("bo"), [], Array("no book".utf8),
    ]) func `What is another contact or no book by now stays, and the contact may be elsewhere`(now: [UInt8]) throws {
        let known = try people.known("ada")
        try people.folder.write(now, to: "people/ada.vcf")
        #expect(try people.remove("ada", knowing: known).problem?.mayBeElsewhere == true)
        #expect(try people.folder.bytes("people/ada.vcf") == now)
        #expect(people.removed == [])
    }

    @Test func `A contact whose file is gone may be elsewhere`() throws {
        let known = try people.known("ada")
        try people.folder.move("people/ada.vcf", to: "people/zoe.vcf")
        #expect(try people.remove("ada", knowing: known).problem?.mayBeElsewhere == true)
        #expect(people.removed == [])
    }

    @Test func `Of equal contacts with other ids, none stands for another`() throws {
        try write("a", "Same", to: "same.vcf")
        let known = try people.known("a")
        try write("b", "Same", to: "same.vcf")
        #expect(try people.remove("a", knowing: known).problem?.mayBeElsewhere == true)
        #expect(people.removed == [])
    }

    @Test func `One of equal cards is removed at its place, and the trash knows how many stay`() throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:dup\r\nFN:Same\r\nEND:VCARD\r\n"
        try write("dup", "Same", more: card + card, to: "same.vcf")
        let known = try people.known("dup")
        #expect(try people.remove("dup", knowing: known).problem == nil)
        let record = try #require(people.trash.contents().items.first?.record)
        #expect(record.id == "dup" && record.owner != nil && record.duplicates == 2)
        // Now one is gone, which may have been the one that is looked for.
        #expect(try people.remove("dup", knowing: known).problem?.mayBeElsewhere == true)
        #expect(try people.folder.bytes("people/same.vcf") == Array((card + card).utf8))
    }

    @Test func `A contact without the plain id is removed by its own one, and leaves no owner in the trash`() throws {
        try write("both", "One", to: "one.vcf")
        try write("both", "Other", to: "other.vcf")
        let contacts = try people.read().contents.contacts
        let id = try #require(contacts.first { $0.displayName == "Other" }?.id)
        #expect(try people.remove(id, knowing: try people.known(id)).problem == nil)
        #expect(people.trash.contents().items.map(\.record.owner) == [nil])
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office", "one.vcf"])
    }

    @Test func `A file that cannot be written is no sign that the contact is elsewhere`() throws {
        #expect(!ChangeProblem.file(FileError(.write, path: "x", errno: .noSpace)).mayBeElsewhere)
        #expect(!ChangeProblem.book("x", .refused("why")).mayBeElsewhere)
        #expect(!ChangeProblem.changed("x").mayBeElsewhere)
    }

    @Test func `A contact is restored without a look at other files`() throws {
        try people.remove("ada", knowing: try people.known("ada"))
        try people.remove("dora", knowing: try people.known("dora"))
        let opened = OpenedFiles(in: people.path.string)
        #expect(try people.restore("ada") == .restored)
        #expect(opened.take()["all.vcf"] == nil)
        #expect(try people.restore("dora") == .restored)
        #expect(opened.take() == ["all.vcf": 1])
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
    }
}
