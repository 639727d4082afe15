import SystemPackage
import Testing
import TondoContacts
import TondoTestSupport

@testable import TondoAvatars

/// A vdir `people` with two files of one card each and one of three, and a trash beside it.
struct VCardFolder {
    let folder: TemporaryFolder
    let trash: Trash
    var path: FilePath { folder.path.appending("people") }

    init() throws {
        folder = try TemporaryFolder()
        trash = Trash(folder.path.pushing("data/trash"))
        try folder.write(Self.card("ada"), to: "people/ada.vcf")
        try folder.write(Self.card("bo"), to: "people/office/bo.vcf")
        try folder.write(Self.cards(["carl", "dora", "emi"]), to: "people/all.vcf")
    }

    static func card(_ name: String) -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(name)\r\nFN:Somebody called \(name)\r\nEND:VCARD\r\n".utf8)
    }

    static func cards(_ names: [String]) -> [UInt8] { names.flatMap(card) }

    func read(_ name: String = "people") throws -> ReadBook { try ReadBook(folder.path.pushing(FilePath(name))) }

    func contacts(_ ids: String..., of read: ReadBook) -> [Contact] {
        ids.compactMap { id in read.contents.contacts.first { $0.id == id } }
    }

    /// Takes them out of the folder as it now is. `other`: the same trash, as another process has it.
    @discardableResult
    func remove(_ ids: String..., with other: Trash? = nil) throws -> [BookChange.Outcome] {
        let read = try read()
        let removal = BookChange(read.book, read.contents, trash: other ?? trash)
        return removal.remove(ids.flatMap { contacts($0, of: read) }, now: 5)
    }

    /// The contents of the file with this contact, as a service knows them that read the folder as it now is.
    func known(_ id: String) throws -> BookContents {
        let book = try AddressBook(path)
        var reading = BookReading(BookSnapshot())
        reading.read(book, try book.scan()) { _, _ in true }
        return try #require(reading.snapshot?.contents(with: id))
    }

    /// Takes one out of its file without a look at the others.
    @discardableResult
    func remove(_ id: String, knowing known: BookContents) throws -> BookChange.Outcome {
        let contact = try #require(known.contacts.first { $0.id == id })
        let file = try #require(contact.place?.file)
        let removal = BookChange(AddressBook(path, onlyAt: file), known, trash: trash)
        return try #require(removal.remove([contact], now: 5).first)
    }

    func restore(_ id: String) throws -> ContactRestoration.Outcome {
        let items = Trash.Lookup(trash.contents().items).items(meantBy: id)
        return try ContactRestoration(trash).restore(items[0])
    }

    var removed: [String] { trash.contents().items.map(\.record.id).sorted() }
}
