extension SharedEvents {
    /// Times and bounds of the exchange with Redis; shorter in tests.
    package struct Options: Sendable {
        /// If the publisher is silent for so long, another instance publishes. It renews the lease once a third has
        /// passed.
        package var lease = Duration.seconds(3)
        /// Each instance asks for the lease so often; at most a third of `lease`.
        var leaseInterval = Duration.seconds(1)
        /// Without Redis for so long, an instance goes on alone.
        package var outage = Duration.seconds(2)
        /// So long an event waits at most until the own books have read the same change.
        package var longestHold = Duration.seconds(2)
        /// See `EventRange`.
        var quiet = EventRange.quiet
        /// Events that wait to be published. More begin a new range.
        var mostWaiting = 50_000

        package init() {}
    }
}
