internal import Dispatch
internal import Synchronization
internal import TondoJobs

/// A bounded queue for direct requests, on a few threads, first in, first out: equal requests that are queued together
/// coalesce. A queue that is too long, or too slow, refuses. Usable from any thread; never blocks.
final class OpenQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    struct Options: Sendable {
        /// The maximum number of running requests.
        var width = 2
        /// The maximum number of queued requests.
        var depth = 1_024
        /// A request that has waited longer than this allows is refused when its turn comes, while more than a few are
        /// queued. An accepted request waits once more, in the draw queue: the burst is shorter than that queue's.
        var wait = QueueTimeout(longest: .milliseconds(200), burst: .seconds(2))
        /// A request that has waited longer is refused even if its turn does not come, after about twice this time at
        /// most: the requests before it may block on a file server that does not respond.
        var timeout = Duration.seconds(10)
        /// Monotonic nanoseconds; replaced in tests.
        var now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    }

    /// A waiter.
    struct Waiter: Sendable {
        /// Called if the result takes a while: other requests come first, or drawing is needed; maybe more than once,
        /// and maybe after `complete`.
        var onSlow: (@Sendable () -> Void)?
        var complete: @Sendable (Value) -> Void
    }

    /// Calls back all waiters; may block, and may call back later.
    typealias Work = @Sendable (Waiter) -> Void

    private struct Entry {
        var work: Work
        var waiters: [Waiter]
        let enqueued: UInt64
    }

    private struct State {
        var order: [Key] = []
        var entries: [Key: Entry] = [:]
        var busyPeriod = BusyPeriod()
        /// Running threads.
        var working = 0
        /// A timer checks for overdue requests.
        var isWatched = false
        var counters = Counters()

        mutating func takeFirst(now: UInt64) -> Entry? {
            busyPeriod.end(now: now)
            return entries.removeValue(forKey: order.removeFirst())
        }

        /// Removes overdue requests, except for the last `minimumBacklog`.
        mutating func takeOverdue(_ wait: QueueTimeout, minimumBacklog: Int = 0, now: UInt64) -> [Entry] {
            var overdue: [Entry] = []
            while order.count > minimumBacklog, let first = entries[order[0]],
                now > wait.end(entered: first.enqueued, busyPeriod)
            {
                overdue += takeFirst(now: now).map { [$0] } ?? []
            }
            counters.refused += overdue.reduce(0) { $0 + $1.waiters.count }
            return overdue
        }
    }

    struct Counters: Equatable {
        /// Waiters that joined an equal request.
        var joined = 0
        /// Requests refused because the queue was full or the wait too long.
        var refused = 0
    }

    private let state = Mutex(State())
    private let options: Options
    private let refusal: Value
    private let threads: BlockingThreads
    private let timeoutQueue = DispatchQueue(label: "tondo.ask.watch")

    init(_ options: Options = Options(), refusal: Value) {
        (self.options, self.refusal) = (options, refusal)
        threads = BlockingThreads(options.width, label: "tondo.ask")
    }

    var counters: Counters { state.withLock { $0.counters } }

    func submit(_ key: Key, _ waiter: Waiter, work: @escaping Work) {
        let now = options.now()
        let outcome = state.withLock { state -> (isTaken: Bool, isToBegin: Bool, isToWatch: Bool) in
            if state.entries[key] != nil {
                state.entries[key]?.waiters.append(waiter)
                state.counters.joined += 1
                return (true, false, false)
            }
            guard state.order.count < options.depth else {
                state.counters.refused += 1
                return (false, false, false)
            }
            if state.order.isEmpty { state.busyPeriod.begin(options.wait, now: now) }
            state.order.append(key)
            state.entries[key] = Entry(work: work, waiters: [waiter], enqueued: now)
            let isToBegin = state.working < options.width
            if isToBegin { state.working += 1 }
            defer { state.isWatched = true }
            return (true, isToBegin, !state.isWatched)
        }
        if outcome.isToWatch { scheduleCheck() }
        if outcome.isToBegin { threads.run { self.work() } }
        if !outcome.isTaken { return waiter.complete(refusal) }
        if !outcome.isToBegin { waiter.onSlow?() }
    }

    private func work() {
        while let entry = next() {
            entry.work(
                Waiter {
                    for waiter in entry.waiters { waiter.onSlow?() }
                } complete: { complete in
                    for waiter in entry.waiters { waiter.complete(complete) }
                })
        }
    }

    private func next() -> Entry? {
        let now = options.now()
        let (overdue, next) = state.withLock { state -> ([Entry], Entry?) in
            let overdue = state.takeOverdue(
                options.wait, minimumBacklog: QueueTimeout.minimumBacklog(workers: options.width), now: now)
            guard !state.order.isEmpty else {
                state.working -= 1
                return (overdue, nil)
            }
            return (overdue, state.takeFirst(now: now))
        }
        refuse(overdue)
        return next
    }

    private func refuse(_ entries: [Entry]) {
        for entry in entries { for waiter in entry.waiters { waiter.complete(refusal) } }
    }

    /// Ends when no request is queued.
    private func scheduleCheck() {
        let wait = DispatchTimeInterval.nanoseconds(Int(clamping: options.timeout.inNanoseconds))
        timeoutQueue.asyncAfter(deadline: .now() + wait) { [weak self] in self?.checkTimeouts() }
    }

    private func checkTimeouts() {
        let now = options.now()
        let (overdue, isToWatch) = state.withLock { state in
            let overdue = state.takeOverdue(QueueTimeout(longest: options.timeout), now: now)
            state.isWatched = !state.order.isEmpty
            return (overdue, state.isWatched)
        }
        refuse(overdue)
        if isToWatch { scheduleCheck() }
    }
}
