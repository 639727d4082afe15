internal import SystemPackage
package import TondoContacts

/// Why a contact's photo is not opened. Every case has a stable `code` for scripts.
package enum PhotoProblem: Error, Equatable, Sendable {
    /// It lies on the net. Tondo fetches nothing.
    case remote(url: String)
    /// The book names a file outside its folder.
    case outside(path: String)
    /// The picture's text in the book.
    case book(ContactsError)

    package var code: String {
        switch self {
        case .remote: "remoteNotAllowed"
        case .outside: "photo-outside"
        case .book(let error): error.code
        }
    }
}

extension PhotoProblem {
    /// The book is being changed, or the system is short of something: the same contact may have its photo in a moment.
    package var isPassing: Bool {
        switch self {
        case .remote, .outside: false
        // The file is being replaced: the book is read again soon.
        case .book(.photoChanged), .book(.unreadable(.noSuchFileOrDirectory)): true
        case .book: isShortage
        }
    }

    /// Says nothing about the photo.
    package var isShortage: Bool {
        if case .book(.unreadable(let errno)) = self { errno.isShortage } else { false }
    }
}

extension PhotoProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .remote(let url): "remote photo, not fetched: \(url.prefix(200))"
        case .outside(let path): "names a file outside the address book's folder: \(path.prefix(200))"
        case .book(let error): error.description
        }
    }
}
