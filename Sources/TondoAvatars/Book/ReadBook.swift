package import SystemPackage
package import TondoContacts

/// A book and everybody in it.
package struct ReadBook: Sendable {
    package let book: AddressBook
    package let contents: BookContents
    package let photos: BookPhotos

    /// Throws when the book, or its only file, cannot be read. Blocks.
    package init(_ path: FilePath, owners: Identities.Owners = [:]) throws(ContactsError) {
        book = try AddressBook(path, owners: owners)
        let survey = try book.survey()
        contents = book.contents(survey)
        photos = BookPhotos(book, survey)
    }

    /// What could not be read, in files as whoever named the book would name them.
    package var failures: [ContactFailure] {
        contents.failures.map { failure in
            ContactFailure(
                file: book.folder.pushing(failure.file), line: failure.line, path: failure.path, error: failure.error)
        }
    }

    /// The file a contact lies in, named alike.
    package func file(of contact: Contact) -> FilePath? {
        contact.place.map { book.folder.pushing($0.file) }
    }
}
