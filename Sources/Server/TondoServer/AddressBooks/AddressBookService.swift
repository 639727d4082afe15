internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoAvatars
package import TondoContacts
internal import TondoImage
internal import TondoText

/// The served books: loads and watches them, keeps their contacts in a directory, and publishes every event to the
/// ring. Usable from any thread.
package final class AddressBookService: Sendable {
    /// The contacts whose avatars, names, addresses or places may have changed.
    package enum Change: Equatable, Sendable {
        case contact(String)
        case allContacts
    }

    /// What requests for contacts read. It changes before the event of the change is published.
    package let directory: ContactDirectory
    let unusablePhotos = UnusablePhotos()
    let avatarKeys = AvatarKeys()
    let photoChecks = PhotoChecks()
    let favourites: Favourites
    /// Makes the avatars of all books, and those that requests need.
    package let pipeline: AvatarPipeline
    let broadcaster: EventBroadcaster
    /// Events of all books are handled one at a time.
    let eventQueue = DispatchQueue(label: "tondo.library")
    let state = Mutex(State())

    struct State {
        var loaders: [ContactLoader] = []
        /// The loaders that load avatars: while a book is read again, its old loader stays in use until the new one has
        /// counted the book.
        var drawingLoaders: [Int: ContactLoader] = [:]
        var books: [FilePath] = []
        var progress: [Progress] = []
        /// Another number whenever a book is read again: events of its older loaders are ignored.
        var generations: [Int] = []
        var styles: [AvatarStyle] = []
        var onChange: @Sendable (Change) -> Void = { _ in }
        var onUnreadable: @Sendable (FilePath, UnreadableParts) -> Void = { _, _ in }
        var onBroken: @Sendable (FilePath, FailedContact) -> Void = { _, _ in }
        var onLost: @Sendable (FilePath, LoadError?) -> Void = { _, _ in }
        /// The progress of books that are read again, from before that.
        var former: [Int: Progress] = [:]
        /// Tasks that wait until the books reach a milestone.
        var waiting: [(milestone: Milestone, waiter: Waiter)] = []
        /// The books are known, even if there are none.
        var isBegun = false
        /// The number of reloads. The generations of the books are some of these.
        var generation = 0

        var isStopped = false
        /// The total was published; earlier events are kept until then.
        var hasPublishedTotal = false
        var hasPublishedFinished = false
        var held: [PublishedEvent] = []
        var summary = LoadSummary()

        func isCurrent(_ book: Int, _ generation: Int) -> Bool {
            generations.indices.contains(book) && generations[book] == generation && !isStopped
        }
    }

    /// The delay in seconds of the first retry of an unreadable book.
    private let firstRetry: Double
    private let owners: @Sendable (FilePath) -> Identities.Owners
    /// For which a request waits for the books.
    let longestWait: Duration
    /// For which the response to a removal waits until every list shows it.
    let longestPublication: Duration

    /// `trash`: knows the owners of ids that several contacts of a book claim, see `Identities`. `favourites`: by default none,
    /// and none can be added.
    package init(
        _ pipeline: AvatarPipeline, broadcaster: EventBroadcaster, trash: Trash? = nil,
        favourites: Favourites = Favourites(), firstRetry: Double = 1,
        longestWait: Duration = AddressBookService.longestWait(hasOthers: false),
        longestPublication: Duration = .seconds(10)
    ) {
        self.pipeline = pipeline
        self.broadcaster = broadcaster
        self.favourites = favourites
        self.firstRetry = firstRetry
        self.longestWait = longestWait
        self.longestPublication = longestPublication
        directory = ContactDirectory(
            showsRemote: pipeline.options.fetchedPhotos != nil, unusable: unusablePhotos)
        owners = { book in trash?.owners(of: book) ?? [:] }
    }

    /// `hasOthers`: there are instances with the same books, which a proxy asks after a refusal.
    package static func longestWait(hasOthers: Bool) -> Duration { .seconds(hasOthers ? 1 : 10) }

    /// The revision of the contacts for clients: another text after every change, also in another run of the service.
    var revision: String { revision(directory.revision) }

    /// The revision of the snapshot with this number.
    func revision(_ number: Int) -> String { "\(broadcaster.first)-\(number)" }

    /// A copy of this moment, in the order of the books.
    package var progress: [Progress] { state.withLock { $0.progress } }

    /// The folders and files of the books, in their order.
    package var books: [FilePath] { state.withLock { $0.books } }

    /// Sets `action`, which is called after each change of the directory or of an avatar, before its event is
    /// published. It is called on any thread, and must not block.
    package func onChange(_ action: @escaping @Sendable (Change) -> Void) { state.withLock { $0.onChange = action } }

    /// Sets `action`, which is called when the set of unreadable parts of a book changes; an empty set: all are
    /// readable again. It is called on any thread, and must not block.
    package func onUnreadable(_ action: @escaping @Sendable (FilePath, UnreadableParts) -> Void) {
        state.withLock { $0.onUnreadable = action }
    }

    /// Sets `action`, which is called when a book that was served cannot be read any more, and its contacts are served as
    /// they were; nil: a book that could not be read can be read again. It is called on any thread, and must not block.
    package func onLost(_ action: @escaping @Sendable (FilePath, LoadError?) -> Void) {
        state.withLock { $0.onLost = action }
    }

    /// Sets `action`, which is called with the book for each of the first ten contacts that cannot be read since the book was
    /// counted. Must not block.
    package func onBroken(_ action: @escaping @Sendable (FilePath, FailedContact) -> Void) {
        state.withLock { $0.onBroken = action }
    }

    func changed(_ change: Change) { state.withLock { $0.onChange }(change) }

    /// Begins to load and watch these books, and loads all avatars in these styles. A book that is served already, in the
    /// same styles, is not read again. Contacts of a book that is read again stay until then.
    package func serve(_ books: [FilePath], styles: [AvatarStyle]) {
        let last = state.withLock { Array(zip($0.books, $0.loaders)) }
        let new = books.map { book in
            loader(book, styles, known: last.first { $0.0 == book }?.1.identityOwners ?? [:])
        }
        let change = state.withLock { $0.serve(books, styles: styles, by: new) }
        for loader in change.unwanted { loader.cancel() }
        // Before any event of the new books, so that subscribers drop the contacts of the old ones. At once, since the places in
        // these events are those before any other change.
        eventQueue.sync {
            let gone = directory.begin(
                unchanged: { change.unchanged.contains($0) }, keeping: { change.kept.contains($0) })
            changed(.allContacts)
            // Behind the events that wait for the total: one of them may be of a contact that goes here.
            let isHolding = state.withLock { !$0.held.isEmpty }
            for removal in gone {
                avatarKeys.forget(removal.id)
                if isHolding { publish(event(of: removal)) } else { broadcaster.send(event(of: removal)) }
            }
            followFavourites()
        }
        for waiter in state.withLock({ $0.takeWaiting() }) { waiter.end() }
        for (book, loader) in new.enumerated() where !change.unchanged.contains(book) {
            begin(loader, book: book, generation: change.generation, retry: firstRetry)
        }
    }

    /// `known`: the owners of ids that several contacts of the book claim.
    private func loader(_ book: FilePath, _ styles: [AvatarStyle], known: Identities.Owners = [:]) -> ContactLoader {
        ContactLoader(book, styles: styles, pipeline: pipeline, isWatching: true, changesAtOnce: true) { [owners] in
            known.knowing(owners(book))
        }
    }

    /// `retry`: the delay in seconds after which an unreadable book is retried.
    private func begin(_ loader: ContactLoader, book: Int, generation: Int, retry: Double) {
        loader.load { [self] delivered in
            if let delivered { eventQueue.sync { handle(delivered, of: book, generation) } }
        } note: { [self] note in
            eventQueue.sync { handle(note, of: book, generation) }
        } failed: { [self] error in
            eventQueue.sync { fail(error, book: book, generation: generation) }
            scheduleRetry(for: book, generation, after: retry)
        }
        // Another thread may have begun other books meanwhile, and could not cancel this loader yet.
        if !state.withLock({ $0.isCurrent(book, generation) }) { loader.cancel() }
    }

    /// Retries an unreadable book with back-off, since a synchroniser may create it later. `delay`: seconds.
    private func scheduleRetry(for book: Int, _ generation: Int, after delay: Double) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, let path = state.withLock({ $0.isCurrent(book, generation) ? $0.books[book] : nil }) else {
                return
            }
            let next = min(2 * delay, 60)
            // A new loader would only report once more that the book is unreadable.
            guard (try? AddressBook(path)) != nil else { return scheduleRetry(for: book, generation, after: next) }
            let loader = state.withLock { state -> ContactLoader? in
                guard state.isCurrent(book, generation) else { return nil }
                state.loaders[book] = self.loader(path, state.styles)
                state.progress[book].isLate = state.hasPublishedTotal
                // The total and the end wait for it again.
                if !state.hasPublishedTotal { state.progress[book].endProblem() }
                return state.loaders[book]
            }
            if let loader { begin(loader, book: book, generation: generation, retry: next) }
        }
    }

    /// The book of a contact, and the contact's id in that book.
    package func place(of id: String) -> (book: FilePath, id: String)? {
        guard let book = directory.book(of: id) else { return nil }
        return state.withLock { state in
            state.books.indices.contains(book) ? (state.books[book], Self.ownID(id, book)) : nil
        }
    }

    /// The last loader of a served book.
    func loader(of book: FilePath) -> ContactLoader? {
        state.withLock { state in state.books.firstIndex(of: book).map { state.loaders[$0] } }
    }

    /// The contact's id in its book, if no other book has the same id: the cache does not distinguish books.
    func ownIDOfOneOnly(_ id: String) -> String? {
        guard let place = place(of: id) else { return nil }
        let others = books.indices.lazy.map { Self.servedID(place.id, $0) }.filter { $0 != id }
        return others.contains { directory.book(of: $0) != nil } ? nil : place.id
    }

    /// Stops all loads and ends all waits for them.
    package func stop() {
        let (loaders, waiting) = state.withLock { state in
            defer {
                state.waiting = []
                state.isStopped = true
            }
            state.generations = []
            return (state.loaders + state.drawingLoaders.values, state.waiting)
        }
        for loader in loaders { loader.cancel() }
        for (_, waiter) in waiting { waiter.end() }
    }

    /// The avatars of a contact in the directory, or the placeholder; see `ContactLoader.avatars`. Notes what became of
    /// the photo before it calls `completion`.
    package func avatars(
        of contact: Contact, styles: StyleSet, drawing: AvatarPipeline.Drawing? = nil,
        completion: @escaping @Sendable (ServedAvatars) -> Void
    ) {
        guard let (loader, own) = drawingLoader(of: contact) else { return completion(.failure(.gone)) }
        let check = photoChecks.begin(contact.id)
        loader.avatars(of: own, styles: styles, drawing: drawing) { [self] result in
            let isNew = photoChecks.end(check) {
                styles.styles.first.map { note(result, of: contact, in: $0) } ?? false
            }
            if isNew { changed(.contact(contact.id)) }
            completion(result)
        }
    }

    /// Why they are in the cache or not, see `ContactLoader.explain`.
    func explain(
        _ contact: Contact, styles: StyleSet,
        completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        guard let (loader, own) = drawingLoader(of: contact) else { return completion(.failure(.gone)) }
        loader.explain(own, styles: styles, completion: completion)
    }

    /// With the contact as the loader knows it.
    private func drawingLoader(of contact: Contact) -> (ContactLoader, Contact)? {
        guard let book = directory.book(of: contact.id), let loader = state.withLock({ $0.drawingLoaders[book] })
        else { return nil }
        var own = contact
        own.id = Self.ownID(contact.id, book)
        return (loader, own)
    }

    /// The URL of an avatar; it contains the key, so it is valid for ever.
    func address(of avatar: PreparedAvatar) -> String {
        let styleQuery =
            style(of: avatar).map { AvatarQuery.text(of: $0) }
            ?? "style=\(PercentEncoding.encode(avatar.style, as: .pathSegment))"
        let contact = PercentEncoding.encode(avatar.contact, as: .pathSegment)
        return "/v1/contacts/\(contact)/avatar?\(styleQuery)&v=\(avatar.key)"
    }

    /// The configured style of an avatar.
    func style(of avatar: PreparedAvatar) -> AvatarStyle? {
        state.withLock { state in
            state.styles.first { style in
                style.name == avatar.style && style.scale == avatar.scale
                    && style.style.state.rawValue == avatar.state.rawValue
            }
        }
    }

    /// Ids are unique in a book. Ids of the second and further books get the number of their book as a prefix. Ids of
    /// the first book stay as they are, unless they look like ids of another book.
    static func servedID(_ id: String, _ book: Int) -> String {
        book == 0 && !hasNumber(id) ? id : "\(book + 1)~\(id)"
    }

    /// The contact as the service publishes it, which shares the bytes of the book's.
    static func served(_ contact: PackedContact, _ book: Int) -> PackedContact {
        contact.renamed(servedID(contact.id, book))
    }

    /// The id of the contact in its own book.
    package static func ownID(_ id: String, _ book: Int) -> String {
        guard book > 0 || hasNumber(id), let end = id.firstIndex(of: "~") else { return id }
        return String(id[id.index(after: end)...])
    }

    /// The book of a contact, from the id under which it is served.
    static func book(ofServed id: String) -> Int {
        guard hasNumber(id), let number = Int(id.prefix { $0 != "~" }) else { return 0 }
        return max(number - 1, 0)
    }

    /// Begins with digits and a tilde.
    private static func hasNumber(_ id: String) -> Bool {
        guard let end = id.firstIndex(of: "~"), end > id.startIndex else { return false }
        return id[..<end].utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// The avatars of a contact, and whether they are placeholders.
package typealias ServedAvatars = Result<ContactAvatars, AvatarFailure>

extension AvatarFailure {
    /// The contact was removed during the request.
    package static let gone = AvatarFailure(code: "contact-gone", message: "the contact no longer exists")
}
