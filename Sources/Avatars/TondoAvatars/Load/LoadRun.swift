internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoContacts
internal import TondoFiles
internal import TondoJobs

/// One load of a book, from the total to the last change. Files are read on a dedicated thread.
final class LoadRun: Sendable {
    private let path: FilePath
    private let events: EventQueue
    private let avatars: AvatarLoader
    private let isWatching: Bool
    /// Changes need not wait for the end of the first pass.
    private let changesAtOnce: Bool
    private let system: PipelineEnvironment
    /// See `AvatarPipeline.Options`.
    private let fetchedPhotos: FilePath?
    private let reader = DispatchQueue(label: "tondo.loader")
    private let isCancelled = Atomic<Bool>(false)
    /// A timer for the next scan after one that failed is set.
    private let isLookingAgain = Atomic<Bool>(false)
    /// A timer for the next look for a book that is not there is set.
    private let isAwaitingReturn = Atomic<Bool>(false)
    private let watch = Mutex<BookChangeFeed?>(nil)
    /// The watch of the folder of fetched photos.
    private let photoWatch = Mutex<BookChangeFeed?>(nil)
    /// Set once all contacts are read.
    private let bookWatcher = Mutex<BookWatcher?>(nil)
    private let known: @Sendable () -> Identities.Owners
    private let failed: @Sendable (LoadError) -> Void

    /// `owners`: called when the book is read, see `AddressBook`. `failed` is called instead of any event if the whole
    /// book is unreadable.
    init(
        _ path: FilePath, _ pipeline: AvatarPipeline, styles: [AvatarStyle], isWatching: Bool, changesAtOnce: Bool,
        events: EventQueue,
        owners: @escaping @Sendable () -> Identities.Owners = { [:] },
        failed: @escaping @Sendable (LoadError) -> Void
    ) {
        self.path = path
        self.events = events
        self.isWatching = isWatching
        self.failed = failed
        self.changesAtOnce = changesAtOnce
        known = owners
        avatars = AvatarLoader(pipeline, styles: styles, events: events, isWatching: isWatching)
        system = pipeline.options.system
        fetchedPhotos = pipeline.options.fetchedPhotos
    }

    func start() { reader.async { self.load() } }

    func show(_ ids: [String]) { avatars.show(ids) }

    func avatars(
        of contact: Contact, styles: StyleSet, drawing: AvatarPipeline.Drawing?,
        completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        avatars.make(contact, styles: styles, drawing: drawing, completion)
    }

    func explain(
        _ contact: Contact, styles: StyleSet,
        _ completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        avatars.explain(contact, styles: styles, completion)
    }

    /// Scans a file at once that this program changed: absolute, without links. `done` is called after all events of
    /// the change: with false if the book is not followed, or could not be scanned now. The watcher finds no difference
    /// then.
    func rescan(at file: FilePath, done: @escaping @Sendable (Bool) -> Void) {
        reader.async { [self] in
            guard !isGone, let bookWatcher = bookWatcher.withLock({ $0 }) else { return done(false) }
            let outcome = bookWatcher.apply(ownChangeOf: file, removed: known(), BlockingPermit(on: reader))
            // A load that is cancelled meanwhile delivers nothing.
            events.afterAll { [self] in done(outcome == .applied && !isGone) }
            goOn(after: outcome, bookWatcher)
        }
    }

    /// The owners of ids that several contacts claim, as far as the book is read.
    var owners: Identities.Owners { bookWatcher.withLock { $0 }?.owners ?? known() }

    /// The file with this contact as it was read last; nil before the book is read.
    func contents(with id: String) -> BookContents? { bookWatcher.withLock { $0 }?.contents(with: id) }

    /// No event follows, except one that is being delivered. Running jobs are finished.
    func cancel() {
        if isCancelled.exchange(true, ordering: .relaxed) { return }
        events.close()
        avatars.cancel()
        watch.withLock { $0.take() }?.close()
        photoWatch.withLock { $0.take() }?.close()
        reader.async { self.events.finish() }
    }

    private var isGone: Bool { isCancelled.load(ordering: .relaxed) }

    private func load() {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            // Before anything is read, so that no change is missed.
            let watch = isWatching ? try newWatch() : nil
            let photoWatch = isWatching ? newPhotoWatch() : nil
            let location = isWatching ? try? BookLocation(path) : nil
            let permit = BlockingPermit(on: reader)
            let contents = try read(permit)
            events.send(.unreadable(contents.unreadable))
            events.send(.broken(contents.failures, contacts: contents.brokenContacts))
            events.send(.read)
            let bookWatcher = contents.snapshot.map {
                BookWatcher(
                    path: path, snapshot: $0, avatars: avatars, events: events, fetchedPhotos: fetchedPhotos,
                    location: location)
            }
            self.bookWatcher.withLock { $0 = bookWatcher }
            if isWatching { follow(photoWatch, isNew: false) }
            let (people, failures, isShort) = (contents.people, contents.failures, contents.needsAnotherLook)
            // The reader stays available for changes by this program.
            avatars.whenDone(on: reader) { [self] in
                if isGone { return }
                var summary = avatars.summary
                summary.contacts = people
                summary.failed += failures
                summary.milliseconds = (clock.now - start) / .milliseconds(1)
                events.send(.finished(summary))
                if watch == nil || bookWatcher == nil { events.finish() }
            }
            guard let watch, let bookWatcher else { return }
            // After the closure above, unless the avatars take long.
            whenDrawn(orLate: changesAtOnce) { [self] in
                subscribe(to: watch, bookWatcher)
                if isShort { lookAgain(after: .milliseconds(125)) }
                checkLater(bookWatcher)
            }
        } catch let error as LoadError { failed(error) } catch { failed(LoadError(error, path)) }
    }

    private func newWatch() throws -> BookChangeFeed {
        try BookChangeFeed(path: path, reader: reader, source: system.bookSource)
    }

    private func read(_ permit: BlockingPermit) throws -> BookReading {
        let book = try AddressBook(path, owners: known())
        let scan = try book.scan()
        let photos = BookPhotos(book, scan: scan, fetched: fetchedPhotos)
        avatars.use(photos)
        events.send(.total(scan.total))
        var reading = BookReading(isWatching ? BookSnapshot() : nil)
        reading.read(book, scan) { index, item in
            if isGone { return false }
            switch item {
            case .success(let found):
                let contact = found.contact
                // Packing one that no snapshot keeps would be in vain.
                events.sendWhenRoom(.contact(index: index, contact), contact: isWatching ? found.packed : nil, permit)
                avatars.add(contact)
            case .failure(let failure): events.sendWhenRoom(.contactFailed(FailedContact(failure)), permit)
            }
            return true
        }
        return reading
    }

    private func subscribe(to watch: BookChangeFeed, _ bookWatcher: BookWatcher) {
        let old = self.watch.withLock { known in
            defer { known = watch }
            return known
        }
        old?.close()
        if isGone { return watch.close() }
        watch.include(.all(bookWatcher.takePhotoFiles()))
        watch.begin { change in
            if self.isGone { return }
            self.goOn(after: bookWatcher.apply(change, permit: BlockingPermit(on: self.reader)), bookWatcher)
            // Changes that come while this one's avatars are drawn are merged into one.
            watch.pause()
            self.whenDrawn(orLate: true) { watch.resume() }
        }
    }

    private func goOn(after outcome: BookWatcher.Outcome, _ bookWatcher: BookWatcher) {
        switch outcome {
        case .applied:
            if let change = bookWatcher.takeChangeOfPhotoFiles() { watch.withLock { $0 }?.include(change) }
        case .exchanged: watchAgain(bookWatcher, after: 1)
        case .postponed(let milliseconds): lookAgain(after: .milliseconds(milliseconds))
        }
    }

    /// Calls `body` once, on the reader's queue: when all avatars are there, or, if `orLate`, after a while. A photo that hangs
    /// must not keep new contacts away, and neither must a first pass of an hour.
    private func whenDrawn(orLate isBounded: Bool, _ body: @escaping @Sendable () -> Void) {
        let waiting = Waiting(body)
        avatars.whenDone(on: reader) { waiting.end() }
        guard isBounded else { return }
        reader.asyncAfter(deadline: .now() + .milliseconds(system.longestMerge)) { waiting.end() }
    }

    /// A closure that is called once and then released. On the reader's queue.
    private final class Waiting: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>

        init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        func end() { body.withLock { $0.take() }?() }
    }

    /// Nil if there is no such folder yet.
    private func newPhotoWatch() -> BookChangeFeed? {
        fetchedPhotos.flatMap { try? BookChangeFeed(path: $0, reader: reader, source: system.bookSource) }
    }

    /// Follows the folder of fetched photos, once it exists. `isNew`: photos may have come unnoticed.
    private func follow(_ watch: BookChangeFeed?, isNew: Bool) {
        guard fetchedPhotos != nil, !isGone else { return }
        guard let watch else {
            return system.after(.seconds(60)) { [weak self] in self?.follow(self?.newPhotoWatch(), isNew: true) }
        }
        photoWatch.withLock { $0 = watch }
        watch.begin { [weak self] change in
            guard let self, !isGone else { return }
            var names: Set<String>?
            if case .files(let files) = change { names = files }
            bookWatcher.withLock { $0 }?.apply(fetched: names)
            if change == .ended { follow(nil, isNew: true) }
        }
        if isGone { watch.close() }
        if isNew { watch.take(.everything) }
    }

    /// A scan reads unknown files, and what failed scans were to read. A change that comes before wakes it, too.
    private func lookAgain(after delay: Duration) {
        guard !isLookingAgain.exchange(true, ordering: .relaxed) else { return }
        system.after(delay) { [weak self] in
            self?.isLookingAgain.store(false, ordering: .relaxed)
            self?.watch.withLock { $0 }?.take(.files([]))
        }
    }

    /// Looks from time to time whether the book is still where it was, see `BookWatcher.check`.
    private func checkLater(_ bookWatcher: BookWatcher) {
        let interval = DispatchTimeInterval.milliseconds(Int(system.bookChecks / .milliseconds(1)))
        reader.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, !isGone else { return }
            if let watch = watch.withLock({ $0 }) {
                if let change = bookWatcher.check() { watch.take(change) }
            } else if (try? BookLocation(path)) != nil {
                watchAgain(bookWatcher, after: 1)
            }
            checkLater(bookWatcher)
        }
    }

    /// Watches the book where its path leads now, and reads all of it. A book that is not there is looked for with back-off,
    /// since a backup, a mount or a synchroniser may bring it back; its contacts stay. `delay`: seconds to the next look.
    private func watchAgain(_ bookWatcher: BookWatcher, after delay: Int) {
        if isGone { return }
        if let watch = try? newWatch() {
            subscribe(to: watch, bookWatcher)
            return watch.take(.everything)
        }
        watch.withLock { $0.take() }?.close()
        // Without a watch it may be readable all the same, as where the kernel permits no more watches.
        _ = bookWatcher.apply(.everything, permit: BlockingPermit(on: reader))
        guard !isAwaitingReturn.exchange(true, ordering: .relaxed) else { return }
        system.after(.seconds(delay)) { [weak self] in
            guard let self else { return }
            isAwaitingReturn.store(false, ordering: .relaxed)
            reader.async {
                if self.watch.withLock({ $0 }) == nil { self.watchAgain(bookWatcher, after: min(2 * delay, 60)) }
            }
        }
    }
}

extension FailedContact {
    package init(_ failure: ContactFailure) {
        file = failure.file.string
        line = failure.line
        code = failure.error.code
        message = failure.error.description
        if let path = failure.path { message = "\(path): \(message)" }
    }
}

extension LoadError {
    /// `book`: the path that could not be loaded.
    package init(_ error: any Error, _ book: FilePath) {
        switch error {
        case let error as LoadError: self = error
        case let error as ContactsError: self.init(code: error.code, message: "\(book): \(error)")
        case WatchError.unreadable(_, let number):
            let cause = ContactsError.unreadable(Errno(rawValue: number))
            self.init(code: cause.code, message: "\(book): \(cause)")
        case let error as WatchError: self.init(code: error.code, message: "\(book): \(error)")
        default: self.init(code: "book-unreadable", message: "\(book): \(error)")
        }
    }
}
