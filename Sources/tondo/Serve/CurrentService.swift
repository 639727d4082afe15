import Synchronization
import TondoServer

/// The current service. A reload replaces it between two requests, and connections stay open. Usable from any thread.
final class CurrentService: Sendable {
    private struct Answers: Sendable {
        let answer: HTTPServer.Answer
        let respond: HTTPServer.Respond

        init(_ service: AvatarService) { (answer, respond) = (service.answer(_:from:), service.respond()) }
    }

    private let answers: Mutex<Answers>

    init(_ service: AvatarService) { answers = Mutex(Answers(service)) }

    func replace(_ service: AvatarService) {
        let new = Answers(service)
        answers.withLock { $0 = new }
    }

    var answer: HTTPServer.Answer { { head, peer in self.answers.withLock { $0.answer }(head, peer) } }

    var respond: HTTPServer.Respond {
        { request, channel in await self.answers.withLock { $0.respond }(request, channel) }
    }
}
