import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// Photos that are set in the files of a book, and undone.
@Suite struct PhotoChangeTests {
    private let people: VCardFolder
    private let photo: StorablePhoto

    init() throws {
        people = try VCardFolder()
        photo = try Self.photo(Repository.small)
    }

    private static func photo(_ name: String) throws -> StorablePhoto {
        try [UInt8](try Repository.data(name)).withUnsafeBytes {
            try StorablePhoto(plain: $0, within: .init(maxSide: 720, maxBytes: 100_000))
        }
    }

    @discardableResult
    private func set(
        _ photo: StorablePhoto?, of id: String, isTrial: Bool = false,
        _ interruption: LockedBookFile.Interruption? = nil
    ) throws -> BookChange.Outcome {
        let read = try people.read()
        var change = BookChange(read.book, read.contents, trash: people.trash)
        change.interruption = interruption
        let contact = try #require(people.contacts(id, of: read).first)
        return try #require(change.setPhoto(photo, of: contact, now: 5, isTrial: isTrial))
    }

    private func stored(_ id: String) throws -> [UInt8]? {
        let read = try people.read()
        let contact = try #require(people.contacts(id, of: read).first)
        return try StoredPhoto(of: contact, in: read.photos).map { Array($0.file.bytes) }
    }

    private func bytes(_ name: String) throws -> [UInt8] { try people.folder.bytes("people/" + name) }

    @Test(arguments: [("ada", "ada.vcf"), ("dora", "all.vcf"), ("bo", "office/bo.vcf")])
    func `A photo is set, read back, and undone byte for byte`(_ id: String, _ name: String) throws {
        let before = try bytes(name)
        let outcome = try set(photo, of: id)
        #expect(outcome.problem == nil && outcome.isChanged && outcome.item != nil)
        #expect(try stored(id) == photo.bytes)
        #expect(try people.read().contents.contacts.map(\.id).sorted() == ["ada", "bo", "carl", "dora", "emi"])
        #expect(try people.restore(id) == .restored)
        #expect(try bytes(name) == before)
        #expect(people.removed.isEmpty)
    }

    @Test func `A change is not undone before a later one, even if the contact has the bytes of before`() throws {
        let first = try #require(try set(photo, of: "ada").item)
        let removal = try #require(try set(nil, of: "ada").item)
        let second = try #require(try set(photo, of: "ada").item)
        let restoration = ContactRestoration(people.trash)
        for early in [first, removal] {
            #expect { try restoration.restore(early) } throws: { "\($0)".contains("later change") }
        }
        for item in [second, removal, first] { #expect(try restoration.restore(item) == .restored) }
        #expect(people.removed.isEmpty)
    }

    @Test func `A photo is removed, and a second removal changes nothing`() throws {
        try set(photo, of: "dora")
        let with = try bytes("all.vcf")
        #expect(try set(nil, of: "dora").isChanged)
        #expect(try stored("dora") == nil)
        let again = try set(nil, of: "dora")
        #expect(again.problem == nil && !again.isChanged && again.item == nil)
        // The last change first.
        #expect(try people.restore("dora") == .restored)
        #expect(try bytes("all.vcf") == with)
        #expect(try people.restore("dora") == .restored)
        #expect(try bytes("all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
    }

    @Test func `A trial changes nothing`() throws {
        let outcome = try set(photo, of: "ada", isTrial: true)
        #expect(outcome.problem == nil && outcome.isChanged && outcome.item == nil)
        #expect(try bytes("ada.vcf") == VCardFolder.card("ada"))
        #expect(people.removed.isEmpty)
    }

    @Test func `A change that another program makes meanwhile is kept, and the photo is in it`() throws {
        let path = people.path.appending("all.vcf")
        let outcome = try set(photo, of: "carl") { _ in
            let now = (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string)))) ?? []
            if now.count == VCardFolder.cards(["carl", "dora", "emi"]).count {
                try? Data(now + VCardFolder.card("zoe")).write(to: URL(fileURLWithPath: path.string))
            }
        }
        #expect(outcome.problem == nil)
        #expect(try people.read("people/all.vcf").contents.contacts.map(\.id) == ["carl", "dora", "emi", "zoe"])
        #expect(try stored("carl") == photo.bytes)
    }

    @Test func `A contact that another program changed is refused, and nothing is kept`() throws {
        let read = try people.read()
        let contact = try #require(people.contacts("ada", of: read).first)
        let other = String(decoding: VCardFolder.card("ada"), as: UTF8.self).replacing("END", with: "TEL:1\r\nEND")
        try people.folder.write(Data(other.utf8), to: "people/ada.vcf")
        let outcome = BookChange(read.book, read.contents, trash: people.trash).setPhoto(photo, of: contact, now: 5)
        #expect(outcome?.problem == .book(people.path.appending("ada.vcf"), .contactMoved))
        #expect(try bytes("ada.vcf") == Array(other.utf8))
        #expect(people.removed.isEmpty)
    }

    @Test func `Of a file of which another program changed one contact the others get their photos`() throws {
        let read = try people.read()
        let contacts = read.contents.contacts.filter { $0.place?.file == "all.vcf" }
        #expect(contacts.count > 2)
        let other = String(decoding: try bytes("all.vcf"), as: UTF8.self)
            .replacing("UID:dora\r\n", with: "UID:dora\r\nTEL:1\r\n")
        try people.folder.write(Data(other.utf8), to: "people/all.vcf")
        let photos = BookChange.PhotoBatch(
            photos: Dictionary(uniqueKeysWithValues: contacts.map { ($0.id, (photo, nil)) }), batch: "b", now: 5,
            isTrial: false)
        let outcomes = BookChange(read.book, read.contents, trash: people.trash).setPhotos(photos, of: contacts)
        #expect(outcomes.filter { $0.problem != nil }.map(\.contact.id) == ["dora"])
        #expect(outcomes.map(\.contact.id) == contacts.map(\.id))
        for contact in contacts where contact.id != "dora" { #expect(try stored(contact.id) == photo.bytes) }
        #expect(try String(decoding: bytes("all.vcf"), as: UTF8.self).contains("TEL:1"))
    }

    @Test func `A photo is undone only as long as no other program changed the contact`() throws {
        try set(photo, of: "ada")
        let text = String(decoding: try bytes("ada.vcf"), as: UTF8.self).replacing("END", with: "TEL:1\r\nEND")
        try people.folder.write(Data(text.utf8), to: "people/ada.vcf")
        #expect(throws: ChangeProblem.self) { try people.restore("ada") }
        #expect(try bytes("ada.vcf") == Array(text.utf8))
        #expect(people.removed == ["ada"])
    }

    @Test func `A contact with a photo is removed and restored before the photo is undone`() throws {
        try set(photo, of: "carl")
        let with = try bytes("all.vcf")
        try people.remove("carl")
        #expect(try people.restore("carl") == .restored)
        #expect(try bytes("all.vcf") == with)
        #expect(try people.restore("carl") == .restored)
        #expect(try bytes("all.vcf") == VCardFolder.cards(["carl", "dora", "emi"]))
    }

    @Test func `A file with two names changes under both, and back`() throws {
        try FileManager.default.linkItem(
            atPath: people.path.string + "/ada.vcf", toPath: people.path.string + "/zoe.vcf")
        #expect(try set(photo, of: "ada").problem == nil)
        #expect(try bytes("zoe.vcf") == bytes("ada.vcf"))
        #expect(try people.restore("ada") == .restored)
        #expect(try bytes("zoe.vcf") == VCardFolder.card("ada"))
    }

    @Test func `A mirror of tondo sync is refused with its name`() throws {
        let root = people.folder.path.pushing("mirrors/office")
        try people.folder.write(VCardFolder.card("ada"), to: "mirrors/office/cards/ada.vcf")
        for name in ["lock", "state"] { try people.folder.write(Data(), to: "mirrors/office/\(name)") }
        let read = try people.read("mirrors/office/cards")
        let outcome = BookChange(read.book, read.contents, trash: people.trash).setPhoto(
            photo, of: read.contents.contacts[0], now: 5)
        #expect(outcome?.problem == .mirror(root.pushing("cards/ada.vcf"), name: "office"))
        #expect(try people.folder.bytes("mirrors/office/cards/ada.vcf") == VCardFolder.card("ada"))
    }

    @Test func `A JSON book says that it stores no photo`() throws {
        try people.folder.write(Data(#"[{"first_name":"A"}]"#.utf8), to: "book.json")
        let read = try people.read("book.json")
        let outcome = BookChange(read.book, read.contents, trash: people.trash).setPhoto(
            photo, of: read.contents.contacts[0], now: 5)
        #expect("\(try #require(outcome?.problem))".hasSuffix("only vCards can store a photo, not JSON"))
    }

    @Test func `What a killed change left in the trash is no change`() throws {
        let before = try bytes("ada.vcf")
        try set(photo, of: "ada")
        try people.folder.write(Data(before), to: "people/ada.vcf")
        #expect(try people.restore("ada") == .wasThere)
        #expect(people.removed.isEmpty)
    }
}
