internal import SystemPackage
package import TondoContacts
internal import TondoFiles

/// Why a contact's photo cannot be opened. Every case has a stable `code` for scripts.
package enum PhotoProblem: Error, Equatable, Sendable {
    /// The photo is at a URL, and `tondo sync` did not fetch it.
    case remote(url: String)
    /// The book names a file outside its folder.
    case outside(path: String)
    /// The path contains a zero byte, where the system would end it: that would name another file.
    case malformedPath(path: String)
    /// The encoded photo in the book.
    case book(ContactsError)

    package var code: String {
        switch self {
        case .remote: "remoteNotAllowed"
        case .outside: "photo-outside"
        case .malformedPath: "photo-path-malformed"
        case .book(let error): error.code
        }
    }
}

extension PhotoProblem {
    /// The book is being changed, or the system lacks resources: the same photo may be readable soon.
    package var isTransient: Bool {
        switch self {
        case .remote, .outside, .malformedPath: false
        // The file is being replaced: the book is read again soon.
        case .book(.photoChanged), .book(.unreadable(.noSuchFileOrDirectory)): true
        case .book: isShortage
        }
    }

    /// The photo is at a URL, and not here: nothing is known to be wrong with it.
    package var isUnfetched: Bool { if case .remote = self { true } else { false } }

    /// The error does not concern the photo itself.
    package var isShortage: Bool {
        if case .book(.unreadable(let errno)) = self { errno.isShortage } else { false }
    }
}

extension PhotoProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .remote(let url): "remote photo, not fetched: \(url.prefix(200))"
        case .outside(let path): "names a file outside the address book's folder: \(path.prefix(200))"
        case .malformedPath(let path): "names a file whose path holds a zero byte: \(Self.shown(path))"
        case .book(let error): error.description
        }
    }

    private static func shown(_ path: String) -> String {
        String(path.prefix(200).map { $0 == "\u{0}" ? "\u{2400}" : $0 })
    }
}
