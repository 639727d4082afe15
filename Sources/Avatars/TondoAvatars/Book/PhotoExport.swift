package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// Writes the photos of books into a folder, byte for byte, in files named as their contacts are. A file that is there stays as
/// it is: it may be another program's.
package struct PhotoExport {
    private let books: [ReadBook]
    private let folder: FilePath
    private let replaces: Bool
    /// For each book, names of files, without extension, by the ids of contacts.
    private let names: [[String: FilePath]]

    /// What became of a photo.
    package enum Outcome: Sendable {
        case written
        /// The file has these bytes.
        case isThere
    }

    /// Why a photo was not written.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// `replaces`: files of other content are replaced, unless a book names them.
    package init(_ books: [ReadBook], to folder: FilePath, replaces: Bool = false) {
        self.books = books
        self.folder = folder
        self.replaces = replaces
        // All contacts of the books, so that a choice of them has the same names.
        var names = ContactFileNames()
        self.names = books.map { book in
            Dictionary(
                book.contents.contacts.map { ($0.id, names.name(for: $0)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Where the photo of a contact goes. `number`: which of the books has it.
    package func path(of photo: StoredPhoto, of contact: Contact, inBook number: Int) -> FilePath {
        let name = names[number][contact.id] ?? "contact"
        return folder.appending("\(name.string).\(photo.fileExtension)")
    }

    /// Writes one photo. Throws a `Problem` or `FileError`. Blocks.
    package func write(_ photo: StoredPhoto, to path: FilePath) throws -> Outcome {
        if let status = FileStatus(path) {
            if Self.isEqual(path, status: status, to: photo) { return .isThere }
            guard replaces else { throw Problem(description: "\(path) exists with other content") }
            guard !BookExport(books).isSource(path) else {
                throw Problem(description: "\(path) is a file of the address book")
            }
        }
        do {
            try AtomicFile.write(to: path, permissions: .ownerReadWrite) { target in
                _ = try withExtendedLifetime(photo.file) { try target.writeAll(photo.file.bytes) }
            } install: { temporary in
                if replaces { return try AtomicFile.rename(temporary, to: path) }
                // Another program may have made the file meanwhile.
                try AtomicFile.renameNoReplace(temporary, to: path)
            }
        } catch let error as FileError where error.errno == .fileExists {
            throw Problem(description: "\(path) exists")
        }
        return .written
    }

    private static func isEqual(_ path: FilePath, status: FileStatus, to photo: StoredPhoto) -> Bool {
        guard status.kind == .regular, status.size == photo.byteCount,
            let content = try? path.contents(limit: status.size)
        else { return false }
        return withExtendedLifetime(photo.file) { content.elementsEqual(photo.file.bytes) }
    }
}
