/// The limit of queueing time. Many requests at once, as from a page full of avatars, are not an overload: they may be
/// queued until the queue has been busy for `burst`. In a queue that has been busy for longer, `longest` applies to
/// all.
package struct QueueTimeout: Equatable, Sendable {
    /// Nanoseconds, the limit of one request in a queue of any age.
    let longest: UInt64
    /// Nanoseconds of a busy period without limit.
    let burst: UInt64

    /// `burst`: how long a queue may be busy before `longest` applies; zero applies it from the start.
    package init(longest: Duration, burst: Duration = .zero) {
        self.init(longest: longest.inNanoseconds, burst: burst.inNanoseconds)
    }

    init(longest: UInt64, burst: UInt64) {
        self.longest = longest
        self.burst = burst
    }

    /// This many may be queued, however slow they are.
    package static func minimumBacklog(workers: Int) -> Int { 4 * workers }

    /// The end of the queueing time of a request that entered at that time.
    package func end(entered: UInt64, _ busyPeriod: BusyPeriod) -> UInt64 {
        max(entered.later(by: longest), busyPeriod.began.later(by: burst))
    }
}

/// The length of a queue's busy period. An empty queue becomes younger as fast as it became older, and counts as no
/// older than a burst: a short pause between two bursts does not permit another full burst. Monotonic nanoseconds.
package struct BusyPeriod: Sendable {
    /// The assumed start of the busy period.
    private(set) var began: UInt64 = 0
    private var left: UInt64 = 0

    package init() {}

    /// A request enters an empty queue.
    package mutating func begin(_ bound: QueueTimeout?, now: UInt64) { self = ifBegun(bound, now: now) }

    /// The result of `begin`.
    func ifBegun(_ bound: QueueTimeout?, now: UInt64) -> BusyPeriod {
        let (age, rest) = (min(left - began, bound?.burst ?? 0), now > left ? now - left : 0)
        var entered = self
        entered.began = now - (age - min(age, rest))
        entered.left = max(now, left)
        return entered
    }

    /// A request leaves the queue.
    package mutating func end(now: UInt64) { left = max(now, left) }
}
