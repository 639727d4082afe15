internal import TondoRedis

/// The shared tier as JSON: of `GET /readyz` and `tondo status`.
package struct SharedTierReport: Codable, Equatable, Sendable {
    /// `closed`: it is asked; `open`: it is not, after errors; `probing`: one request finds out. The states of the breaker.
    package var breaker: String
    /// Totals since the start.
    package var hits: Int
    package var misses: Int
    package var stored: Int
    package var errors: Int
    package var altered: Int
    package var failures: Int
    package var lockWaits: Int
    package var lockTimeouts: Int

    package init(_ tier: SharedTier) {
        let counters = tier.counters
        breaker = tier.pool.breaker.rawValue
        hits = counters.hits
        misses = counters.misses
        stored = counters.stored
        errors = counters.errors
        altered = counters.altered
        failures = counters.failures
        lockWaits = counters.lockWaits
        lockTimeouts = counters.lockTimeouts
    }

    /// By name.
    package var totals: [(name: String, count: Int)] {
        [
            ("hits", hits), ("misses", misses), ("stored", stored), ("errors", errors), ("altered", altered),
            ("failures", failures), ("lockWaits", lockWaits), ("lockTimeouts", lockTimeouts),
        ]
    }
}
