internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoAvatars
package import TondoContacts
internal import TondoImage

/// The books that are served: loads and watches them, keeps everybody in a directory, and tells every event to the ring.
/// Usable from any thread.
package final class Library: Sendable {
    /// How far a book is.
    package struct Progress: Equatable, Sendable {
        package var book: Int
        /// Nil before it is counted.
        package var total: Int?
        /// Everybody in it is in the directory.
        package var isRead = false
        package var people = 0
        package var faces = 0
        package var failed = 0
        package var isLoaded = false
        /// It could not be read when the total was told: nothing waits for it, and its people are told like those who
        /// come later.
        var isLate = false
        /// Why it cannot be read at all, until it can; a code for scripts.
        package var problem: String?
        /// The same for people; may name files.
        package var reason: String?
        /// Parts that cannot be read; the rest is served.
        package var unreadable = UnreadableParts()

        /// Not everything of it is served.
        package var isDegraded: Bool { problem != nil || !unreadable.isEmpty }

        /// Somebody came or left after the book was read.
        mutating func add(_ people: Int) {
            self.people += people
            total = total.map { $0 + people }
        }

        mutating func count(_ tally: AvatarTally) {
            faces += tally.ready
            failed += tally.failed
        }
    }

    /// Whose faces, name or addresses may be others than before.
    package enum Change: Equatable, Sendable {
        case contact(String)
        /// Contacts stand in another order, so that lists differ, and another one may own an address that several have.
        case order
        case everybody
    }

    package let directory = Directory()
    let unusablePhotos = UnusablePhotos()
    package let pipeline: AvatarPipeline
    let ring: EventRing
    /// What books tell is taken one at a time.
    private let turn = DispatchQueue(label: "tondo.library")
    let state = Mutex(State())

    struct State {
        var loaders: [ContactLoader] = []
        /// Those that draw faces: while a book is read anew, its last loader, until the new one has counted it.
        var painters: [Int: ContactLoader] = [:]
        var books: [FilePath] = []
        var progress: [Progress] = []
        var styles: [AvatarStyle] = []
        var onChange: @Sendable (Change) -> Void = { _ in }
        var onUnreadable: @Sendable (FilePath, UnreadableParts) -> Void = { _, _ in }
        /// Those who wait until the books are read so far.
        var waiting: [(milestone: Milestone, waiter: Waiter)] = []
        /// There are books to serve, or it is known that there are none.
        var isBegun = false
        /// Raised when books are begun anew: what older loaders tell is no longer listened to.
        var generation = 0

        var isStopped = false
        /// The total was told; what came before it waits.
        var isTold = false
        var held: [LoaderEvent] = []
        var summary = LoadSummary()

        func isCurrent(_ generation: Int) -> Bool { self.generation == generation && !isStopped }
    }

    /// Seconds after which a book that cannot be read is looked for again.
    private let firstLook: Double
    private let owners: @Sendable (FilePath) -> Identities.Owners

    /// `trash`: knows whose the ids are that several people of a book gave themselves, see `Identities`.
    package init(_ pipeline: AvatarPipeline, ring: EventRing, trash: Trash? = nil, firstLook: Double = 1) {
        (self.pipeline, self.ring, self.firstLook) = (pipeline, ring, firstLook)
        owners = { book in trash?.owners(of: book) ?? [:] }
    }

    package var progress: [Progress] { state.withLock { $0.progress } }

    /// The books' folders and files, in their order.
    package var books: [FilePath] { state.withLock { $0.books } }

    /// From now on `action` is called after each change of the directory or a face, before its event is sent. It may come
    /// on any thread, and must not block.
    package func onChange(_ action: @escaping @Sendable (Change) -> Void) { state.withLock { $0.onChange = action } }

    /// From now on `action` is called when other parts of a book than before cannot be read; none of them: all can again. It
    /// may come on any thread, and must not block.
    package func onUnreadable(_ action: @escaping @Sendable (FilePath, UnreadableParts) -> Void) {
        state.withLock { $0.onUnreadable = action }
    }

    func changed(_ change: Change) { state.withLock { $0.onChange }(change) }

    /// Begins to load and watch these books, and prepares everybody's face in these styles. Who was served before out of
    /// the same book stays until it is read again.
    package func serve(_ books: [FilePath], styles: [AvatarStyle]) {
        let last = state.withLock { Array(zip($0.books, $0.loaders)) }
        let loaders = books.map { book in
            loader(book, styles, known: last.first { $0.0 == book }?.1.identityOwners ?? [:])
        }
        let (unwanted, kept, generation) = state.withLock { state in
            let kept = Set(zip(books, state.books).enumerated().filter { $1.0 == $1.1 }.map(\.offset))
            let all = state.loaders + state.painters.values
            defer {
                (state.loaders, state.books) = (loaders, books)
                state.progress = books.indices.map { Progress(book: $0) }
                state.styles = styles
            }
            state.generation += 1
            state.isBegun = true
            (state.isStopped, state.isTold, state.held, state.summary) = (false, false, [], LoadSummary())
            state.painters = state.painters.filter { kept.contains($0.key) }
            let painters = Set(state.painters.values.map { ObjectIdentifier($0) })
            return (all.filter { !painters.contains(ObjectIdentifier($0)) }, kept, state.generation)
        }
        for loader in unwanted { loader.cancel() }
        let gone = turn.sync { directory.begin(keeping: kept.contains) }
        changed(.everybody)
        // Before anything of the new books, so that listeners do not keep people of the old ones.
        turn.sync { for id in gone { ring.send(.contactRemoved(id: id)) } }
        for waiter in state.withLock({ $0.takeWaiting() }) { waiter.end() }
        for (book, loader) in loaders.enumerated() { begin(loader, book, generation, retry: firstLook) }
    }

    /// `known`: whose the ids are that several people of the book gave themselves.
    private func loader(
        _ book: FilePath, _ styles: [AvatarStyle], known: Identities.Owners = [:]
    ) -> ContactLoader {
        ContactLoader(book, styles: styles, pipeline: pipeline, isWatching: true) { [owners] in
            known.knowing(owners(book))
        }
    }

    /// `retry`: seconds after which it is looked for again, should it be unreadable.
    private func begin(_ loader: ContactLoader, _ book: Int, _ generation: Int, retry: Double) {
        loader.load { [self] told in
            if let told { turn.sync { take(told.event, of: book, generation) } }
        } note: { [self] note in
            turn.sync { take(note, of: book, generation) }
        } failed: { [self] error in
            turn.sync { fail(error, book, generation) }
            lookAgain(for: book, generation, after: retry)
        }
        // Other books may have been begun meanwhile, by somebody who could not cancel this yet.
        if !state.withLock({ $0.isCurrent(generation) }) { loader.cancel() }
    }

    /// A book that cannot be read yet may come, from a synchroniser that runs for the first time: it is looked for now and
    /// then, ever more seldom. `delay`: seconds.
    private func lookAgain(for book: Int, _ generation: Int, after delay: Double) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, let path = state.withLock({ $0.isCurrent(generation) ? $0.books[book] : nil }) else {
                return
            }
            let next = min(2 * delay, 60)
            guard (try? AddressBook(path)) != nil else { return lookAgain(for: book, generation, after: next) }
            let loader = state.withLock { state -> ContactLoader? in
                guard state.isCurrent(generation) else { return nil }
                state.loaders[book] = self.loader(path, state.styles)
                state.progress[book].isLate = state.isTold
                return state.loaders[book]
            }
            if let loader { begin(loader, book, generation, retry: next) }
        }
    }

    /// The book somebody is in, and what the book calls them.
    package func place(of id: String) -> (book: FilePath, id: String)? {
        guard let book = directory.book(of: id) else { return nil }
        return state.withLock { state in
            state.books.indices.contains(book) ? (state.books[book], Self.ownID(id, book)) : nil
        }
    }

    /// Whose the ids are that several people of a served book gave themselves.
    func identityOwners(of book: FilePath) -> Identities.Owners {
        state.withLock { state in state.books.firstIndex(of: book).map { state.loaders[$0] } }?.identityOwners ?? [:]
    }

    /// What the book calls somebody, if no other book calls anybody the same: the cache knows no books.
    func ownIDOfOneOnly(_ id: String) -> String? {
        guard let place = place(of: id) else { return nil }
        let others = books.indices.lazy.map { Self.servedID(place.id, $0) }.filter { $0 != id }
        return others.contains { directory.book(of: $0) != nil } ? nil : place.id
    }

    /// Ends all loads; who waits for them waits no longer.
    package func stop() {
        let (loaders, waiting) = state.withLock { state in
            defer { (state.waiting, state.isStopped) = ([], true) }
            state.generation += 1
            return (state.loaders + state.painters.values, state.waiting)
        }
        for loader in loaders { loader.cancel() }
        for (_, waiter) in waiting { waiter.end() }
    }

    /// The faces of somebody in the directory, or the placeholder; see `ContactLoader.faces`.
    package func faces(
        of contact: Contact, styles: StyleSet, drawing: (@Sendable () -> Void)? = nil,
        completion: @escaping @Sendable (ServedFaces) -> Void
    ) {
        guard let book = directory.book(of: contact.id) else { return completion(.failure(.gone)) }
        guard let loader = state.withLock({ $0.painters[book] }) else { return completion(.failure(.gone)) }
        var own = contact
        own.id = Self.ownID(contact.id, book)
        loader.faces(of: own, styles: styles, drawing: drawing, completion: completion)
    }

    /// Where a client finds a face that is ready: an address that is good for ever.
    func address(of avatar: PreparedAvatar) -> String {
        let style = state.withLock { state in
            state.styles.first { style in
                style.name == avatar.style && style.scale == avatar.scale
                    && style.style.state.rawValue == avatar.state.rawValue
            }
        }
        let look = style.map { AvatarQuery.text(of: $0) } ?? "style=\(PathSegment.escaped(avatar.style))"
        return "/v1/contacts/\(PathSegment.escaped(avatar.contact))/avatar?\(look)&v=\(avatar.key)"
    }

    /// Ids are unique in a book; those of the second book and so on are told apart by its number. The first book's stay as
    /// they are, unless they look like another book's.
    static func servedID(_ id: String, _ book: Int) -> String {
        book == 0 && !hasNumber(id) ? id : "\(book + 1)~\(id)"
    }

    /// As its own book calls it.
    package static func ownID(_ id: String, _ book: Int) -> String {
        guard book > 0 || hasNumber(id), let end = id.firstIndex(of: "~") else { return id }
        return String(id[id.index(after: end)...])
    }

    /// Begins with digits and a tilde.
    private static func hasNumber(_ id: String) -> Bool {
        guard let end = id.firstIndex(of: "~"), end > id.startIndex else { return false }
        return id[..<end].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// Somebody's faces, and whether they are the placeholder's.
package typealias ServedFaces = Result<ContactFaces, FaceFailure>

extension FaceFailure {
    /// The contact left while it was asked for.
    package static let gone = FaceFailure(code: "contact-gone", message: "there is no such contact any more")
}
