import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ContactRestorationTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    @Test func `A contact returns to its place, and the trash forgets it`() throws {
        try people.remove("dora")
        #expect(try people.restore("dora") == .restored)
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
        #expect(people.removed == [])
    }

    @Test func `A deleted file returns with its permissions`() throws {
        let file = people.path.pushing("office/bo.vcf").string
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: file)
        try people.remove("bo")
        #expect(try people.restore("bo") == .restored)
        #expect(try people.folder.bytes("people/office/bo.vcf") == VCardFolder.card("bo"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o664)
    }

    @Test func `What took the place of a deleted file stays`() throws {
        try people.remove("ada")
        try people.folder.write(VCardFolder.card("zoe"), to: "people/ada.vcf")
        #expect(try people.restore("ada") == .restored)
        #expect(try people.folder.bytes("people/ada.vcf") == VCardFolder.cards(["zoe", "ada"]))
    }

    @Test func `Where the folder is gone, the trash keeps the contact`() throws {
        try people.remove("bo")
        try FileManager.default.removeItem(atPath: people.path.string + "/office")
        #expect(throws: ChangeProblem.noFolder(people.path.appending("office"))) { try people.restore("bo") }
        #expect(people.removed == ["bo"])
    }

    @Test func `A link in the place of the folder is not followed`() throws {
        try people.remove("bo")
        try FileManager.default.removeItem(atPath: people.path.string + "/office")
        try people.folder.makeFolder("elsewhere")
        try people.folder.link("people/office", to: "../elsewhere")
        let file = people.path.pushing("office/bo.vcf")
        #expect(throws: ChangeProblem.outside(file)) { try people.restore("bo") }
        #expect(try people.folder.names(in: "elsewhere") == [])
        try people.folder.write(VCardFolder.card("zoe"), to: "elsewhere/bo.vcf")
        #expect(throws: ChangeProblem.outside(file)) { try people.restore("bo") }
        #expect(try people.folder.bytes("elsewhere/bo.vcf") == VCardFolder.card("zoe"))
    }

    @Test func `After a removal that was killed halfway, the contact is not doubled`() throws {
        try people.remove("dora")
        try people.folder.write(VCardFolder.cards(["carl", "dora", "emi"]), to: "people/all.vcf")
        #expect(try people.restore("dora") == .wasThere)
        #expect(try people.folder.bytes("people/all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
        #expect(people.removed == [])
    }

    @Test func `A file that is no book any more is left alone`() throws {
        try people.folder.write(Array(#"[{"first_name":"A","id":"a"}]"#.utf8), to: "book.json")
        let read = try people.read("book.json")
        _ = BookChange(read.book, read.contents, trash: people.trash).remove(read.contents.contacts, now: 5)
        try people.folder.write(Array("something else".utf8), to: "book.json")
        #expect(throws: ChangeProblem.self) { try people.restore(read.contents.contacts[0].id) }
        #expect(try people.folder.bytes("book.json") == Array("something else".utf8))
        #expect(people.removed.count == 1)
    }
}
