package import SystemPackage
package import TondoContacts
internal import TondoFiles
internal import TondoImage

/// Writes the contacts of books in Tondo's schema or as vCards, with the bytes of photos and with the properties that have
/// no field: those are read again from the book, contact by contact, so that a large book needs no more memory. Usable
/// from any thread; blocks it.
package struct BookExport: Sendable {
    private let books: [ReadBook]
    private let format: Format

    package enum Format: String, Sendable, CaseIterable { case json, vcard }

    /// What is missing in the export, and why.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ part: String, error: any Error) { description = "\(part): \(error)" }
    }

    package init(_ books: [ReadBook], as format: Format = .json) {
        self.books = books
        self.format = format
    }

    /// One contact of `book` in Tondo's schema, without a line feed. A photo in a file of the book's folder is embedded. An
    /// unreadable photo is left out (inline) or keeps its path (file), and `problem` gets the reason. `properties`: those that
    /// have no field, for a file; nil to show the contact.
    package static func line(
        of contact: Contact, in book: ReadBook, properties: [CardProperty]? = nil, problem: (Problem) -> Void
    ) -> [UInt8] {
        let (whole, photo) = withPhoto(contact, in: book, problem: problem)
        return TondoSchema.line(whole, photo: photo, properties: properties ?? [], withParts: properties != nil)
    }

    /// A card that came from a vCard as it came; any other contact from its fields.
    private static func card(
        _ contact: Contact, in book: ReadBook, from source: SourceCard?, problem: (Problem) -> Void
    ) -> [UInt8] {
        if let card = source?.card { return card }
        let (whole, photo) = withPhoto(contact, in: book, problem: problem)
        return VCardWriter.card(whole, photo: photo, properties: source?.properties ?? [])
    }

    private static func withPhoto(
        _ contact: Contact, in book: ReadBook, problem: (Problem) -> Void
    ) -> (Contact, photo: [UInt8]?) {
        do {
            switch contact.photo {
            case .inline(let inline, _)?: return (contact, try book.photos.bytes(of: inline, of: contact))
            case .file(_, let crop)?:
                let bytes = try bytes(of: contact, in: book)
                var whole = contact
                whole.photo = .inline(.bytes(bytes), crop: crop)
                return (whole, bytes)
            case .remote?, nil: break
            }
        } catch { problem(Problem("photo", error: error)) }
        return (contact, nil)
    }

    /// Passes the whole file to `body`, one contact at a time, each with the number of its book. `groups`: nil if not all
    /// contacts are written; see `TondoSchema.head`.
    package func write(
        _ contacts: [(contact: Contact, number: Int)], groups: [ContactGroup]?, problem: (Contact, Problem) -> Void,
        body: ([UInt8]) throws -> Void
    ) throws {
        let sources = books.map { ContactSources(book: $0.book) }
        if format == .json { try body(Array(TondoSchema.head(groups: groups ?? []).utf8)) }
        for (index, (contact, number)) in contacts.enumerated() {
            let book = books[number]
            var source: SourceCard?
            do { source = try sources[number].source(of: contact) } catch {
                problem(contact, Problem("properties", error: error))
            }
            switch format {
            case .vcard: try body(Self.card(contact, in: book, from: source) { problem(contact, $0) })
            case .json:
                let line = Self.line(of: contact, in: book, properties: source?.properties ?? []) {
                    problem(contact, $0)
                }
                try body(index == 0 ? line : [UInt8(ascii: ","), 0x0A] + line)
            }
        }
        switch format {
        case .json: try body(Array(TondoSchema.tail.utf8))
        case .vcard:
            guard groups != nil else { return }
            for (book, sources) in zip(books, sources) {
                try Self.write(book.groupCards, sources, problem: problem, body: body)
            }
        }
    }

    /// The cards of groups as they came. Groups of other formats are names in the cards of their members.
    private static func write(
        _ groups: [Contact], _ sources: ContactSources, problem: (Contact, Problem) -> Void,
        body: ([UInt8]) throws -> Void
    ) throws {
        for group in groups {
            var source: SourceCard?
            do { source = try sources.source(of: group) } catch { problem(group, Problem("group", error: error)) }
            if let card = source?.card { try body(card) }
        }
    }

    /// Entries that are left out since they are no contacts: groups, unless all contacts are written. JSON has the names of
    /// groups at their members.
    package func groupsLeftOut(withAllContacts isWhole: Bool) -> [Contact] {
        isWhole || format == .json ? [] : books.flatMap(\.groupCards)
    }

    /// Whether the path leads to a file of a book, or to a photo that it names.
    package func isSource(_ path: FilePath) -> Bool {
        guard let identity = FileIdentity(path) else { return false }
        return books.contains { read in
            let files = read.book.files.lazy.map { read.book.folder.pushing($0) }
            return files.contains { FileIdentity($0) == identity }
                || read.contents.contacts.contains { contact in
                    read.photos.file(of: contact).flatMap { FileIdentity($0) } == identity
                }
        }
    }

    /// Whether a file with this path would be one of a book, which would have each contact twice from then on.
    package func wouldBeRead(_ path: FilePath) -> Bool {
        let path = path.followed
        guard let name = path.lastComponent, !name.string.hasPrefix(".") else { return false }
        let folder = path.removingLastComponent().withoutLinks
        return books.contains { read in
            var below = folder
            guard !read.book.isFile, below.removePrefix(read.book.folder.withoutLinks) else { return false }
            let isVisible = below.components.allSatisfy { !$0.string.hasPrefix(".") }
            if VDir.isItem(FilePath(root: nil, components: name)) { return isVisible }
            // Without vCards, the files of the folder itself are the book, whatever their names.
            return below.isEmpty && !read.book.files.isEmpty && !read.book.files.contains { VDir.isItem($0) }
        }
    }

    private static func bytes(of contact: Contact, in book: ReadBook) throws -> [UInt8] {
        guard let photo = contact.photo else { return [] }
        let opened = try book.photos.open(photo, of: contact, limit: Limits().maxMemory)
        return withExtendedLifetime(opened.file) { Array($0.bytes) }
    }
}
