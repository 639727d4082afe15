internal import DequeModule
internal import Dispatch
internal import Synchronization
internal import TondoAvatars
package import TondoRedis

/// The events of one set of books on several instances: one of them publishes, and all pass on what is published, with the same
/// numbers. So a client that reconnects to another instance goes on where it was, or gets `reset`.
///
/// Two threads: one keeps the lease and publishes, the other reads. While Redis is away, each instance sends its own events,
/// in a range of its own: its clients get `reset` then, and again when Redis is back.
package final class SharedEvents: Sendable {
    /// Decides where the events of the own books go.
    package enum Role: String, Sendable {
        /// Not known yet: its events wait.
        case undecided
        case publisher, follower
        /// Without Redis.
        case alone
    }

    /// An event of the books.
    private struct Offer {
        var number: Int
        var time: ContinuousClock.Instant
        var event: PublishedEvent
    }

    private struct State {
        var role = Role.undecided
        var waiting: [Offer] = []
        /// Those of the last seconds, published or not. A client that fetches everything after its `reset` may do so from an
        /// instance whose books are behind: a new range begins with these.
        var recent = Deque<Offer>()
        var offers = 0
        var hasOverflowed = false
        /// The last one that the books had, and the last one that was read from the stream.
        var lastOwn: ContinuousClock.Instant?
        var lastShared: ContinuousClock.Instant?
        /// Rises with each range of numbers that only this instance has: the first one is that of its start.
        var ownRanges = 1
        var isEnded = false
    }

    private let address: RedisAddress
    private let books: String
    private let instance: String
    private let options: Options
    private let broadcaster: EventBroadcaster
    private let own: OwnBooks
    private let onRole: @Sendable (Role) -> Void
    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let threads = DispatchGroup()

    /// `books`: names the set of books in Redis. `instance`: unique. `onRole` is called on a thread of this object, and may
    /// log.
    package convenience init(
        address: RedisAddress, books: String, instance: String, addressBooks: AddressBookService,
        options: Options = Options(), onRole: @escaping @Sendable (Role) -> Void = { _ in }
    ) {
        self.init(
            address: address, books: books, instance: instance, broadcaster: addressBooks.broadcaster,
            own: addressBooks.ownBooks, options: options, onRole: onRole)
    }

    init(
        address: RedisAddress, books: String, instance: String, broadcaster: EventBroadcaster, own: OwnBooks,
        options: Options = Options(), onRole: @escaping @Sendable (Role) -> Void = { _ in }
    ) {
        self.address = address
        self.books = books
        self.instance = instance
        self.options = options
        self.broadcaster = broadcaster
        self.own = own
        self.onRole = onRole
    }

    package var role: Role { state.withLock { $0.role } }

    /// Begins to take the events of the broadcaster's books.
    package func start() {
        broadcaster.pass(to: { self.offer($0) })
        for (name, body) in [("publish", publishUntilEnd), ("read", readUntilEnd)] {
            DispatchQueue(label: "tondo.events.\(name)").async(group: threads) { body() }
        }
    }

    /// Gives the lease back, so that another instance publishes at once. Blocks for a second or two. The broadcaster gets the
    /// events of its books again.
    package func end() {
        broadcaster.pass(to: nil)
        state.withLock { $0.isEnded = true }
        work.signal()
        threads.wait()
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    private func offer(_ event: PublishedEvent) {
        let isFollower = state.withLock { state in
            state.lastOwn = .now
            state.offers += 1
            let offer = Offer(number: state.offers, time: .now, event: event)
            state.recent.append(offer)
            if state.recent.count > options.mostWaiting { state.recent.removeFirst() }
            // Another one publishes it. Only the time decides when to ask for the lease again, so that events cost Redis nothing.
            if state.role == .follower { return true }
            if state.waiting.count >= options.mostWaiting {
                state.waiting = []
                state.hasOverflowed = true
            }
            state.waiting.append(offer)
            return false
        }
        if !isFollower { work.signal() }
    }

    /// Other instances have the same change within the longest hold, and so do those that read it later than this one.
    private func forgetOld() {
        state.withLock { state in
            let oldest = ContinuousClock.now - options.longestHold * 2
            while let first = state.recent.first, first.time < oldest { state.recent.removeFirst() }
        }
    }

    private func addRecent() {
        forgetOld()
        state.withLock { state in
            let first = state.recent.first?.number ?? .max
            state.waiting.removeAll { $0.number >= first }
            state.waiting += state.recent
        }
    }

    private func become(_ role: Role) {
        let isNew = state.withLock { state in
            defer { state.role = role }
            if role == .follower { state.waiting = [] }
            return state.role != role
        }
        if isNew { onRole(role) }
    }

    // MARK: Publishing

    private func publishUntilEnd() {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: books, instance: instance)
        var publisher = Publisher(next: nil, unconfirmed: [], heldUntil: .now, failingSince: nil)
        while !isEnded {
            do throws(SharedEventLog.Failure) {
                try step(log, with: &publisher)
                publisher.failingSince = nil
                _ = work.wait(timeout: .now() + .milliseconds(Int(options.leaseInterval / .milliseconds(1))))
            } catch {
                recover(from: error, &publisher)
                _ = work.wait(timeout: .now() + .milliseconds(100))
            }
        }
        try? log.release()
    }

    private struct Sent {
        var entry: SharedEventLog.Entry
        /// Nil: the entry begins a range.
        var event: PublishedEvent?
    }

    private struct Publisher {
        /// The number of the next event; nil: not the publisher.
        var next: UInt64?
        /// Sent, but without an answer.
        var unconfirmed: [Sent]
        /// The lease is surely this instance's until then.
        var heldUntil: ContinuousClock.Instant
        var failingSince: ContinuousClock.Instant?
    }

    private func step(_ log: SharedEventLog, with publisher: inout Publisher) throws(SharedEventLog.Failure) {
        let now = ContinuousClock.now
        forgetOld()
        if publisher.next == nil || publisher.heldUntil - now < options.lease * 2 / 3 {
            guard try log.hold(for: options.lease) else {
                publisher.next = nil
                publisher.unconfirmed = []
                return become(.follower)
            }
            publisher.heldUntil = now + options.lease
            // A flush, a restart or a failover lost what another instance may not have read, and nothing follows that would show it.
            if let next = publisher.next, publisher.unconfirmed.isEmpty, try log.last() < next - 1 {
                publisher.next = nil
            }
        }
        if publisher.next == nil { try begin(log, with: &publisher) }
        if !publisher.unconfirmed.isEmpty { try resend(log, with: &publisher) }
        try publishWaiting(log, with: &publisher)
    }

    /// The lease is new.
    private func begin(_ log: SharedEventLog, with publisher: inout Publisher) throws(SharedEventLog.Failure) {
        let isKnowing = role == .follower
        // From here on events wait: a client that fetches everything after its `reset` must miss none.
        become(.undecided)
        let silence = state.withLock { Self.silence($0, longest: options.longestHold) }
        let range = EventRange(
            last: try log.last(), known: broadcaster.last, silence: isKnowing ? silence : nil,
            clock: EventBroadcaster.firstByClock, quiet: options.quiet)
        switch range {
        case .goesOn(let next): publisher.next = next
        case .begins(let first):
            try log.append([.init(seq: first, name: SharedEventLog.begin, json: "{}")])
            publisher.next = first + 1
            addRecent()
        }
        become(.publisher)
    }

    /// The time since the last event; nil: unknown, or the last publisher seems to have missed what the own books have, since it
    /// has published nothing from a while before until now.
    private static func silence(_ state: State, longest: Duration) -> Duration? {
        guard let own = state.lastOwn else { return state.lastShared.map { .now - $0 } }
        guard let shared = state.lastShared, shared > own - longest else { return nil }
        return .now - max(own, shared)
    }

    /// The connection was lost before the answer: some of the events may be in the stream.
    private func resend(_ log: SharedEventLog, with publisher: inout Publisher) throws(SharedEventLog.Failure) {
        let last = try log.last()
        publisher.unconfirmed.removeAll { $0.entry.seq <= last }
        try appendUnconfirmed(log, &publisher)
    }

    private func appendUnconfirmed(_ log: SharedEventLog, _ publisher: inout Publisher) throws(SharedEventLog.Failure) {
        guard let first = publisher.unconfirmed.first else { return }
        // The first of a new range follows a gap.
        let previous = first.event == nil ? 0 : first.entry.seq - 1
        try log.append(publisher.unconfirmed.map(\.entry), after: previous)
        publisher.unconfirmed = []
    }

    private func publishWaiting(_ log: SharedEventLog, with publisher: inout Publisher) throws(SharedEventLog.Failure) {
        while var next = publisher.next {
            let (events, hasOverflowed) = state.withLock { state in
                defer {
                    state.waiting = Array(state.waiting.dropFirst(200))
                    state.hasOverflowed = false
                }
                return (state.waiting.prefix(200).map(\.event), state.hasOverflowed)
            }
            if hasOverflowed {
                next = max(EventBroadcaster.firstByClock, next)
                publisher.unconfirmed.append(Sent(entry: .init(seq: next, name: SharedEventLog.begin, json: "{}")))
                next += 1
            }
            for event in events {
                let json = String(decoding: event.json(number: next), as: UTF8.self)
                publisher.unconfirmed.append(
                    Sent(
                        entry: .init(seq: next, name: event.event.name, json: json, version: event.version),
                        event: event))
                next += 1
            }
            publisher.next = next
            if publisher.unconfirmed.isEmpty { return }
            try appendUnconfirmed(log, &publisher)
            // A long run of events must not cost the lease.
            guard publisher.heldUntil - .now >= options.lease / 2 else {
                work.signal()
                return
            }
        }
    }

    private func recover(from error: SharedEventLog.Failure, _ publisher: inout Publisher) {
        // What was lost is among the recent events, with which the next range begins.
        if error == .overtaken || error == .lost {
            publisher.next = nil
            publisher.unconfirmed = []
        }
        let since = publisher.failingSince ?? .now
        publisher.failingSince = since
        guard case .redis = error, ContinuousClock.now - since >= options.outage else { return }
        if role != .alone {
            // Above all numbers that clients have, and not where another instance that is alone begins at this moment.
            let next = max(EventBroadcaster.firstByClock, broadcaster.last + 2) + .random(in: 0..<1_000_000)
            // First: from now on the reader gives the broadcaster no numbers of the stream.
            state.withLock { $0.ownRanges += 1 }
            broadcaster.restart(next: next)
        }
        // Clients fetch everything again, so that what some have got already does no harm.
        let sent = publisher.unconfirmed.compactMap(\.event)
        publisher.next = nil
        publisher.unconfirmed = []
        become(.alone)
        let events = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting.map(\.event)
        }
        for event in sent + events { broadcaster.add(event) }
    }

    // MARK: Reading

    private struct Reader {
        /// The number of the last event that was read.
        var position: UInt64 = 0
        /// The broadcaster has numbers of the stream since this range of its own.
        var ownRanges: Int
        /// What was in the stream before this instance is read; the books have it, or will have it as if it were new.
        var isCurrent = false
        /// What was read of that.
        var history: [SharedEventLog.Entry] = []
        var held: HeldEvents
    }

    private func readUntilEnd() {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: books, instance: instance)
        var reader = newReader()
        while !isEnded {
            do throws(SharedEventLog.Failure) { try read(log, with: &reader) } catch {
                passReady(&reader)
                pause(.milliseconds(100))
            }
        }
    }

    private func newReader() -> Reader {
        Reader(ownRanges: state.withLock { $0.ownRanges }, held: HeldEvents(longest: options.longestHold))
    }

    private func read(_ log: SharedEventLog, with reader: inout Reader) throws(SharedEventLog.Failure) {
        // While events wait, no more are read than can wait, and the books are looked at often.
        guard reader.held.count < SharedEventLog.mostRead else {
            pause(.milliseconds(10))
            return passReady(&reader)
        }
        let waiting = Duration.milliseconds(reader.held.isEmpty ? 500 : 10)
        let entries = try log.read(after: reader.position, waiting: waiting)
        // Its own range is passed on; the shared one follows from the beginning once Redis is back.
        let (isAlone, ownRanges) = state.withLock { ($0.role == .alone, $0.ownRanges) }
        if isAlone || ownRanges != reader.ownRanges {
            reader = newReader()
            if isAlone { pause(.milliseconds(100)) }
            return
        }
        if let first = entries.first, let last = entries.last {
            // The stream was empty. Its numbers may be lower than those of an own range that began later.
            if reader.position == 0, reader.isCurrent {
                unlessAlone(since: reader) { broadcaster.restart(next: first.seq, isBack: true) }
            }
            reader.position = last.seq
            state.withLock { $0.lastShared = .now }
            if reader.isCurrent { reader.held.add(entries, at: .now) } else { reader.history += entries }
        }
        if !reader.isCurrent, entries.count < SharedEventLog.mostRead {
            adopt(reader)
            reader.isCurrent = true
            reader.history = []
        }
        passReady(&reader)
    }

    private func passReady(_ reader: inout Reader) {
        // What it publishes comes from its books.
        let isOwn = role == .publisher
        pass(reader.held.ready(at: .now) { isOwn || own.have($0) })
    }

    /// In one step: a client would get them as if they were new, although another instance may have sent it some of them.
    private func adopt(_ reader: Reader) {
        let entries = reader.history
        for case .some(let version) in entries.map(\.version) where version.state == .same { own.outdate(version.id) }
        let restarts = Set(entries.lazy.filter { $0.name == SharedEventLog.begin }.map(\.seq))
        unlessAlone(since: reader) { broadcaster.adopt(entries.map { ($0.seq, $0.name, $0.json) }, restarts: restarts) }
    }

    /// The other thread may begin an own range at any moment: its numbers must not be replaced.
    private func unlessAlone(since reader: Reader, _ body: () -> Void) {
        state.withLock { if $0.ownRanges == reader.ownRanges { body() } }
    }

    private func pass(_ entries: [SharedEventLog.Entry]) {
        for entry in entries {
            if entry.name == SharedEventLog.begin {
                broadcaster.restart(next: entry.seq + 1)
            } else {
                // An avatar that another instance drew of a new photo.
                if let version = entry.version, version.state == .same { own.outdate(version.id) }
                broadcaster.add(entry.name, data: entry.json, as: entry.seq)
            }
        }
    }

    private func pause(_ time: Duration) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }
}
