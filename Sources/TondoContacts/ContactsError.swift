package import SystemPackage

/// Why a book, or a contact in it, cannot be read. Every case has a stable `code` for scripts.
package enum ContactsError: Error, Hashable, Sendable {
    /// A file or folder cannot be opened.
    case unreadable(Errno)
    /// There are no bytes.
    case empty
    /// The bytes are no address book that is known.
    case notABook
    /// The bytes are something else; in words what they seem to be.
    case otherKind(String)
    /// Written by a later Tondo, in this version of its schema.
    case newerVersion(Int)
    /// More bytes than this one can be read from.
    case tooLarge(limit: Int)
    /// More than one of the limits for books allows; nothing of it was read.
    case overLimit(BookLimits.Subject, found: Int, limit: Int)
    /// So many contacts of a file cannot be read, besides those that were named.
    case moreFailures(Int)
    /// A contact breaks its format's rules.
    case malformed(String)
    /// The contact holds nothing that could be shown.
    case nothingInside
    /// The picture's text is not what it was when the book was read.
    case photoChanged
    /// The picture's text cannot be decoded.
    case photoBroken(String)
    /// The contact is no longer where it was when the book was read.
    case contactMoved
    /// A change of the file is not made, since another contact would be lost or changed; in words what.
    case refused(String)

    package var code: String {
        switch self {
        case .unreadable: "book-unreadable"
        case .empty: "book-empty"
        case .notABook, .otherKind: "book-unknown"
        case .newerVersion: "book-newer"
        case .tooLarge, .overLimit(.file, _, _), .overLimit(.wideFile, _, _), .overLimit(.cards, _, _),
            .overLimit(.values, _, _):
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
    package var description: String {
        switch self {
        case .unreadable(let errno):
            "cannot be read: \(errno.description.prefix(1).lowercased() + errno.description.dropFirst())"
        case .empty: "empty file"
        case .notABook: "not an address book"
        case .otherKind(let kind): "not an address book but \(kind)"
        case .newerVersion(let version): "written by a newer Tondo: version \(version) of its schema"
        case .tooLarge(let limit): "larger than \(limit) bytes"
        case .overLimit(let subject, let found, let limit): Self.words(subject, found: found, limit: limit)
        case .moreFailures(let count): "\(count) more contacts of this file cannot be read"
        case .malformed(let why): "malformed: \(why)"
        case .nothingInside: "holds nothing to show"
        case .photoChanged: "the photo changed since the book was read"
        case .photoBroken(let why): "the photo's text is broken: \(why)"
        case .contactMoved: "the contact is no longer where it was"
        case .refused(let why): "left as it is: \(why)"
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
        }
    }
}
