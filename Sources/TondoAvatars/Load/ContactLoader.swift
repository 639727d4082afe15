public import Dispatch
internal import Synchronization
package import SystemPackage
internal import TondoCache
internal import TondoContacts

/// Loads an address book: tells how many people are in it, then every person, then every finished face, while the faces
/// are made in the background; afterwards, if you like, what changes in it.
///
/// Either iterate over `events()`, or hand over a delegate; each begins a load of its own, and only one goes on at a
/// time: a new one cancels the one before. A second load of an unchanged book draws nothing. Usable from any thread.
public final class ContactLoader: Sendable {
    public struct Options: Sendable {
        /// The pictures every person gets, all from one decode.
        public var styles = [AvatarStyle(size: 96)]
        /// The folder of the cache; nil: `tondo` in the user's cache folder.
        public var cacheFolder: String?
        /// Tells changes after the first pass, until the load is cancelled.
        public var isWatching = false

        public init() {}
    }

    private let book: FilePath
    private let styles: [AvatarStyle]
    private let isWatching: Bool
    private let pipeline: AvatarPipeline
    private let owners: @Sendable () -> Identities.Owners
    private let state = Mutex(State())

    private struct State {
        var run: LoadRun?
        /// The load tells a delegate: it ends with the loader. Events are their listener's.
        var hasDelegate = false
        var shown: [String] = []
    }

    /// `book`: a vCard folder, or a file of any kind Tondo reads. Throws when the cache cannot be used; the book is not
    /// looked at yet.
    public convenience init(book: String, _ options: Options = Options()) throws(LoadError) {
        let cache = try Self.openCache(options.cacheFolder)
        self.init(
            FilePath(book), styles: options.styles, pipeline: AvatarPipeline(cache: cache),
            isWatching: options.isWatching)
    }

    /// With a pipeline that others may share. `owners`: see `AddressBook`.
    package init(
        _ book: FilePath, styles: [AvatarStyle], pipeline: AvatarPipeline, isWatching: Bool = false,
        owners: @escaping @Sendable () -> Identities.Owners = { [:] }
    ) {
        (self.book, self.styles, self.pipeline, self.isWatching) = (book, styles, pipeline, isWatching)
        self.owners = owners
    }

    deinit {
        if state.withLock({ $0.hasDelegate }) { cancel() }
    }

    private static func openCache(_ folder: String?) throws(LoadError) -> AvatarCache {
        guard let path = folder.map({ FilePath($0) }) ?? CachePlace.standard else {
            throw LoadError(code: "cache-missing", message: "there is neither XDG_CACHE_HOME nor HOME; name a folder")
        }
        do { return try AvatarCache(path) } catch { throw LoadError(code: error.code, message: error.description) }
    }

    /// Begins a load. It goes on as fast as its events are taken; leaving the loop cancels it.
    public func events() -> LoaderEvents {
        let channel = EventChannel()
        let run = begin {
            channel.push($0?.event)
        } failed: {
            channel.fail($0)
        }
        return LoaderEvents(channel: channel) { run.cancel() }
    }

    /// Begins a load that tells `delegate`, which is not kept alive, on `queue`; a delegate that is gone ends the load.
    public func load(on queue: DispatchQueue, delegate: any ContactLoaderDelegate) {
        let outlet = DelegateOutlet(self, delegate, queue)
        let run = begin(hasDelegate: true) {
            outlet.tell($0?.event)
        } failed: {
            outlet.fail($0)
        }
        outlet.follow(run)
    }

    /// The same with numbers, on a thread of the loader. `tell`: nil ends it. `note`: told in between.
    package func load(
        tell: @escaping @Sendable ((event: LoaderEvent, number: UInt64)?) -> Void,
        note: (@Sendable (LoaderNote) -> Void)? = nil,
        failed: @escaping @Sendable (LoadError) -> Void
    ) {
        _ = begin(tell, note: note, failed: failed)
    }

    /// Somebody's faces in styles of the caller's choice, before all others; the placeholder's where the photo gives none.
    /// `contact`: as this loader told it. Photos are opened on a thread of their own; `completion` is called once.
    /// `drawing` tells that the cache does not have them, so that it takes a while.
    package func faces(
        of contact: Contact, styles: StyleSet, drawing: (@Sendable () -> Void)? = nil,
        completion: @escaping @Sendable (Result<ContactFaces, FaceFailure>) -> Void
    ) {
        guard let run = state.withLock({ $0.run }) else {
            return completion(.failure(FaceFailure(code: "not-loaded", message: "the book is not loaded")))
        }
        run.faces(of: contact, styles: styles, drawing: drawing, completion: completion)
    }

    /// Tells at once what a file says that this program changed, and calls `done` when that was told, or when the book is
    /// not followed. `file`: absolute, without links.
    package func look(at file: FilePath, done: @escaping @Sendable () -> Void) {
        guard let run = state.withLock({ $0.run }) else { return done() }
        run.look(at: file, done: done)
    }

    /// Whose the ids are that several people gave themselves, see `Identities`.
    package var identityOwners: Identities.Owners { state.withLock { $0.run }?.owners ?? owners() }

    /// The people who are looked at, by their ids: their faces come before the others', also when they are not read yet.
    public func show(_ ids: [String]) {
        let run = state.withLock { state in
            state.shown = ids
            return state.run
        }
        run?.show(ids)
    }

    /// No event follows. Pictures that are being drawn are finished and kept in the cache.
    public func cancel() { state.withLock { $0.run.take() }?.cancel() }

    private func begin(
        hasDelegate: Bool = false, _ tell: @escaping EventLine.Sink, note: EventLine.NoteSink? = nil,
        failed: @escaping @Sendable (LoadError) -> Void
    ) -> LoadRun {
        let run = LoadRun(
            book, pipeline, styles: styles, isWatching: isWatching, events: EventLine(sink: tell, note: note),
            owners: owners, failed: failed)
        let (last, shown) = state.withLock { state in
            defer { (state.run, state.hasDelegate) = (run, hasDelegate) }
            return (state.run, state.shown)
        }
        last?.cancel()
        run.show(shown)
        run.start()
        return run
    }
}
