import Dispatch
import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ContactRemovalTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    private func mode(_ path: FilePath) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.posixPermissions] as? Int
    }

    @Test func `Only that card's bytes go`() throws {
        let outcomes = try people.remove("dora")
        #expect(outcomes[0].problem == nil)
        #expect(outcomes[0].isDeleted == false)
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "emi"]))
        #expect(people.removed == ["dora"])
    }

    @Test func `A file keeps its permissions, and only the owner may look into the trash`() throws {
        let file = people.path.appending("all.vcf")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.string)
        try people.remove("emi")
        #expect(try mode(file) == 0o640)
        #expect(try mode(people.trash.folder) == 0o700)
        #expect(try mode(people.trash.contents().items[0].path) == 0o600)
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "all.vcf", "office"])
    }

    @Test func `A file of a folder goes with its last contact`() throws {
        let outcomes = try people.remove("ada", "carl", "dora", "emi")
        #expect(outcomes.map(\.isDeleted) == [true, true, true, true])
        #expect(try people.folder.names(in: "people") == ["office"])
        #expect(people.removed == ["ada", "carl", "dora", "emi"])
    }

    @Test func `A book of one file stays, empty`() throws {
        let read = try people.read("people/ada.vcf")
        let outcomes = BookChange(read.book, read.contents, trash: people.trash).remove(
            read.contents.contacts, now: 5)
        #expect(outcomes.map(\.isDeleted) == [false])
        #expect(try people.folder.bytes("people/ada.vcf") == [])
    }

    @Test func `A trial changes nothing and reports the same`() throws {
        let read = try people.read()
        let removal = BookChange(read.book, read.contents, trash: people.trash)
        let outcomes = removal.remove(people.contacts("ada", "emi", of: read), now: 5, isTrial: true)
        #expect(outcomes.map(\.isDeleted) == [true, false])
        #expect(try people.folder.names() == ["people"])
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
    }

    @Test func `A contact that changed since it was read is left alone`() throws {
        let read = try people.read()
        let changed = VCardFolder.cards(["dora"]) + Array("BEGIN:VCARD\r\nUID:emi\r\nFN:Emilia\r\nEND:VCARD\r\n".utf8)
        try people.folder.write(changed, to: "people/all.vcf")
        let outcomes = BookChange(read.book, read.contents, trash: people.trash).remove(
            people.contacts("emi", "bo", of: read), now: 5)
        let file = people.path.appending("all.vcf")
        #expect(outcomes.map(\.problem) == [.book(file, .contactMoved), nil])
        #expect(try people.folder.bytes("people/all.vcf") == changed)
        #expect(people.removed == ["bo"])
    }

    @Test func `A link that leads out of the folder is not followed`() throws {
        let read = try people.read()
        let outside = try people.folder.write(VCardFolder.card("ada"), to: "outside.vcf")
        try FileManager.default.removeItem(atPath: people.path.string + "/ada.vcf")
        try people.folder.link("people/ada.vcf", to: outside.string)
        let outcomes = BookChange(read.book, read.contents, trash: people.trash).remove(
            people.contacts("ada", of: read), now: 5)
        #expect(outcomes.map(\.problem) == [.outside(people.path.appending("ada.vcf"))])
        #expect(try people.folder.bytes("outside.vcf") == VCardFolder.card("ada"))
        #expect(people.removed == [])
    }

    @Test func `A book that is a link stays one`() throws {
        try people.folder.link("link.vcf", to: "people/all.vcf")
        let read = try people.read("link.vcf")
        let outcomes = BookChange(read.book, read.contents, trash: people.trash).remove(
            people.contacts("carl", of: read), now: 5)
        #expect(outcomes[0].problem == nil)
        #expect(FileStatus.isLink(people.folder.path.appending("link.vcf")))
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["dora", "emi"]))
    }

    @Test func `Without a trash nothing is removed`() throws {
        try people.folder.write([], to: "data")
        let outcomes = try people.remove("carl")
        #expect(outcomes[0].problem?.isInputOutput == true)
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
    }

    @Test func `Concurrent removals lose no other contact`() throws {
        let names = (100..<124).map { "p\($0)" }
        try people.folder.write(VCardFolder.cards(names), to: "people/all.vcf")
        DispatchQueue.concurrentPerform(iterations: names.count) { index in
            // The second process finds the contact elsewhere, and reads the book again.
            while (try? people.remove(names[index]))?.first?.problem != nil {}
        }
        #expect(people.removed == names)
        #expect(try people.folder.names(in: "people") == ["ada.vcf", "office"])
        for name in names.shuffled() { #expect(try people.restore(name) == .restored) }
        let back = try people.read().contents.contacts.map(\.id)
        #expect(back.sorted() == (["ada", "bo"] + names).sorted())
    }

    @Test func `A file whose name is not UTF-8 keeps its contacts, since the trash could not record its path`()
        throws
    {
        let people = try VCardFolder()
        let name = FilePath(
            platformString: Array("zo".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)] + Array(".vcf".utf8CString))
        let file = people.path.appending(try #require(name.lastComponent))
        let descriptor = try FileDescriptor.open(
            file, .writeOnly, options: [.create], permissions: .ownerReadWrite)
        try descriptor.closeAfter { _ = try descriptor.writeAll(VCardFolder.card("zoe")) }
        let outcomes = try people.remove("zoe")
        guard case .strangeName = outcomes.first?.problem else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(try people.read().contents.contacts.contains { $0.id == "zoe" })
        #expect(people.trash.contents().items.isEmpty)
    }
}
