package import SystemPackage
package import TondoContacts

/// A book with all of its contacts.
package struct ReadBook: Sendable {
    package let book: AddressBook
    package let contents: BookContents
    package let photos: BookPhotos
    /// Entries that are groups, and no contacts, as they are in their files.
    package let groupCards: [Contact]
    /// What messages call a book that came through a pipe.
    private let name: FilePath?

    /// Throws if the book, or its only file, is unreadable. Blocks. `fetched`: see `AvatarPipeline.Options`.
    package init(
        _ path: FilePath, owners: Identities.Owners = [:], fetched: FilePath? = nil, piped: PipedBook? = nil
    ) throws(ContactsError) {
        name = piped?.name
        book = try AddressBook(piped?.path ?? path, owners: owners)
        let scan = try book.scan()
        contents = book.contents(scan)
        groupCards = scan.groupCards
        photos = BookPhotos(book, scan: scan, fetched: fetched)
    }

    /// Unreadable files and contacts, with paths relative to the working folder, like the user's path of the book.
    package var failures: [ContactFailure] {
        contents.failures.map { failure in
            ContactFailure(
                file: shown(failure.file), line: failure.line, path: failure.path, error: failure.error)
        }
    }

    /// Whether files or folders of the book exist and could not be opened, or not read completely.
    package var hasUnreadableParts: Bool { contents.failures.contains(where: \.isUnreadablePart) }

    /// The file of a contact, as a path of the same kind.
    package func file(of contact: Contact) -> FilePath? {
        contact.place.map { shown($0.file) }
    }

    private func shown(_ file: FilePath) -> FilePath { name ?? book.folder.pushing(file) }
}
