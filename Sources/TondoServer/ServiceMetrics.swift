/// What the service counts.
final class ServiceMetrics: Sendable {}
