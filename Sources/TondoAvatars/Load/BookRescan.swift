internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// One scan of a book that was read before: lists it, and reads the touched files and the unknown ones.
struct BookRescan {
    let book: AddressBook
    let parts: [FilePath: BookSnapshot.Part]
    /// Unknown files that are broken: they may still be being written.
    let doubtful: Set<FilePath>

    /// A file may appear without a change of its own: its folder became readable, another name of it was removed, or
    /// the last card that hid it. `known`: files that were read before; `doubtful`: of the last scan, which are
    /// accepted now. `isOwn`: the touched file belongs to the book, under any name. Blocks. Throws an `unreadable`
    /// error if the system lacked resources: then the scan is void.
    init(
        _ path: FilePath, touched: TouchedFiles, known: Set<FilePath>, doubtful former: Set<FilePath>,
        isOwn: Bool = false
    ) throws(ContactsError) {
        let book = try AddressBook(path)
        self.book = book
        // A touched file of the book that is not listed under its own name is listed under a link's.
        let isHidden = isOwn && !book.files.contains { touched.contains($0) }
        let twins = Self.files(of: book, withNamesIn: touched)
        let scan = book.scan(
            of: book.files.filter {
                isHidden || touched.contains($0) || twins.contains($0) || !known.contains($0)
            })
        var read = BookSnapshot.Parts(scan)
        book.read(scan) {
            read.add($1, of: $0)
        } body: { _ in
            true
        }
        for file in known.subtracting(book.files) { try Self.check(book.folder.pushing(file)) }
        let failures = book.failures + read.parts.values.lazy.flatMap(\.failures)
        if let shortage = failures.first(where: { $0.error.isShortage }) { throw shortage.error }
        let broken = read.parts.filter { file, part in
            !part.failures.isEmpty && !known.contains(file) && !touched.contains(file) && !former.contains(file)
        }
        doubtful = Set(broken.keys)
        parts = read.parts.filter { broken[$0.key] == nil }
    }

    /// The listed files that were touched under another name (hard links), which need not be that of an item: the kernel
    /// reports the name that was written to.
    private static func files(of book: AddressBook, withNamesIn touched: TouchedFiles) -> Set<FilePath> {
        let identities = Set(
            touched.single.compactMap { name -> FileIdentity? in
                guard let status = FileStatus(book.folder.pushing(name)), status.kind == .regular else { return nil }
                return status.links > 1 ? status.identity : nil
            })
        if identities.isEmpty { return [] }
        return Set(book.files.filter { FileIdentity(book.folder.pushing($0)).map(identities.contains) ?? false })
    }

    /// A file may also be missing from the list for lack of resources: its format could not be determined.
    private static func check(_ file: FilePath) throws(ContactsError) {
        do {
            try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking]).close()
        } catch {
            if let errno = error as? Errno, errno.isShortage { throw .unreadable(errno) }
        }
    }
}

extension ContactsError {
    /// The system lacked resources, so the error does not concern the book.
    var isShortage: Bool {
        if case .unreadable(let errno) = self { errno.isShortage } else { false }
    }
}

/// The files of a book that a change concerns. Pure.
struct TouchedFiles: Sendable {
    /// Paths below the book's folder; nil: all of them.
    private let paths: Set<String>?
    private let names: Set<String>

    static let none = TouchedFiles([])
    static let all = TouchedFiles(nil)

    /// `paths`: of files, or of links to folders; nil for all.
    init(_ paths: Set<String>?) {
        self.paths = paths
        names = Set((paths ?? []).compactMap { FilePath($0).lastComponent?.string })
    }

    var isEmpty: Bool { paths?.isEmpty ?? false }

    var isEverything: Bool { paths == nil }

    /// Each of them, unless all are touched.
    var single: [FilePath] { (paths ?? []).map { FilePath($0) } }

    /// The file itself, or a link that leads to it.
    func contains(_ file: FilePath) -> Bool {
        guard let paths else { return true }
        if paths.isEmpty { return false }
        var path = file
        while !path.isEmpty {
            if paths.contains(path.string) { return true }
            path.removeLastComponent()
        }
        return false
    }

    /// A file with one of these names, in any folder.
    func containsAny(named names: some Sequence<String>) -> Bool {
        paths == nil || names.contains(where: self.names.contains)
    }
}
