import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct SavedAddressesTests {
    private let folder: TemporaryFolder
    private let books: [FilePath]
    private let saved: SavedAddresses

    init() throws {
        folder = try TemporaryFolder()
        for name in ["ada", "bo"] { try folder.write(Self.card(name), to: "people/\(name).vcf", mode: 0o600) }
        try folder.makeFolder("people/empty")
        try folder.write(Self.card("carl"), to: "carl.vcf", mode: 0o600)
        books = [folder.path.appending("people"), folder.path.appending("carl.vcf")]
        saved = try #require(SavedAddresses(of: books, in: folder.path.appending("saved")))
    }

    private static func card(_ name: String) -> String {
        "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\nEMAIL:\(name)@example.org\nEND:VCARD\n"
    }

    /// As if the books had not changed for an hour.
    private func save() throws {
        let stamp = try #require(SavedAddresses.stamp(of: books, now: Int(Date.now.timeIntervalSince1970) + 3_600))
        let contacts = try books.flatMap { try ReadBook($0).contents.contacts }
        saved.save(SavedAddresses.Reading(AddressTable(contacts), failures: 3), at: stamp)
    }

    @Test func `Addresses of unchanged books are those that were saved`() throws {
        #expect(saved.read() == nil)
        try save()
        let reading = try #require(saved.read())
        #expect(reading.table.matches("").map(\.name) == ["ada", "bo", "carl"] && reading.failures == 3)
    }

    @Test(arguments: ["same size", "new file", "new file in an empty folder", "file gone", "book gone", "folder moved"])
    func `A change of a book makes them void`(change: String) throws {
        try save()
        switch change {
        case "same size": try folder.overwrite("people/ada.vcf", Self.card("eve"))
        case "new file": try folder.write(Self.card("eve"), to: "people/eve.vcf", mode: 0o600)
        case "new file in an empty folder": try folder.write(Self.card("eve"), to: "people/empty/eve.vcf", mode: 0o600)
        case "file gone": try folder.remove("people/ada.vcf")
        case "book gone": try folder.remove("carl.vcf")
        default: try folder.move("people", to: "others")
        }
        #expect(saved.read() == nil)
    }

    @Test func `A change while the books are read keeps their addresses from being saved`() throws {
        let stamp = try #require(SavedAddresses.stamp(of: books, now: Int(Date.now.timeIntervalSince1970) + 3_600))
        try folder.overwrite("people/bo.vcf", Self.card("eve"))
        saved.save(SavedAddresses.Reading(AddressTable([]), failures: 0), at: stamp)
        #expect(saved.read() == nil)
    }

    /// Another change within the same tick of the clock would not be seen.
    @Test func `Books that have just changed are not saved`() throws {
        // The file that was written last.
        let last = try #require(FileStatus(books[1])).changed / 1_000_000_000
        #expect(SavedAddresses.stamp(of: books, now: last + 1) == nil)
        #expect(SavedAddresses.stamp(of: books, now: last + 4) != nil)
    }

    @Test func `The addresses of the last choices of books are kept`() throws {
        for number in 1...20 {
            let other = try #require(
                SavedAddresses(of: [FilePath("/\(number)")], in: folder.path.appending("saved")))
            let stamp = try #require(
                SavedAddresses.stamp(of: [books[1]], now: Int(Date.now.timeIntervalSince1970) + 3_600))
            other.save(SavedAddresses.Reading(AddressTable([]), failures: 0), at: stamp)
        }
        try save()
        #expect(try folder.names(in: "saved").count == 16)
        #expect(saved.read() != nil)
    }

    @Test func `Books with links are read each time`() throws {
        try folder.link("people/link.vcf", to: "../carl.vcf")
        #expect(SavedAddresses.stamp(of: books, now: .max / 1_000_000_000) == nil)
    }

    @Test func `Other books have other addresses, and only the user can read them`() throws {
        try save()
        #expect(SavedAddresses(of: [books[0]], in: folder.path.appending("saved"))?.read() == nil)
        let name = try #require(try folder.names(in: "saved").first)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path.string + "/saved/" + name)[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `A damaged file is none`() throws {
        try save()
        let name = "saved/" + (try #require(try folder.names(in: "saved").first))
        let bytes = try folder.bytes(name)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            try folder.write(Array(bytes[..<count]), to: name)
            #expect(saved.read() == nil)
        }
        try folder.write([UInt8](repeating: 0xFF, count: bytes.count), to: name)
        #expect(saved.read() == nil)
    }
}
