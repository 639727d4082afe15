internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// One scan of a book that was read before: lists it, and reads the touched files and the unknown ones.
struct BookRescan {
    let book: AddressBook
    /// All files of the book in its order, also kept ones.
    let order: [FilePath]
    let parts: [FilePath: BookSnapshot.Part]
    /// Known files that cannot be read now, and why: their contacts stay as they were last read.
    let kept: [FilePath: ContactFailure]
    /// Unknown files that are broken: they may still be being written.
    let doubtful: Set<FilePath>

    /// A file may appear without a change of its own: its folder became readable, another name of it was removed, or
    /// the last card that hid it. `known`: files that were read before; `doubtful`: of the last scan, which are
    /// accepted now. `own`: a touched file that is there and belongs to the book, under any name. `former`: where the book was when it
    /// was read. Blocks. Throws if the system lacked resources, or if this is not the book any more: then the scan is
    /// void.
    init(
        path: FilePath, touched: TouchedFiles, known: Set<FilePath>, doubtful former: Set<FilePath>,
        own: TouchedFiles? = nil, since location: BookLocation? = nil
    ) throws(ContactsError) {
        let book = try AddressBook(path)
        self.book = book
        // A file of the book that is not listed under its own name is listed under a link's.
        let isHidden = own.map { own in !book.files.contains { own.contains($0) } } ?? false
        let sameNamed = Self.files(of: book, withNamesIn: touched)
        let read = BookSnapshot.Parts(
            reading: book.files.filter {
                isHidden || touched.contains($0) || sameNamed.contains($0) || !known.contains($0)
            }, of: book)
        let failures = book.failures + read.parts.values.lazy.flatMap(\.failures)
        if let shortage = failures.first(where: { $0.error.isShortage }) { throw shortage.error }
        let unlisted = try Self.kept(known.subtracting(book.files), of: book)
        let isEmpty = read.parts.values.allSatisfy(\.isEmpty) && unlisted.isEmpty
        if isEmpty, let reason = try Self.absence(of: book, read.parts, since: location) { throw reason }
        let unread = Self.unread(read.parts, known: known)
        let broken = read.parts.filter { file, part in
            !part.failures.isEmpty && !known.contains(file) && !touched.contains(file) && !former.contains(file)
        }
        doubtful = Set(broken.keys)
        parts = read.parts.filter { broken[$0.key] == nil && unread[$0.key] == nil }
        kept = unread.merging(unlisted.compactMapValues(\.self)) { $1 }
        order = unlisted.isEmpty ? book.files : Self.sorted(book.files + unlisted.keys)
    }

    /// The order of `VDir`.
    private static func sorted(_ files: [FilePath]) -> [FilePath] {
        files.map { ($0.bytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
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
}

extension BookRescan {
    /// Those of the files that the book no longer lists which are there and cannot be read, each with its failure; nil
    /// where that of a folder above it says so. A file may also be missing from the list for lack of resources, as its
    /// format could not be determined: that is thrown.
    private static func kept(
        _ unlisted: Set<FilePath>, of book: AddressBook
    ) throws(ContactsError) -> [FilePath: ContactFailure?] {
        let closed = TouchedFiles(folders: book.failures.lazy.filter(\.isUnreadablePart).map(\.file))
        var kept: [FilePath: ContactFailure?] = [:]
        for file in unlisted {
            let obstacle = BookLocation.obstacle(to: book.folder.pushing(file))
            if let obstacle, obstacle.isShortage { throw .unreadable(obstacle) }
            // Removed, or its folder was.
            if obstacle == .noSuchFileOrDirectory || obstacle == .notDirectory { continue }
            if closed.contains(file) {
                kept.updateValue(nil, forKey: file)
            } else if let obstacle {
                kept[file] = ContactFailure(file: file, line: nil, error: .unreadable(obstacle))
            }
        }
        return kept
    }

    /// Known files that are listed and could not be read.
    private static func unread(
        _ parts: [FilePath: BookSnapshot.Part], known: Set<FilePath>
    ) -> [FilePath: ContactFailure] {
        parts.filter { known.contains($0.key) && $0.value.isEmpty }
            .compactMapValues { part in part.failures.first(where: \.isUnreadablePart) }
    }

    /// Why the book, of which nothing could be read, is not the book that was read before; nil: it is empty. A file that
    /// is no book any more, or cannot be read, is as bad as none; one that was emptied is an empty book, as DELETE leaves
    /// it.
    private static func absence(
        of book: AddressBook, _ parts: [FilePath: BookSnapshot.Part], since former: BookLocation?
    ) throws(ContactsError) -> ContactsError? {
        if book.files.isEmpty || book.isFile, let former {
            let location = try BookLocation(book.path)
            if !book.isFile || location.isFile != former.isFile { return location.absence(since: former) }
        }
        guard book.isFile, let part = parts.values.first,
            let failure = part.failures.first(where: { $0.line == nil && $0.path == nil })
        else { return nil }
        return isBlank(book.folder.pushing(failure.file)) ? nil : failure.error
    }

    /// The longest file that is looked through for anything but white space.
    private static let longestBlank = 4_096

    private static func isBlank(_ path: FilePath) -> Bool {
        guard let file = try? BookFile(path, limit: longestBlank) else { return false }
        return FileEdit.isNothing(Array(file.bytes))
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

    /// All files in these folders, and files with these paths; `VDir.whole` stands for the book's folder.
    init(folders: some Sequence<FilePath>) {
        let folders = Set(folders)
        self.init(folders.contains(VDir.whole) ? nil : Set(folders.map(\.string)))
    }

    var isEmpty: Bool { paths?.isEmpty ?? false }

    var isEverything: Bool { paths == nil }

    /// Each of them, unless all are touched.
    var single: [FilePath] { (paths ?? []).map { FilePath($0) } }

    func union(_ other: TouchedFiles) -> TouchedFiles {
        if other.isEmpty { return self }
        guard let paths, let more = other.paths else { return .all }
        return paths.isEmpty ? other : TouchedFiles(paths.union(more))
    }

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
