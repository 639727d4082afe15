import Logging
import ServiceLifecycle
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(1))) struct EventBeatTests {
    @Test func `A silent stream gets signs of life until the service ends`() async throws {
        let ring = EventRing()
        let beat = EventBeat(ring, every: .milliseconds(1))
        let services = ServiceGroup(services: [beat], logger: Logger(label: "test"))
        let running = Task { try await services.run() }
        let listener = ring.listen()
        #expect(await listener.next() == .silence)
        #expect(await listener.next() == .silence)
        await services.triggerGracefulShutdown()
        _ = await running.result
    }
}
