package import Hummingbird
package import Logging
package import NIOHTTP1
package import TondoAvatars
package import TondoCache
package import TondoJobs

/// The state that handlers share: the books, the cache, the events. One instance until the configuration is reloaded.
package final class AvatarService: Sendable {
    package struct Options: Sendable {
        /// The styles for `?style=NAME`.
        package var styles: [String: AvatarStyle] = [:]
        /// Hosts to which a Gravatar default may redirect, in lower case.
        package var fallbackHosts: Set<String> = []
        /// `max-age` in seconds of the responses of `/avatar/HASH`.
        package var maxAge = 300
        /// How long a fallback is served from memory, and how long an unusable photo is not retried.
        package var fallbackLifetime = Duration.seconds(30)
        /// Whether Gravatar requests get round avatars by default.
        package var isRound = false
        /// The trash for removed contacts; nil: contacts cannot be removed.
        package var trash: Trash?

        package init() {}
    }

    /// How long requests may wait in the queue. Requests beyond it are refused, and the client retries.
    package static let longestWait = WaitBound(longest: .milliseconds(600), burst: .seconds(5))

    package let library: Library
    package let ring: EventRing
    package let options: Options
    let requestGuard: RequestGuard
    let cache: AvatarCache?
    let logger: Logger
    let memory = FaceMemory()
    /// Apart from the avatars, so that clients that search and turn pages evict none of them.
    let pages = FaceMemory(limit: 2 << 20)
    let shelf: StyleShelf
    let easel = Easel()
    let metrics = ServiceMetrics()
    let sampler: CacheSampler
    let lists = ContactLists()
    let lines = ContactLines()

    package init(
        _ library: Library, cache: AvatarCache?, guard requestGuard: RequestGuard, _ options: Options = Options(),
        logger: Logger
    ) {
        (self.library, ring, self.cache) = (library, library.ring, cache)
        (self.requestGuard, self.options, self.logger) = (requestGuard, options, logger)
        shelf = StyleShelf(library.pipeline)
        sampler = CacheSampler { try? cache?.statistics() }
        library.onChange { [memory, pages] change in
            memory.forget(change)
            pages.forget(change)
        }
    }

    /// The response of the fast path, which never blocks; nil: the router has to respond.
    package func answer(_ head: HTTPRequestHead, from peer: ConnectionPeer) -> FastAnswer? {
        let isPage = head.uri.hasPrefix("/v1/contacts?")
        let answer = (isPage ? pages : memory).answer(head, from: peer, guard: requestGuard)
        if answer != nil { metrics.countFast() }
        return answer
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
        addGravatars(to: router)
        addContacts(to: router)
        addCache(to: router)
        addState(to: router)
        return router
    }
}

/// The context of a request.
package typealias ServiceContext = BasicRequestContext
