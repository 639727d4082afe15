package import Hummingbird
package import Logging
package import NIOHTTP1
package import TondoAvatars
package import TondoCache
package import TondoJobs

/// Everything requests are answered with: the books, the cache, the events. One for the life of the service.
package final class AvatarService: Sendable {
    package struct Options: Sendable {
        /// What `?style=NAME` may say.
        package var styles: [String: AvatarStyle] = [:]
        /// Hosts a Gravatar default may lead to, in lower case.
        package var fallbackHosts: Set<String> = []
        /// Seconds for which clients keep what `/avatar/HASH` answers.
        package var maxAge = 300
        /// For how long the fallback is answered from memory, and an unusable photo is not tried again.
        package var fallbackLifetime = Duration.seconds(30)
        /// Gravatar pictures are round unless asked otherwise.
        package var isRound = false
        /// Where removed contacts go; nil: none can be removed.
        package var trash: Trash?

        package init() {}
    }

    /// What may wait for a worker: what would wait longer is refused, and its client asks again.
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

    /// What the front door says without waiting for anybody.
    package func answer(_ head: HTTPRequestHead, from peer: ConnectionPeer) -> FastAnswer? {
        let isPage = head.uri.hasPrefix("/v1/contacts?")
        let answer = (isPage ? pages : memory).answer(head, from: peer, guard: requestGuard)
        if answer != nil { metrics.countFast() }
        return answer
    }

    /// What stands behind the door.
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

/// What a request brings along.
package typealias ServiceContext = BasicRequestContext
