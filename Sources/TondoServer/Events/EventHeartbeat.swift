internal import ServiceLifecycle

/// Sends heartbeats on idle event streams as long as the service runs.
package struct EventHeartbeat: Service {
    private let broadcaster: EventBroadcaster
    private let interval: Duration

    package init(_ broadcaster: EventBroadcaster, every interval: Duration = .seconds(15)) {
        (self.broadcaster, self.interval) = (broadcaster, interval)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { await broadcaster.sendHeartbeat(every: interval) }
    }
}
