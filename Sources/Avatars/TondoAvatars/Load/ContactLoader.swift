public import Dispatch
internal import Synchronization
package import SystemPackage
internal import TondoCache
internal import TondoContacts
internal import TondoImage
internal import TondoJobs
internal import TondoRender

/// Loads an address book: reports the number of contacts, then every contact, then every finished avatar, while the
/// avatars are drawn in the background; afterwards, if `isWatching`, the changes.
///
/// Either iterate over `events()`, or pass a delegate; each begins a load, and a new load cancels the one before. A
/// second load of an unchanged book draws nothing. Usable from any thread.
///
/// ```swift
/// var options = ContactLoader.Options()
/// options.styles = [AvatarStyle(size: 48, scale: 2)]
/// let loader = try ContactLoader(book: "contacts", options)
/// for try await event in loader.events() {
///     if case .avatar(let avatar) = event { print(avatar.contact, avatar.url ?? "") }
/// }
/// ```
public final class ContactLoader: Sendable {
    /// What a loader loads, and where it keeps avatars.
    ///
    /// ```swift
    /// var options = ContactLoader.Options()
    /// options.cacheFolder = "avatars"
    /// options.isWatching = true
    /// options.decoder = "/usr/libexec/tondo/tondo-render"
    /// print(options.styles.count)
    /// ```
    public struct Options: Sendable {
        /// The styles of the avatars of every contact, all from one decode.
        public var styles = [AvatarStyle(size: 96)]
        /// The path of the cache folder; nil: `tondo` in the user's cache folder.
        public var cacheFolder: String?
        /// Reports changes after the first pass, until the load is cancelled.
        public var isWatching = false
        /// The path of the program `tondo-render`, which decodes photos in confined processes: a photo that crashes its
        /// decoder fails alone. Nil: photos are decoded in this process.
        public var decoder: String?
        /// The rule for the initials of contacts without a usable photo. Letters are drawn by a program beside `decoder`, in a
        /// confined process; without it, these contacts get a silhouette.
        public var initials = InitialsRule.tondo

        /// Round avatars of 96 points, in the user's cache folder, without changes.
        public init() {}
    }

    private let book: FilePath
    private let styles: [AvatarStyle]
    private let isWatching: Bool
    private let changesAtOnce: Bool
    private let pipeline: AvatarPipeline
    private let owners: @Sendable () -> Identities.Owners
    private let state = Mutex(State())

    private struct State {
        var run: LoadRun?
        /// The load has a delegate: it ends with the loader. A load with events ends with its subscriber.
        var hasDelegate = false
        var shown: [String] = []
    }

    /// `book`: a vCard folder, or a file in any supported format. Throws if the cache cannot be used, or the program that
    /// decodes cannot be started; the book is not opened yet.
    ///
    /// ```swift
    /// do {
    ///     let loader = try ContactLoader(book: "friends.json")
    ///     loader.show(["ada"])
    /// } catch {
    ///     print("\(error.code): \(error.message)")
    /// }
    /// ```
    public convenience init(book: String, _ options: Options = Options()) throws(LoadError) {
        let cache = try Self.openCache(options.cacheFolder)
        var pipeline = AvatarPipeline.Options()
        if let program = options.decoder { pipeline.workers = try Self.workers(program, options: pipeline) }
        if pipeline.workers == nil { pipeline.faces = Sandbox.off.faceDetector { _ in nil } }
        pipeline.initials = options.initials.photos(by: pipeline.workers) { _ in }
        self.init(
            FilePath(book), styles: options.styles, pipeline: AvatarPipeline(cache: cache, pipeline),
            isWatching: options.isWatching)
    }

    /// With a pipeline that loaders can share. `changesAtOnce`: if `isWatching`, changes may come before the first `finished`:
    /// a client that serves the contacts does not let them wait for avatars. `owners`: see `AddressBook`.
    package init(
        _ book: FilePath, styles: [AvatarStyle], pipeline: AvatarPipeline, isWatching: Bool = false,
        changesAtOnce: Bool = false, owners: @escaping @Sendable () -> Identities.Owners = { [:] }
    ) {
        self.book = book
        self.styles = styles
        self.pipeline = pipeline
        self.isWatching = isWatching
        self.changesAtOnce = changesAtOnce
        self.owners = owners
    }

    deinit {
        if state.withLock({ $0.hasDelegate }) { cancel() }
    }

    private static func workers(
        _ program: String, options: AvatarPipeline.Options
    ) throws(LoadError) -> RenderWorkers? {
        do {
            return try Sandbox.on.workers(limits: options.limits, slots: options.queue.workers) {
                $0 == WorkerKind.standard.variable ? program : nil
            }
        } catch {
            throw LoadError(code: error.renderError.error.code, message: error.description)
        }
    }

    private static func openCache(_ folder: String?) throws(LoadError) -> AvatarCache {
        guard let path = folder.map({ FilePath($0) }) ?? CacheDirectory.standard else {
            throw LoadError(code: "cache-missing", message: "neither XDG_CACHE_HOME nor HOME is set; name a folder")
        }
        do { return try AvatarCache(path) } catch { throw LoadError(code: error.code, message: error.description) }
    }

    /// Begins a load. It proceeds as fast as its events are consumed; leaving the loop cancels it.
    ///
    /// ```swift
    /// for try await event in loader.events() {
    ///     if case .finished(let summary) = event { print("\(summary.avatars) avatars") }
    /// }
    /// ```
    public func events() -> LoaderEvents {
        let channel = EventChannel()
        let run = begin {
            channel.push($0?.event)
        } failed: {
            channel.fail($0)
        }
        return LoaderEvents(channel: channel) { run.cancel() }
    }

    /// Begins a load that calls `delegate`, which is not retained, on `queue`; the load ends when the delegate is
    /// deallocated.
    ///
    /// ```swift
    /// final class Counter: ContactLoaderDelegate {
    ///     func loader(_ loader: ContactLoader, didLoadTotal total: Int) { print("\(total) contacts") }
    ///     func loader(_ loader: ContactLoader, didLoad contact: Contact, at index: Int) {}
    ///     func loader(_ loader: ContactLoader, didPrepare avatar: PreparedAvatar) {}
    ///     func loader(_ loader: ContactLoader, didFail avatar: FailedAvatar) {}
    ///     func loader(_ loader: ContactLoader, didFinish summary: LoadSummary) {}
    /// }
    /// let counter = Counter()
    /// loader.load(on: DispatchQueue(label: "avatars"), delegate: counter)
    /// ```
    public func load(on queue: DispatchQueue, delegate: any ContactLoaderDelegate) {
        let dispatcher = DelegateDispatcher(loader: self, delegate: delegate, queue: queue)
        let run = begin(hasDelegate: true) {
            dispatcher.deliver($0?.event)
        } failed: {
            dispatcher.fail($0)
        }
        dispatcher.follow(run)
    }

    /// Loads with sequence numbers, on a thread of the loader. `onEvent`: nil ends it. `note`: called in between.
    /// `paused`: called on that thread after the last of the events that are there.
    package func load(
        onEvent: @escaping @Sendable (DeliveredEvent?) -> Void,
        note: (@Sendable (LoaderNotice) -> Void)? = nil, paused: @escaping @Sendable () -> Void = {},
        failed: @escaping @Sendable (LoadError) -> Void
    ) {
        _ = begin(onEvent, note: note, paused: paused, failed: failed)
    }

    /// The avatars of one contact in the given styles, before all others; those of its initials or the silhouette if the photo gives none.
    /// `contact`: as this loader reported it. Photos are opened on a separate thread; `completion` is called once.
    /// `drawing` is called if the avatars are not in the cache, so that they take a while.
    package func avatars(
        of contact: Contact, styles: StyleSet, drawing: AvatarPipeline.Drawing? = nil,
        completion: @escaping @Sendable (Result<ContactAvatars, AvatarFailure>) -> Void
    ) {
        guard let run = state.withLock({ $0.run }) else { return completion(.failure(.notLoaded)) }
        run.avatars(of: contact, styles: styles, drawing: drawing, completion: completion)
    }

    /// Why the avatars of one contact are in the cache or not. `contact`: as this loader reported it. `completion` is called
    /// once, on another thread; fails with `noPhoto` for a contact without a photo and without initials.
    package func explain(
        _ contact: Contact, styles: StyleSet,
        completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        guard let run = state.withLock({ $0.run }) else { return completion(.failure(.notLoaded)) }
        run.explain(contact, styles: styles, completion)
    }

    /// Reports the contents of a file that this program changed at once, and calls `done` after the events: with false if
    /// the book is not followed, or could not be scanned now. `file`: absolute, without links.
    package func rescan(at file: FilePath, done: @escaping @Sendable (Bool) -> Void) {
        guard let run = state.withLock({ $0.run }) else { return done(false) }
        run.rescan(at: file, done: done)
    }

    /// The owners of ids that several contacts claim, see `Identities`.
    package var identityOwners: Identities.Owners { state.withLock { $0.run }?.owners ?? owners() }

    /// The contents of the file with this contact as they were read last; nil before the book is read.
    package func contents(with id: String) -> BookContents? { state.withLock { $0.run }?.contents(with: id) }

    /// The ids of the contacts on the screen: their avatars come before the others, even if they are not read yet.
    ///
    /// ```swift
    /// let visible = ["ada", "bo", "cleo"]
    /// loader.show(visible)
    /// ```
    public func show(_ ids: [String]) {
        let run = state.withLock { state in
            state.shown = ids
            return state.run
        }
        run?.show(ids)
    }

    /// No event follows. Running jobs are finished and stored in the cache.
    public func cancel() { state.withLock { $0.run.take() }?.cancel() }

    private func begin(
        hasDelegate: Bool = false, _ onEvent: @escaping EventQueue.Sink, note: EventQueue.NoticeSink? = nil,
        paused: @escaping @Sendable () -> Void = {}, failed: @escaping @Sendable (LoadError) -> Void
    ) -> LoadRun {
        let run = LoadRun(
            book, pipeline, styles: styles, isWatching: isWatching, changesAtOnce: changesAtOnce,
            events: EventQueue(sink: onEvent, note: note, paused: paused), owners: owners, failed: failed)
        let (last, shown) = state.withLock { state in
            defer {
                state.run = run
                state.hasDelegate = hasDelegate
            }
            return (state.run, state.shown)
        }
        last?.cancel()
        run.show(shown)
        run.start()
        return run
    }
}
