internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles

/// An address book on disk: a vCard folder, or one file of any known kind. Reading it blocks; usable from any thread.
package struct AddressBook: Sendable {
    package let path: FilePath
    /// The folder of its files and of the photos they name.
    package let folder: FilePath
    /// Relative to the folder, in a fixed order.
    package let files: [FilePath]
    /// Parts that could not be listed.
    package let failures: [ContactFailure]
    /// The path is that of a file.
    package let isFile: Bool
    /// Further names of its files that are items, too, see `VDir`.
    let otherNames: [FileIdentity: [FilePath]]
    /// The files are those of the book, and not a part of them.
    private let isListed: Bool
    /// See `VDir`; nil for other books.
    let plainFolders: Set<FilePath>?

    /// The limits of each file.
    let limits = BookLimits.standard
    /// The owners of ids that several contacts claim, see `Identities`.
    package let owners: Identities.Owners

    /// Lists the book; reads nothing: the format of a file is detected later from its content.
    package init(_ path: FilePath, owners: Identities.Owners = [:]) throws(ContactsError) {
        self.path = path
        self.owners = owners
        isListed = true
        guard let status = FileStatus(path) else { throw .unreadable(Errno(rawValue: errno)) }
        isFile = status.kind != .folder
        if !isFile {
            let items = try VDir(path)
            folder = path
            failures = items.failures
            if items.items.isEmpty {
                (files, otherNames) = Self.otherBooks(in: path)
                plainFolders = nil
            } else {
                files = items.items
                otherNames = items.otherNames
                plainFolders = items.plainFolders
            }
        } else if let name = path.lastComponent {
            folder = path.removingLastComponent()
            failures = []
            otherNames = [:]
            files = [FilePath(root: nil, components: name)]
            plainFolders = nil
        } else {
            throw .unreadable(.isDirectory)
        }
    }

    /// One file of a book, which is not listed. `file`: relative to the book's folder.
    package init(_ path: FilePath, onlyAt file: FilePath) {
        let isFolder = FileStatus(path)?.kind == .folder
        self.init(folder: isFolder ? path : path.removingLastComponent(), files: [file], book: isFolder ? nil : path)
    }

    /// A part of a book, which is not listed. `book`: the book's file; nil: the book is the folder.
    init(folder: FilePath, files: [FilePath], book: FilePath? = nil) {
        path = book ?? folder
        self.folder = folder
        self.files = files
        owners = [:]
        failures = []
        isFile = book != nil
        otherNames = [:]
        isListed = false
        plainFolders = nil
    }

    /// The whole book.
    func listed() throws(ContactsError) -> AddressBook { isListed ? self : try AddressBook(path, owners: owners) }

    /// A folder without vCards may hold a book of another kind next to its photos. A file with several names is read
    /// once, and rather under its own name than under that of a link.
    private static func otherBooks(in folder: FilePath) -> ([FilePath], [FileIdentity: [FilePath]]) {
        let names = FolderListing(folder, recursive: false).files.filter { hasBook(folder.pushing($0)) }
        var (files, others): (Set<FilePath>, [FileIdentity: [FilePath]]) = ([], [:])
        var seen: Set<FileIdentity> = []
        let isLink = Dictionary(uniqueKeysWithValues: names.map { ($0, FileStatus.isLink(folder.pushing($0))) })
        for name in names.filter({ isLink[$0] == false }) + names.filter({ isLink[$0] == true }) {
            let path = folder.pushing(name)
            guard let status = FileStatus(path) else { continue }
            if seen.insert(status.identity).inserted {
                files.insert(name)
            } else if status.links > 1, let real = path.real {
                others[status.identity, default: []].append(real)
            }
        }
        return (names.filter(files.contains), others)
    }

    /// The whole contents at once. A book of one file throws if it is unreadable; in a folder that is one of the
    /// failures.
    package func contents() throws(ContactsError) -> BookContents { contents(try scan()) }

    /// Reads the files that a survey of the book found.
    package func contents(_ scan: BookScan) -> BookContents {
        var contents = BookContents()
        contents.groups = scan.groups
        contents.contacts.reserveCapacity(scan.total)
        contents.shared = read(scan) { item in
            switch item {
            case .success(let contact): contents.contacts.append(contact)
            case .failure(let failure): contents.failures.append(failure)
            }
            return true
        }
        return contents
    }
}

extension AddressBook {
    /// Whether a file looks like a book. Only files that are not photos are read, and only the beginning of large ones.
    package static func isBook(file path: FilePath) -> Bool {
        guard FileStatus(path)?.kind == .regular, !PhotoFile.maybePhoto(path) else { return false }
        return isVCard(path) || hasBook(path)
    }

    /// Maximum bytes of a file that is read only to see whether it is a book.
    private static let otherLimit = 64 << 20

    private static func hasBook(_ path: FilePath) -> Bool {
        guard let file = try? BookFile(path, limit: otherLimit) else { return false }
        return if case .book = BookFormat.recognise(file.fileBytes) { true } else { false }
    }

    private static func isVCard(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return false
        }
        defer { try? file.close() }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { head in
            guard let count = try? file.read(into: head), count > 0 else { return false }
            return BookFormat.isVCard(UnsafeRawBufferPointer(rebasing: head[..<count]))
        }
    }
}
