internal import SystemPackage
internal import TondoContacts

/// One look at a book that was read before: lists it, and reads the files that a change is about, and those that nothing
/// is known of.
struct BookLook {
    let book: AddressBook
    let parts: [FilePath: BookSnapshot.Part]
    /// Files that nothing was known of and that are broken: they may still be being written.
    let doubtful: Set<FilePath>

    /// A file may be there without a change of its own: its folder became readable, another name of it was removed, or
    /// the last card that hid it. `known`: files that were read before; `doubtful`: of the last look, which are believed
    /// now. `isOwn`: the touched file is one of the book, by whatever name it is listed. Blocks. Throws an `unreadable` error when the system was short of something: then the look says nothing.
    init(
        _ path: FilePath, touched: TouchedFiles, known: Set<FilePath>, doubtful former: Set<FilePath>,
        isOwn: Bool = false
    ) throws(ContactsError) {
        let book = try AddressBook(path)
        self.book = book
        // A touched file of the book that is not listed under its own name is listed by a link's.
        let isHidden = isOwn && !book.files.contains { touched.contains($0) }
        let survey = book.survey(of: book.files.filter { isHidden || touched.contains($0) || !known.contains($0) })
        var read = BookSnapshot.Parts(survey)
        book.read(survey) {
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

    /// That a file is listed no longer may come of a shortage, too: what kind of book it is could not be seen.
    private static func check(_ file: FilePath) throws(ContactsError) {
        do {
            try FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking]).close()
        } catch {
            if let errno = error as? Errno, errno.isShortage { throw .unreadable(errno) }
        }
    }
}

extension ContactsError {
    /// The system was short of something, which says nothing about the book.
    var isShortage: Bool {
        if case .unreadable(let errno) = self { errno.isShortage } else { false }
    }
}
