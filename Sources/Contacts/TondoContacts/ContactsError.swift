package import SystemPackage
internal import TondoFiles

/// Why a book, or a contact in it, cannot be read. Every case has a stable `code` for scripts.
package enum ContactsError: Error, Hashable, Sendable {
    /// A file or folder cannot be opened.
    case unreadable(Errno)
    /// The book's folder is an empty one of another file system than before, as a mount point is without its mount.
    case unmounted
    /// A link leads out of the book's folder, and is not followed.
    case outside
    /// There are no bytes.
    case empty
    /// The bytes are not in a known format of address books.
    case notABook
    /// The bytes are something else; a description of what they seem to be.
    case otherKind(String)
    /// Written by a newer Tondo, with this version of its schema.
    case newerVersion(Int)
    /// A limit for books is exceeded. The subject says what is left out: a file, a contact, or the further contacts.
    case overLimit(BookLimits.Subject, found: Int, limit: Int)
    /// The number of unreadable contacts of a file besides those reported in full.
    case moreFailures(Int)
    /// A contact breaks its format's rules.
    case malformed(String)
    /// The contact contains nothing that could be shown.
    case nothingInside
    /// The photo's text changed since the book was read.
    case photoChanged
    /// The photo's text cannot be decoded.
    case photoBroken(String)
    /// The contact is no longer where it was when the book was read.
    case contactMoved
    /// A change of the file is refused, since another contact would be lost or changed; a description of it.
    case refused(String)

    /// Shared by cases that a script handles alike. Listed in docs/address-books.md.
    package var code: String {
        switch self {
        case .unreadable, .unmounted: "book-unreadable"
        case .outside: "link-outside"
        case .empty: "book-empty"
        case .notABook, .otherKind: "book-unknown"
        case .newerVersion: "book-newer"
        case .overLimit(.file, _, _), .overLimit(.wideFile, _, _), .overLimit(.cards, _, _),
            .overLimit(.values, _, _), .overLimit(.columns, _, _):
            "book-too-large"
        case .overLimit: "contact-too-large"
        case .moreFailures: "contacts-unreadable"
        case .malformed: "contact-malformed"
        case .nothingInside: "contact-empty"
        case .photoChanged: "photo-changed"
        case .photoBroken: "photo-broken"
        case .contactMoved: "contact-moved"
        case .refused: "change-refused"
        }
    }
}

extension ContactsError: CustomStringConvertible {
    /// A part of a sentence, which a `ContactFailure` begins with its position.
    package var description: String {
        switch self {
        case .unreadable(let errno): "cannot be read: \(errno.reason)"
        case .unmounted: "cannot be read: its file system is not mounted"
        case .outside: "a link that leads out of the book's folder is not followed"
        case .empty: "empty file"
        case .notABook: "not an address book"
        case .otherKind(let kind): "not an address book but \(kind)"
        case .newerVersion(let version): "written by a newer Tondo: version \(version) of its schema"
        case .overLimit(let subject, let found, let limit): Self.words(subject, found: found, limit: limit)
        case .moreFailures(let count): "\(count) more contacts of this file cannot be read"
        case .malformed(let why): "malformed: \(why)"
        case .nothingInside: "holds no contact data"
        case .photoChanged: "the photo changed since the book was read"
        case .photoBroken(let why): "the photo's text is broken: \(why)"
        case .contactMoved: "the contact is no longer where it was"
        case .refused(let why): "not changed: \(why)"
        }
    }

    private static func words(_ subject: BookLimits.Subject, found: Int, limit: Int) -> String {
        switch subject {
        case .file: "a file of \(found) bytes; the limit is \(limit)"
        case .wideFile: "a UTF-16 file of \(found) bytes; the limit is \(limit) unless it holds vCards"
        case .card: "a contact of \(found) bytes; the limit is \(limit)"
        case .field: "a field of \(found) bytes; the limit is \(limit)"
        case .cards: "\(found) contacts in one file; the first \(limit) are read"
        case .values: "\(found) or more values in one file; the limit is \(limit)"
        case .columns: "a table of \(found) columns; the limit is \(limit)"
        }
    }
}

/// An unreadable contact, or a whole unreadable file of a book, and its position.
package struct ContactFailure: Error, Hashable, Sendable {
    /// Relative to the book's folder, or the name of the book's only file.
    package let file: FilePath
    /// Counted from 1; nil for a whole file.
    package let line: Int?
    /// The position in the file's structure: a JSON Pointer (RFC 6901) or a distinguished name; nil if the line is
    /// enough.
    package let path: String?
    /// What is wrong with the contact or file.
    package let error: ContactsError

    package init(file: FilePath, line: Int?, path: String? = nil, error: ContactsError) {
        self.file = file
        self.line = line
        self.path = path
        self.error = error
    }
}

extension ContactFailure: CustomStringConvertible {
    /// `FILE:LINE: PATH: REASON`, as compilers write it.
    package var description: String {
        [line.map { "\(file):\($0)" } ?? "\(file)", path, "\(error)"].compactMap { $0 }.joined(separator: ": ")
    }
}
