import Logging
import ServiceLifecycle
import Testing

@testable import TondoServer

@Suite(.timeLimit(.minutes(1))) struct EventHeartbeatTests {
    @Test func `A silent stream gets signs of life until the service ends`() async throws {
        let broadcaster = EventBroadcaster()
        let sendHeartbeat = EventHeartbeat(broadcaster, every: .milliseconds(1))
        let services = ServiceGroup(services: [sendHeartbeat], logger: Logger(label: "test"))
        let running = Task { try await services.run() }
        let subscriber = broadcaster.subscribe()
        #expect(await subscriber.next() == .silence)
        #expect(await subscriber.next() == .silence)
        await services.triggerGracefulShutdown()
        _ = await running.result
    }
}
