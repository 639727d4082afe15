internal import Dispatch
internal import Glibc
internal import Synchronization

/// Hears messages on channels of one Redis, on one connection of its own, and only while someone has subscribed to any.
///
/// A message may be lost: while the connection is made again, while the Redis is away, or if its user may not subscribe. So
/// messages serve to hear sooner of what is found without them, too, and none of their errors reaches a caller. They are not
/// counted by the breaker of the pool; while it is open, there is no connection. Usable from any thread; never blocks.
package final class RedisSubscriber: Sendable {
    /// Called for each message, on the thread of the subscriber: it must not block. Also called each time from which on
    /// messages are heard, since there may have been one before; within `subscribe` if that is at once.
    package typealias Handler = @Sendable () -> Void

    /// Ends with its last reference.
    package final class Subscription: Sendable {
        private let subscriber: RedisSubscriber
        private let channel: String
        private let number: Int

        fileprivate init(_ subscriber: RedisSubscriber, channel: String, number: Int) {
            self.subscriber = subscriber
            self.channel = channel
            self.number = number
        }

        deinit { subscriber.remove(number, from: channel) }
    }

    fileprivate struct State {
        var handlers: [String: [Int: Handler]] = [:]
        /// Channels that got their first handler, or lost their last one, since the thread looked.
        var changed: Set<String> = []
        var subscriptions = 0
        var isRunning = false
        /// No connection is tried before.
        var again = ContinuousClock.now
        /// Channels that the Redis has confirmed.
        var confirmed: Set<String> = []
    }

    private let pool: RedisPool
    private let times: Times
    private let wakeup: Wakeup
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tondo.redis.subscriber")

    /// How long a subscriber waits for the server, between two tries, and until it connects anew.
    package struct Times: Sendable {
        /// Before the subscriber connects again after an error.
        package var pause = Duration.seconds(1)
        /// The pause if the user may not subscribe, which an administrator has to change.
        package var refusalPause = Duration.seconds(60)
        /// For the confirmation of a subscription. A connection whose other side is gone would be silent for ever.
        package var reply = Duration.seconds(1)
        /// How long a connection is used. A proxy may lead to another server by then, and nothing shows that this one
        /// receives no messages.
        package var life = Duration.seconds(60)

        package init() {}
    }

    /// Nil: the process has no descriptors left. Does not connect.
    package init?(_ pool: RedisPool, _ times: Times = Times()) {
        guard let wakeup = Wakeup() else { return nil }
        self.pool = pool
        self.times = times
        self.wakeup = wakeup
    }

    /// Calls `handler` for each message until the subscription is released. May call it once on this thread, before it
    /// returns: see `Handler`.
    package func subscribe(to channel: String, _ handler: @escaping Handler) -> Subscription {
        let (number, starts, isHeard) = state.withLock { state in
            state.subscriptions += 1
            if state.handlers[channel] == nil { state.changed.insert(channel) }
            state.handlers[channel, default: [:]][state.subscriptions] = handler
            defer { state.isRunning = true }
            return (state.subscriptions, !state.isRunning, state.confirmed.contains(channel))
        }
        if isHeard { handler() }
        if starts { queue.async { self.run() } } else { wakeup.send() }
        return Subscription(self, channel: channel, number: number)
    }

    /// Whether messages on this channel are heard now.
    package func hears(_ channel: String) -> Bool { state.withLock { $0.confirmed.contains(channel) } }

    private func remove(_ number: Int, from channel: String) {
        // What a handler holds is released outside of the lock.
        let removed = state.withLock { state in
            let removed = state.handlers[channel]?.removeValue(forKey: number)
            if state.handlers[channel]?.isEmpty ?? false {
                state.handlers[channel] = nil
                state.changed.insert(channel)
            }
            return removed
        }
        if removed != nil { wakeup.send() }
    }

    private func run() {
        var feed: ChannelFeed?
        var used = ContinuousClock.now
        while true {
            let (isIdle, again) = state.withLock { state in
                // A new connection begins with all channels.
                if feed == nil { state.changed = [] }
                return (state.handlers.isEmpty, state.again)
            }
            if !isIdle { used = .now }
            if let end = feed?.end, end <= .now { close(&feed, pause: .zero) }
            do throws(RedisError) {
                if feed == nil, !isIdle, again <= .now { feed = try connected() }
                if feed != nil {
                    guard pool.breaker == .closed else { throw .suspended }
                    try feed?.change(changes())
                }
            } catch { close(&feed, pause: pause(after: error)) }
            let rest = state.withLock { ContinuousClock.now.duration(to: $0.again) }
            if wait(feed?.descriptor, atMost: feed == nil && !isIdle ? rest : .seconds(1)) { wakeup.clear() }
            do throws(RedisError) {
                while let events = try feed?.receive() { pass(events) }
            } catch { close(&feed, pause: pause(after: error)) }
            // A second without anything to hear ends the connection, and the thread.
            if isIdle, used + .seconds(1) <= .now, state.withLock({ $0.ends() }) { return }
        }
    }

    private func connected() throws(RedisError) -> ChannelFeed {
        guard pool.breaker == .closed else { throw .suspended }
        let feed = try ChannelFeed(pool.address, within: pool.time, times)
        pool.connected()
        state.withLock { $0.changed = Set($0.handlers.keys) }
        return feed
    }

    private func close(_ feed: inout ChannelFeed?, pause: Duration) {
        feed = nil
        state.withLock {
            $0.confirmed = []
            $0.again = .now + pause
        }
    }

    private func pause(after error: RedisError) -> Duration {
        switch error {
        case .denied(let text), .refused(let text):
            ["NOPERM", "NOAUTH", "WRONGPASS"].contains { text.hasPrefix($0) } ? times.refusalPause : times.pause
        default: times.pause
        }
    }

    /// Channels to subscribe to, and those to leave.
    private func changes() -> ChannelFeed.Changes {
        state.withLock { state in
            defer { state.changed = [] }
            let wanted = state.changed.filter { state.handlers[$0] != nil }
            return .init(new: wanted, old: state.changed.subtracting(wanted))
        }
    }

    /// True: someone called.
    private func wait(_ descriptor: Int32?, atMost time: Duration) -> Bool {
        var items = (
            pollfd(fd: wakeup.output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        )
        let milliseconds = Int32(min(max((time / .milliseconds(1)).rounded(.up), 0), 60_000))
        withUnsafeMutablePointer(to: &items) {
            _ = $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, milliseconds) }
        }
        return items.0.revents != 0
    }

    private func pass(_ events: [ChannelFeed.Event]) {
        let handlers = state.withLock { state in
            events.flatMap { event -> [Handler] in
                switch event {
                case .message: break
                case .subscribed(let channel): state.confirmed.insert(channel)
                case .unsubscribed(let channel):
                    state.confirmed.remove(channel)
                    return []
                }
                return state.handlers[event.channel].map { Array($0.values) } ?? []
            }
        }
        for handler in handlers { handler() }
    }
}

extension RedisSubscriber.State {
    /// True: the thread has to end.
    fileprivate mutating func ends() -> Bool {
        guard handlers.isEmpty else { return false }
        isRunning = false
        changed = []
        confirmed = []
        return true
    }
}

/// A connection in the state that SUBSCRIBE leads to. One thread at a time.
private struct ChannelFeed {
    struct Changes {
        let new: Set<String>
        let old: Set<String>
    }

    enum Event {
        case subscribed(String)
        case unsubscribed(String)
        case message(String)

        var channel: String {
            switch self {
            case .subscribed(let channel), .unsubscribed(let channel), .message(let channel): channel
            }
        }
    }

    private typealias Deadline = ContinuousClock.Instant

    private let socket: RedisSocket
    private let reader: ReplyReader
    private let time: Duration
    private let times: RedisSubscriber.Times
    /// When it has to be closed.
    let end: ContinuousClock.Instant
    /// Replies of AUTH and SELECT that have not come yet.
    private var greetings: Int
    /// Replies that have not come; and when they are late.
    private var missing = 0
    private var deadline = Deadline.now

    init(_ address: RedisAddress, within time: Duration, _ times: RedisSubscriber.Times) throws(RedisError) {
        let start = Deadline.now
        let deadline = start + time
        let greeting = address.greeting
        self.time = time
        self.times = times
        end = start + times.life
        greetings = greeting.count
        socket = try RedisSocket(address.place, by: deadline)
        reader = try ReplyReader(limit: 1 << 20, keepsBuffer: true)
        try send(greeting, by: deadline)
    }

    var descriptor: Int32 { socket.descriptor }

    mutating func change(_ changes: Changes) throws(RedisError) {
        // One command for each channel, so that each has one reply.
        let commands =
            changes.new.map { RedisCommand("SUBSCRIBE", .text($0)) }
            + changes.old.map { RedisCommand("UNSUBSCRIBE", .text($0)) }
        try send(commands, by: .now + time)
    }

    private mutating func send(_ commands: [RedisCommand], by deadline: Deadline) throws(RedisError) {
        guard !commands.isEmpty else { return }
        try socket.send(commands.flatMap(\.encoded), by: deadline)
        // The oldest command counts: later ones must not put off that its reply is late.
        if missing == 0 { self.deadline = .now + times.reply }
        missing += commands.count
    }

    /// A part of what has come; nil: nothing more.
    mutating func receive() throws(RedisError) -> [Event]? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 1)
        defer { buffer.deallocate() }
        guard let count = try socket.receiveSome(into: buffer) else {
            if missing > 0, deadline <= .now { throw .timedOut }
            return nil
        }
        var events: [Event] = []
        try reader.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        while let value = try reader.next() {
            if let event = try event(of: value) { events.append(event) }
        }
        return events
    }

    private mutating func event(of value: RedisValue) throws(RedisError) -> Event? {
        if case .error(let text) = value { throw greetings > 0 ? .denied(text) : .refused(text) }
        if greetings > 0 {
            greetings -= 1
            replied()
            return nil
        }
        guard let parts = value.array, parts.count == 3, let kind = parts[0].text, let channel = parts[1].text else {
            throw .malformed("no message of a channel")
        }
        switch kind {
        case "message": return .message(channel)
        case "subscribe":
            replied()
            return .subscribed(channel)
        case "unsubscribe":
            replied()
            return .unsubscribed(channel)
        default: throw .malformed("no message of a channel")
        }
    }

    private mutating func replied() {
        missing -= 1
        deadline = .now + times.reply
    }
}
