package import SystemPackage
package import TondoContacts
internal import TondoFiles
internal import TondoImage

/// Writes a book's contacts in Tondo's schema, with the bytes of photos. Usable from any thread; blocks it.
package struct BookExport: Sendable {
    private let read: ReadBook

    package init(_ read: ReadBook) { self.read = read }

    /// One contact, without a line feed. A photo in a file of the book's folder is embedded. An unreadable photo is
    /// left out (inline) or keeps its path (file), and `problem` gets the reason.
    package func line(_ contact: Contact, problem: (any Error) -> Void) -> [UInt8] {
        do {
            switch contact.photo {
            case .inline(let inline, _)?:
                return TondoSchema.line(contact, photo: try read.photos.bytes(of: inline, of: contact))
            case .file(_, let crop)?:
                let bytes = try bytes(of: contact)
                var whole = contact
                whole.photo = .inline(.bytes(bytes), crop: crop)
                return TondoSchema.line(whole, photo: bytes)
            case .remote?, nil: break
            }
        } catch { problem(error) }
        return TondoSchema.line(contact, photo: nil)
    }

    /// Passes the whole file to `body`, one contact at a time. `groups`: see `TondoSchema.head`.
    package func write(
        _ contacts: [Contact], groups: [ContactGroup], problem: (Contact, any Error) -> Void,
        body: ([UInt8]) throws -> Void
    ) throws {
        try body(Array(TondoSchema.head(groups: groups).utf8))
        for (index, contact) in contacts.enumerated() {
            let line = line(contact) { problem(contact, $0) }
            try body(index == 0 ? line : [UInt8(ascii: ","), 0x0A] + line)
        }
        try body(Array(TondoSchema.tail.utf8))
    }

    /// Whether the path leads to a file of the book, or to a photo that it names.
    package func isSource(_ path: FilePath) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        let files = read.book.files.lazy.map { read.book.folder.pushing($0) }
        return files.contains { FileIdentity($0) == identity }
            || read.contents.contacts.contains { contact in
                read.photos.file(of: contact).flatMap { FileIdentity($0) } == identity
            }
    }

    private func bytes(of contact: Contact) throws -> [UInt8] {
        guard let photo = contact.photo else { return [] }
        let opened = try read.photos.open(photo, of: contact, limit: Limits().maxMemory)
        return withExtendedLifetime(opened.file) { Array($0.bytes) }
    }
}
