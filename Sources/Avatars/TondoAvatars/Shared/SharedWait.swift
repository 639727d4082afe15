internal import Synchronization
internal import TondoImage
internal import TondoJobs

/// Another instance draws this photo now: the job is tried again in a moment, and holds no worker until then.
struct DrawnElsewhere: Error, CustomStringConvertible {
    var description: String { "another instance draws this photo" }
}

/// How long a photo waits for another instance's drawing: a value without clock and lock.
struct LockWait: Equatable {
    typealias Instant = ContinuousClock.Instant

    private let longest: Duration
    private(set) var since: Instant?

    /// `lockTime`: within it a lock without an owner ends. Twice that, because then another instance may draw first.
    init(lockTime: Duration) { longest = lockTime * 2 }

    var isBegun: Bool { since != nil }

    /// Whether to wait on, while another instance has the lock.
    mutating func waits(at now: Instant) -> Bool {
        let since = since ?? now
        self.since = since
        return now < since + longest
    }
}

/// The waiting of one job. Usable from any thread.
final class SharedWait: Sendable {
    private struct State {
        var wait: LockWait
        var shortages = 0
    }

    private let state: Mutex<State>
    private let options: SharedTier.Options

    init(options: SharedTier.Options) {
        self.options = options
        state = Mutex(State(wait: LockWait(lockTime: options.lockTime)))
    }

    /// Call it when another instance has the lock. True: the job is tried again after a pause. False: draw without it.
    func waits(_ tier: SharedTier) -> Bool {
        let (isFirst, waits) = state.withLock { state in
            let isFirst = !state.wait.isBegun
            return (isFirst, state.wait.waits(at: .now))
        }
        tier.count { counters in
            if isFirst { counters.lockWaits += 1 }
            if !waits { counters.lockTimeouts += 1 }
        }
        return waits
    }

    /// The job was tried before.
    var isBegun: Bool { state.withLock { $0.wait.isBegun } }

    /// What a job's limit of time grows by.
    var longest: Duration { options.lockTime * 2 }

    /// Polls the tier with growing pauses, which differ between instances; and retries, as without a tier, after a shortage
    /// of memory.
    func retry(shortages limit: Int) -> JobRetry {
        let jitter = Double.random(in: 0.75..<1.25)
        var retry = JobRetry(attempts: .max, delay: options.polls.first * jitter) { [self] error in
            if error is DrawnElsewhere { return true }
            guard (error as? RenderError)?.error == .outOfMemory else { return false }
            return state.withLock { state in
                state.shortages += 1
                return state.shortages < limit
            }
        }
        retry.longest = options.polls.longest * jitter
        return retry
    }
}
