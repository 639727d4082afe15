package import SystemPackage
internal import TondoCache
internal import TondoContacts
internal import TondoImage

/// Avatars as files, for programs that know a value of a contact: the first book that has the value decides.
package struct AvatarLookup: Sendable {
    /// What another program asks for.
    package struct Query: Hashable, Sendable {
        let key: ContactKey
        let value: String
        let style: Style

        /// It takes several times as long as an avatar in a list.
        package var isLarge: Bool { style.side > 256 }

        /// More bytes are no address, number or name.
        private static let longest = 1_024

        /// `size`: points; `scale`: pixels a point. Throws `invalid`.
        package init(kind: String, value: String, size: Int, scale: Int) throws(Problem) {
            guard let key = ContactKey(rawValue: kind) else {
                let kinds = ContactKey.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("the kind is one of: \(kinds)")
            }
            guard 1...Self.longest ~= value.utf8.count else {
                throw .invalid("a value has 1 to \(Self.longest) bytes")
            }
            guard Style.sizes.contains(size) else {
                throw .invalid("the size is 1 to \(Style.sizes.upperBound) points")
            }
            guard Style.scales.contains(scale) else { throw .invalid("the scale is 1 to \(Style.scales.upperBound)") }
            self.key = key
            self.value = value
            style = Style(size: size, scale: scale)
        }
    }

    /// Why there is no avatar; each with a text for people.
    package enum Problem: Error, Equatable {
        /// All books were read, and have no such contact, or several with this name.
        case notFound(String)
        case invalid(String)
        /// The contact may be in a book that cannot be read.
        case unreadable(String)
        /// The avatar cannot be drawn or stored.
        case failed(String)

        /// For people.
        package var text: String {
            switch self {
            case .notFound(let text), .invalid(let text), .unreadable(let text), .failed(let text): text
            }
        }
    }

    private let books: WatchedBooks
    private let pipeline: AvatarPipeline

    package init(in books: WatchedBooks, by pipeline: AvatarPipeline) {
        self.books = books
        self.pipeline = pipeline
    }

    /// The path of the avatar's file in the cache, which is drawn if need be. Blocks. `needsPhoto`: `failed` instead of initials.
    package func path(_ query: Query, needsPhoto: Bool = false) throws(Problem) -> FilePath {
        let path = avatar(of: try find(query), style: query.style, needsPhoto: needsPhoto, isFirst: true)
        guard case .failure(let failure) = path, failure.retry == .soon else { return try path.get(or: Problem.init) }
        // The book changed while the photo was read, and the watcher has not reported it yet.
        books.refresh(all: true)
        return try avatar(of: try find(query), style: query.style, needsPhoto: needsPhoto).get(or: Problem.init)
    }

    private typealias Found = (contact: Contact, book: ReadBook)

    private func find(_ query: Query) throws(Problem) -> Found {
        if let found = try findNow(query) { return found }
        books.refresh()
        if let found = try findNow(query) { return found }
        let states = books.all
        if states.isEmpty { throw .unreadable("no address book is configured") }
        if let problem = states.lazy.compactMap(\.problem).first { throw .unreadable(problem) }
        throw .notFound("no contact has this \(query.key.rawValue)")
    }

    private func findNow(_ query: Query) throws(Problem) -> Found? {
        for book in books.all.compactMap(\.book) {
            let found = book.contacts(with: query.value, by: query.key)
            // Another person's face would be worse than none.
            if query.key == .name, found.count > 1 { throw .notFound("\(found.count) contacts have this name") }
            if let contact = ContactLookup.shown(of: found) { return (contact, book.read) }
        }
        return nil
    }

    /// `isFirst`: a photo that moved in its file meanwhile is a failure, not a reason for initials.
    private func avatar(
        of found: Found, style: Style, needsPhoto: Bool, isFirst: Bool = false
    ) -> Result<FilePath, AvatarFailure> {
        Result { () throws(AvatarFailure) in
            let styles = pipeline.styles([style])
            let made = try pipeline.avatars(of: found.contact, in: found.book.photos, styles: styles)
            if let problem = made.problem, isFirst, problem.retry == .soon { throw problem }
            if needsPhoto, made.kind != .photo { throw made.problem ?? .noPhoto }
            guard let avatar = made.avatars.first, avatar.isStored, let cache = pipeline.cache else {
                throw AvatarFailure(code: "not-stored", message: "the avatar is drawn, but the cache cannot store it")
            }
            return cache.file(of: avatar.key)
        }
    }
}

extension AvatarLookup.Problem {
    fileprivate init(_ failure: AvatarFailure) { self = .failed(failure.message) }
}

extension Result where Failure == AvatarFailure {
    fileprivate func get<Other: Error>(or other: (Failure) -> Other) throws(Other) -> Success {
        try mapError(other).get()
    }
}
