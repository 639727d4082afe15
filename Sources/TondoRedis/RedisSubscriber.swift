internal import Dispatch
internal import Glibc
internal import Synchronization

/// Hears messages on channels of one Redis, on one connection of its own, and only while someone has subscribed to any.
///
/// A message may be lost: while the connection is made again, while the Redis is away, or if its user may not subscribe. So
/// messages serve to hear sooner of what is found without them, too, and none of their errors reaches a caller. They are not counted
/// by the breaker of the pool; while it is open, no connection is tried. Usable from any thread; never blocks.
package final class RedisSubscriber: Sendable {
    /// Called for each message, on the thread of the subscriber: it must not block.
    package typealias Handler = @Sendable () -> Void

    /// Ends with its last reference.
    package final class Subscription: Sendable {
        private let subscriber: RedisSubscriber
        private let channel: String
        private let number: Int

        fileprivate init(_ subscriber: RedisSubscriber, _ channel: String, _ number: Int) {
            (self.subscriber, self.channel, self.number) = (subscriber, channel, number)
        }

        deinit { subscriber.remove(number, from: channel) }
    }

    fileprivate struct State {
        var handlers: [String: [Int: Handler]] = [:]
        /// Channels that got their first handler, or lost their last one, since the thread looked.
        var changed: Set<String> = []
        var subscriptions = 0
        var isRunning = false
        /// Channels that the Redis has confirmed.
        var confirmed: Set<String> = []
    }

    private let pool: RedisPool
    private let pauses: Pauses
    private let wakeup: Wakeup
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tondo.redis.subscriber")

    /// How long the subscriber waits before it connects again.
    package struct Pauses: Sendable {
        package var error = Duration.seconds(1)
        /// The user may not subscribe, which an administrator has to change.
        package var refusal = Duration.seconds(60)

        package init() {}
    }

    /// Nil: the process has no descriptors left. Does not connect.
    package init?(_ pool: RedisPool, _ pauses: Pauses = Pauses()) {
        guard let wakeup = Wakeup() else { return nil }
        (self.pool, self.pauses) = (pool, pauses)
        self.wakeup = wakeup
    }

    package func subscribe(to channel: String, _ handler: @escaping Handler) -> Subscription {
        let (number, starts) = state.withLock { state in
            state.subscriptions += 1
            if state.handlers[channel] == nil { state.changed.insert(channel) }
            state.handlers[channel, default: [:]][state.subscriptions] = handler
            defer { state.isRunning = true }
            return (state.subscriptions, !state.isRunning)
        }
        if starts { queue.async { self.run() } } else { wakeup.send() }
        return Subscription(self, channel, number)
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
        var (again, used) = (ContinuousClock.now, ContinuousClock.now)
        while true {
            let isIdle = state.withLock { $0.handlers.isEmpty }
            if !isIdle { used = .now }
            do throws(RedisError) {
                if feed == nil, !isIdle, again <= .now {
                    guard pool.breaker == .closed else { throw .suspended }
                    let new = try ChannelFeed(pool.address, within: pool.time)
                    pool.connected()
                    // All of them are new to this connection.
                    state.withLock { $0.changed = Set($0.handlers.keys) }
                    feed = new
                }
                try feed?.change(changes())
            } catch {
                again = .now + pause(after: error)
                close(&feed)
            }
            let time = feed == nil && !isIdle ? ContinuousClock.now.duration(to: again) : .seconds(1)
            if wait(feed?.descriptor, atMost: time) { wakeup.clear() }
            do throws(RedisError) {
                if let messages = try feed?.receive() { pass(messages) }
            } catch {
                again = .now + pause(after: error)
                close(&feed)
            }
            // A second without anything to hear ends the connection, and the thread.
            if isIdle, used + .seconds(1) <= .now, state.withLock({ $0.ends() }) { return }
        }
    }

    private func close(_ feed: inout ChannelFeed?) {
        feed = nil
        state.withLock { $0.confirmed = [] }
    }

    private func pause(after error: RedisError) -> Duration {
        switch error {
        case .denied, .refused: pauses.refusal
        default: pauses.error
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
                case .message(let channel): return state.handlers[channel].map { Array($0.values) } ?? []
                case .subscribed(let channel): state.confirmed.insert(channel)
                case .unsubscribed(let channel): state.confirmed.remove(channel)
                }
                return []
            }
        }
        for handler in handlers { handler() }
    }
}

extension RedisSubscriber.State {
    /// True: the thread has to end.
    fileprivate mutating func ends() -> Bool {
        guard handlers.isEmpty else { return false }
        (isRunning, changed, confirmed) = (false, [], [])
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
    }

    private typealias Deadline = ContinuousClock.Instant

    private let socket: RedisSocket
    private let reader: ReplyReader
    private let time: Duration
    /// Replies of AUTH and SELECT that have not come yet.
    private var greetings: Int
    /// Replies that have not come; and when they are late. A connection whose other side is gone would be silent for ever.
    private var missing = 0
    private var deadline = Deadline.now
    private static let longestReply = Duration.seconds(1)

    init(_ address: RedisAddress, within time: Duration) throws(RedisError) {
        let deadline = Deadline.now + time
        let greeting = address.greeting
        (self.time, greetings) = (time, greeting.count)
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
        if missing == 0 { self.deadline = .now + Self.longestReply }
        missing += commands.count
    }

    /// What has come.
    mutating func receive() throws(RedisError) -> [Event] {
        var events: [Event] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 1)
        defer { buffer.deallocate() }
        while let count = try socket.receiveSome(into: buffer) {
            try reader.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            while let value = try reader.next() {
                if let event = try event(of: value) { events.append(event) }
            }
        }
        if missing > 0, deadline <= .now { throw .timedOut }
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
        deadline = .now + Self.longestReply
    }
}
