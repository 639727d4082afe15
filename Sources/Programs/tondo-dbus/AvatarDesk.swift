internal import Glibc
internal import SystemPackage
internal import TondoAvatars
internal import TondoCache
internal import TondoConfiguration
internal import TondoContacts
internal import TondoImage
internal import TondoJobs
internal import TondoRender

/// The books and the cache of a configuration, and what draws.
struct AvatarDesk: Sendable {
    let lookup: AvatarLookup
    private let books: WatchedBooks
    private let cache: AvatarCache

    /// Avatars that are looked up at once, and photos that are drawn at once.
    static let slots = 4

    /// Reads the books, and blocks meanwhile.
    init(_ configuration: ServiceConfiguration) throws(Ending) {
        cache = try Self.cache(of: configuration)
        books = Self.books(of: configuration)
        lookup = AvatarLookup(in: books, by: try Self.pipeline(of: configuration, with: cache))
    }

    /// `onChange`: see `WatchedBooks`.
    func watch(_ onChange: @escaping @Sendable (WatchedBooks.Changes) -> Void) { books.watch(onChange) }

    func close() { cache.close() }

    private static func cache(of configuration: ServiceConfiguration) throws(Ending) -> AvatarCache {
        guard let folder = configuration.cacheFolder.value ?? configuration.standardCacheFolder else {
            throw .misconfigured("neither XDG_CACHE_HOME nor HOME is set, and no cache-dir is configured")
        }
        var options = AvatarCache.Options()
        options.maxSize = configuration.cacheSize.value
        options.notice = { report("cache: \($0)") }
        do { return try AvatarCache(folder, options: options) } catch { throw .misconfigured("cache: \(error)") }
    }

    private static func books(of configuration: ServiceConfiguration) -> WatchedBooks {
        let (trash, fetched) = (configuration.trash, configuration.fetchedPhotos)
        let named = Set(configuration.books.value)
        // As for other commands: a mirror that does not exist yet is no unreadable book.
        let paths = configuration.servedBooks.filter { named.contains($0) || access($0.string, F_OK) == 0 }
        return WatchedBooks(paths) { path throws(ContactsError) in
            try ReadBook(path, owners: trash?.owners(of: path) ?? [:], fetched: fetched)
        }
    }

    private static func pipeline(
        of configuration: ServiceConfiguration, with cache: AvatarCache
    ) throws(Ending) -> AvatarPipeline {
        var options = AvatarPipeline.Options()
        options.queue.workers = slots
        options.largeAtOnce = 1
        do throws(WorkerFailure) {
            options.workers = try configuration.sandbox.value.workers(limits: options.limits, slots: slots) {
                configuration.environment[$0]
            }
        } catch { throw .unavailable("\(error)") }
        options.faces = configuration.sandbox.value.faceDetector { configuration.environment[$0] }
        options.initials = configuration.initials.value.photos(by: options.workers) {
            report("contacts without a photo get a silhouette: \($0)")
        }
        return AvatarPipeline(cache: cache, options)
    }
}
