import Synchronization
import TondoServer

/// The current service. A reload replaces it between two requests, and connections stay open. Usable from any thread.
final class CurrentService: Sendable {
    private struct Handlers: Sendable {
        let fastPath: HTTPServer.FastPath
        let directPath: HTTPServer.DirectPath
        let respond: HTTPServer.Respond

        init(service: AvatarService) {
            fastPath = service.response(_:from:)
            directPath = service.respond(to:from:done:)
            respond = service.respond()
        }
    }

    private let handlers: Mutex<Handlers>

    init(service: AvatarService) { handlers = Mutex(Handlers(service: service)) }

    func replace(_ service: AvatarService) {
        let new = Handlers(service: service)
        handlers.withLock { $0 = new }
    }

    // Each closure takes the handler under the lock, and calls it after that.
    var fastPath: HTTPServer.FastPath { { head, peer in self.handlers.withLock { $0.fastPath }(head, peer) } }

    var directPath: HTTPServer.DirectPath {
        { head, peer, done in self.handlers.withLock { $0.directPath }(head, peer, done) }
    }

    var respond: HTTPServer.Respond {
        { request, channel in await self.handlers.withLock { $0.respond }(request, channel) }
    }
}
