package import SystemPackage
package import TondoContacts

/// An address book on disk: a vCard folder, or one file of any known kind. Reading it blocks; usable from any thread.
package struct AddressBook: Sendable {
    package let path: FilePath
    /// The folder its files, and the pictures they name, lie in.
    package let folder: FilePath
    /// Relative to the folder, in a fixed order.
    package let files: [FilePath]
    /// Parts that could not be listed.
    package let failures: [ContactFailure]
    /// The path is that of a file.
    package let isFile: Bool

    /// What each of its files may hold.
    let limits: BookLimits
    /// Whose the ids are that several contacts have, see `Identities`.
    package let owners: Identities.Owners

    /// Lists the book; reads nothing.
    package init(
        _ path: FilePath, limits: BookLimits = .standard, owners: Identities.Owners = [:]
    ) throws(ContactsError) {
        self.owners = owners
        let found = try BookFiles(path)
        (self.path, self.limits) = (path, limits)
        (folder, failures) = (found.folder, found.failures)
        isFile = FileStatus(path)?.kind != .folder
        files = found.files.isEmpty && !isFile ? Self.otherBooks(in: path) : found.files
    }

    /// A folder without cards may hold a book of another kind beside its pictures.
    private static func otherBooks(in folder: FilePath) -> [FilePath] {
        FolderListing(folder, recursive: false).files.filter { name in
            guard let file = try? BookFile(folder.pushing(name), limit: otherLimit) else { return false }
            if case .book = BookFormat.recognise(file.fileBytes) { return true }
            return false
        }
    }

    /// All of it at once. A book of one file throws when that cannot be read; in a folder it is one of the failures.
    package func contents() throws(ContactsError) -> BookContents {
        contents(try survey())
    }

    /// The same after a survey.
    package func contents(_ survey: BookSurvey) -> BookContents {
        var contents = BookContents()
        contents.groups = survey.groups
        contents.shared = read(survey) { item in
            switch item {
            case .success(let contact): contents.contacts.append(contact)
            case .failure(let failure): contents.failures.append(failure)
            }
            return true
        }
        return contents
    }
}
