internal import ServiceLifecycle

/// Sends heartbeats on idle event streams as long as the service runs.
package struct EventBeat: Service {
    private let ring: EventRing
    private let interval: Duration

    package init(_ ring: EventRing, every interval: Duration = .seconds(15)) {
        (self.ring, self.interval) = (ring, interval)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await ring.beat(every: interval) }
    }
}
