internal import Dispatch
internal import Synchronization
internal import TondoJobs

/// A bounded queue for direct requests, on a few threads, first in, first out: equal requests that are queued together
/// coalesce. A queue that is too long, or too slow, refuses. Usable from any thread; never blocks.
final class AskLine<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    struct Options: Sendable {
        /// The maximum number of running requests.
        var width = 2
        /// The maximum number of queued requests.
        var depth = 1_024
        /// A request that has waited longer than this allows is refused when its turn comes, while more than a few are
        /// queued. An accepted request waits once more, in the draw queue: the burst is shorter than that queue's.
        var wait = WaitBound(longest: .milliseconds(200), burst: .seconds(2))
        /// A request that has waited longer is refused even if its turn does not come, after about twice this time at
        /// most: the requests before it may block on a file server that does not respond.
        var patience = Duration.seconds(10)
        /// Monotonic nanoseconds; replaced in tests.
        var now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    }

    /// A waiter.
    struct Asker: Sendable {
        /// Called if the result takes a while: other requests come first, or drawing is needed; maybe more than once,
        /// and maybe after `answer`.
        var patience: (@Sendable () -> Void)?
        var answer: @Sendable (Answer) -> Void
    }

    /// Calls back all waiters; may block, and may call back later.
    typealias Work = @Sendable (Asker) -> Void

    private struct Entry {
        var work: Work
        var askers: [Asker]
        let came: UInt64
    }

    private struct State {
        var order: [Question] = []
        var entries: [Question: Entry] = [:]
        var age = LineAge()
        /// Running threads.
        var working = 0
        /// A timer checks for overdue requests.
        var isWatched = false
        var counters = Counters()

        mutating func takeFirst(now: UInt64) -> Entry? {
            age.leave(now: now)
            return entries.removeValue(forKey: order.removeFirst())
        }

        /// Removes overdue requests, except for the last `few`.
        mutating func takeOverdue(_ wait: WaitBound, few: Int = 0, now: UInt64) -> [Entry] {
            var overdue: [Entry] = []
            while order.count > few, let first = entries[order[0]],
                now > wait.end(entered: first.came, age)
            {
                overdue += takeFirst(now: now).map { [$0] } ?? []
            }
            counters.refused += overdue.reduce(0) { $0 + $1.askers.count }
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
    private let refusal: Answer
    private let threads: BlockingThreads
    private let watch = DispatchQueue(label: "tondo.ask.watch")

    init(_ options: Options = Options(), refusal: Answer) {
        (self.options, self.refusal) = (options, refusal)
        threads = BlockingThreads(options.width, label: "tondo.ask")
    }

    var counters: Counters { state.withLock { $0.counters } }

    func ask(_ question: Question, _ asker: Asker, work: @escaping Work) {
        let now = options.now()
        let outcome = state.withLock { state -> (isTaken: Bool, isToBegin: Bool, isToWatch: Bool) in
            if state.entries[question] != nil {
                state.entries[question]?.askers.append(asker)
                state.counters.joined += 1
                return (true, false, false)
            }
            guard state.order.count < options.depth else {
                state.counters.refused += 1
                return (false, false, false)
            }
            if state.order.isEmpty { state.age.enter(options.wait, now: now) }
            state.order.append(question)
            state.entries[question] = Entry(work: work, askers: [asker], came: now)
            let isToBegin = state.working < options.width
            if isToBegin { state.working += 1 }
            defer { state.isWatched = true }
            return (true, isToBegin, !state.isWatched)
        }
        if outcome.isToWatch { lookAgain() }
        if outcome.isToBegin { threads.run { self.work() } }
        if !outcome.isTaken { return asker.answer(refusal) }
        if !outcome.isToBegin { asker.patience?() }
    }

    private func work() {
        while let entry = next() {
            entry.work(
                Asker {
                    for asker in entry.askers { asker.patience?() }
                } answer: { answer in
                    for asker in entry.askers { asker.answer(answer) }
                })
        }
    }

    private func next() -> Entry? {
        let now = options.now()
        let (overdue, next) = state.withLock { state -> ([Entry], Entry?) in
            let overdue = state.takeOverdue(options.wait, few: WaitBound.few(workers: options.width), now: now)
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
        for entry in entries { for asker in entry.askers { asker.answer(refusal) } }
    }

    /// Ends when no request is queued.
    private func lookAgain() {
        let wait = DispatchTimeInterval.nanoseconds(Int(clamping: options.patience.inNanoseconds))
        watch.asyncAfter(deadline: .now() + wait) { [weak self] in self?.look() }
    }

    private func look() {
        let now = options.now()
        let (overdue, isToWatch) = state.withLock { state in
            let overdue = state.takeOverdue(WaitBound(longest: options.patience), now: now)
            state.isWatched = !state.order.isEmpty
            return (overdue, state.isWatched)
        }
        refuse(overdue)
        if isToWatch { lookAgain() }
    }
}
