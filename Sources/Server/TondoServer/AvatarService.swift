package import Hummingbird
package import Logging
package import NIOHTTP1
package import TondoAvatars
package import TondoCache
internal import TondoImage
package import TondoJobs
package import TondoMirror

/// The state that handlers share: the books, the cache, the events. One instance until the configuration is reloaded.
package final class AvatarService: Sendable {
    /// What handlers need from the configuration; a reload makes a new service with other options.
    package struct Options: Sendable {
        /// The styles for `?style=NAME`.
        package var styles: [String: AvatarStyle] = [:]
        /// Hosts to which a Gravatar default may redirect, in lower case.
        package var fallbackHosts: Set<String> = []
        /// `max-age` in seconds of the responses of `/avatar/HASH`.
        package var maxAge = 300
        /// How long a fallback is served from memory, and how long an unusable photo is not retried.
        package var fallbackLifetime = Duration.seconds(30)
        /// The quality of avatars for clients that accept WebP.
        package var webPQuality = AvatarFormat.usualQuality
        /// Whether Gravatar requests get round avatars by default.
        package var isRound = false
        /// The trash for removed contacts; nil: contacts cannot be removed.
        package var trash: Trash?
        /// Mirrors of address books on the network, whose age is reported.
        package var mirrors: [MirrorLayout] = []
        /// The state of the work queue, which blocks for a moment; nil: there is none.
        package var workQueue: (@Sendable () -> WorkQueueReport)?
        /// The memory of responses; the one of the server's connections.
        package var output = OutputBudget()
        /// The version of the program.
        package var version = ""
        /// The address of the page for browsers on this machine, once the service listens; nil if there is none.
        package var address: @Sendable () -> String? = { nil }

        package init() {}
    }

    /// How long requests may wait in the queue. Requests beyond it are refused, and the client retries.
    package static let longestWait = QueueTimeout(longest: .milliseconds(600), burst: .seconds(5))

    package let addressBooks: AddressBookService
    /// The event stream of `addressBooks`, which outlives the service.
    package let broadcaster: EventBroadcaster
    package let options: Options
    let requestGuard: RequestGuard
    let cache: AvatarCache?
    let logger: Logger
    let responseCache = ResponseCache()
    /// Apart from the avatars, so that clients that search and turn pages evict none of them.
    let pages = ResponseCache(limit: 2 << 20)
    let styleSets: StyleSetCache
    let generatedAvatars: GeneratedAvatars
    let uploads: PhotoUploads
    let metrics = ServiceMetrics()
    let sampler: CacheSampler
    var sessions: Sessions { requestGuard.sessions }
    let lists = ContactLists()
    let indexes = IndexResponses()

    /// From now on changes of the books invalidate the responses of this service, and no longer those of an earlier
    /// one. `cache`: the one of the pipeline, for its own routes and metrics; nil: there is none.
    package init(
        _ addressBooks: AddressBookService, cache: AvatarCache?, guard requestGuard: RequestGuard,
        options: Options = Options(),
        logger: Logger
    ) {
        self.addressBooks = addressBooks
        broadcaster = addressBooks.broadcaster
        self.cache = cache
        self.requestGuard = requestGuard
        self.options = options
        self.logger = logger
        styleSets = StyleSetCache(addressBooks.pipeline)
        generatedAvatars = GeneratedAvatars { [pipeline = addressBooks.pipeline] in
            try pipeline.drawUncached($0, in: $1)
        }
        uploads = PhotoUploads(addressBooks.pipeline)
        sampler = CacheSampler { try? cache?.tallies() }
        addressBooks.onChange { [responseCache, pages] change in
            responseCache.forget(change)
            pages.forget(change)
        }
    }

    /// The response of the fast path, which never blocks; nil: the router has to respond.
    package func response(_ head: HTTPRequestHead, from peer: ConnectionPeer) -> EncodedResponse? {
        if head.uri == HTTPServer.probe { return health(head, from: peer) }
        let isPage = head.uri.hasPrefix("/v1/contacts?") || head.uri.hasPrefix("/v1/sections")
        let response = (isPage ? pages : responseCache).response(head, from: peer, guard: requestGuard)
        if response != nil { metrics.countFast() }
        return response
    }

    /// The router with all handlers.
    package func respond() -> HTTPServer.Respond {
        HTTPServer.respond(by: router(), guard: requestGuard, logger: logger)
    }

    func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        router.add(middleware: MeasuringMiddleware(metrics: metrics))
        addViewer(to: router)
        addEvents(to: router)
        addAvatars(to: router)
        addPhotos(to: router)
        addPhotoChanges(to: router)
        addBulkAvatars(to: router)
        addCrops(to: router)
        addGravatars(to: router)
        addWebFinger(to: router)
        addSession(to: router)
        addContacts(to: router)
        addCards(to: router)
        addSharing(to: router)
        addCache(to: router)
        addState(to: router)
        return router
    }
}

/// The context of a request.
package typealias ServiceContext = BasicRequestContext
