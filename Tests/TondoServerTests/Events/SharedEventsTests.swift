import Glibc
import NIOCore
import Synchronization
import Testing
import TondoAvatars
import TondoRedis
import TondoTestSupport

@testable import TondoServer

@Suite struct SharedEventsTests {
    private let server: RedisServer
    private var address: RedisAddress { RedisAddress("unix:\(server.socket)")! }

    init() throws { server = try RedisServer() }

    private final class Instance: Sendable {
        /// Begins as that of a service does.
        let broadcaster = EventBroadcaster(first: EventBroadcaster.firstByClock)
        let events: SharedEvents

        /// What its books have; by default, everything.
        let versions = Locked<[ContactVersion]?>(nil)
        let outdated = Recorder<String>()

        init(
            _ name: String, _ address: RedisAddress, knows: [ContactVersion]?, hold: Duration, quiet: Duration,
            lease: Duration, outage: Duration
        ) {
            var options = SharedEvents.Options()
            (options.lease, options.leaseInterval, options.outage) = (lease, .milliseconds(50), outage)
            (options.longestHold, options.quiet) = (hold, quiet)
            versions.withLock { $0 = knows }
            let own = OwnBooks(
                have: { [versions] version in versions.withLock { $0?.contains(version) ?? true } },
                outdate: { [outdated] in outdated.add($0) })
            events = SharedEvents(
                address: address, books: "b", instance: name, broadcaster: broadcaster, own: own, options: options)
            events.start()
        }

        func send(_ count: Int) {
            broadcaster.send(PublishedEvent(event: .total(count)))
        }

        var kept: [String] {
            broadcaster.state.withLock { state in
                var (texts, next): ([String], UInt64) = ([], state.record.oldest - 1)
                while let batch = state.record.batch(after: next, size: 1) {
                    texts.append(String(buffer: batch.bytes))
                    next = batch.last
                }
                return texts
            }
        }
    }

    /// Ends in no test, as a lease and as an outage: on a busy machine another instance would begin to publish after a short
    /// lease, and an instance would go on alone after a short outage.
    private static let long = Duration.seconds(600)

    /// `role`: what it becomes; nil: either.
    private func start(
        _ name: String, as role: SharedEvents.Role?, knows: [ContactVersion]? = nil, hold: Duration = .seconds(60),
        quiet: Duration = EventRange.quiet, lease: Duration = long, outage: Duration = long
    ) -> Instance {
        let instance = Instance(name, address, knows: knows, hold: hold, quiet: quiet, lease: lease, outage: outage)
        if let role { #expect(until { instance.events.role == role }) }
        return instance
    }

    private func until(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(300)
        while ContinuousClock.now < end {
            if condition() { return true }
            usleep(5_000)
        }
        return false
    }

    @Test func `Two instances have the same events with the same numbers`() {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower)
        for number in 0..<300 { one.send(number) }
        two.send(1_000)
        #expect(until { one.kept.count == 300 && two.kept.count == 300 })
        #expect(one.kept == two.kept)
        #expect(!two.kept.contains { $0.contains("\"count\":1000") })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `Instances that start later, or start again, have the events of the publisher`() async {
        let one = start("one", as: .publisher)
        one.send(1)
        #expect(until { one.kept.count == 1 })
        for name in ["two", "three"] {
            // Its own numbers begin above those of the stream.
            let late = start(name, as: .follower)
            #expect(until { late.kept == one.kept })
            let subscriber = late.broadcaster.subscribe()
            one.send(2)
            #expect(until { late.kept == one.kept })
            guard case .events(let bytes) = await subscriber.next() else { return #expect(Bool(false), "no events") }
            #expect(String(buffer: bytes).contains("event: total"))
            late.events.end()
        }
        one.events.end()
    }

    @Test func `A client that goes to another instance misses nothing and gets nothing twice`() async throws {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower)
        for number in 0..<10 { one.send(number) }
        #expect(until { one.kept.count == 10 && two.kept.count == 10 })
        let subscriber = two.broadcaster.subscribe(after: one.broadcaster.last - 3)
        let batch = await subscriber.next()
        guard case .events(let bytes) = batch else { return #expect(Bool(false), "no events") }
        let text = String(buffer: bytes)
        #expect(text.components("event: total") == 3 && text.contains("\"count\":7") && text.contains("\"count\":9"))
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `Another instance publishes when the publisher ends, and clients are reset`() async {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower)
        one.send(1)
        #expect(until { two.kept.count == 1 })
        let subscriber = two.broadcaster.subscribe()
        one.events.end()
        #expect(until { two.events.role == .publisher })
        let batch = await subscriber.next()
        guard case .events(let bytes) = batch else { return #expect(Bool(false), "no events") }
        #expect(String(buffer: bytes).contains("event: reset"))
        two.send(2)
        #expect(until { two.kept.count == 1 && two.kept[0].contains("\"count\":2") })
        two.events.end()
    }

    @Test func `After silence another instance goes on with the next number, and no client notices`() async {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower, quiet: .zero)
        one.send(1)
        #expect(until { two.kept.count == 1 })
        let (last, subscriber) = (two.broadcaster.last, two.broadcaster.subscribe())
        one.events.end()
        #expect(until { two.events.role == .publisher })
        two.send(2)
        guard case .events(let bytes) = await subscriber.next() else { return #expect(Bool(false), "no events") }
        let text = String(buffer: bytes)
        #expect(
            text.contains("\"count\":2") && text.contains("id: \(last + 1)\n") && !text.contains("reset"), "\(text)")
        #expect(two.kept.count == 2)
        two.events.end()
    }

    @Test func `While Redis does not answer, an instance sends its own events, and ends`() {
        let one = start("one", as: .publisher, outage: .milliseconds(300))
        one.send(1)
        #expect(until { one.kept.count == 1 })
        server.pause()
        one.send(2)
        #expect(until { one.events.role == .alone && one.kept.last?.contains("\"count\":2") == true })
        server.resume()
        #expect(until { one.events.role == .publisher })
        one.send(3)
        #expect(until { one.kept.last?.contains("\"count\":3") == true })
        server.pause()
        one.events.end()
        server.resume()
    }

    @Test func `The stream keeps about ten thousand events`() throws {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: "x")
        for batch in 0..<25 {
            try log.append((1...1_000).map { .init(seq: UInt64(batch * 1_000 + $0), name: "total", json: "{}") })
        }
        let length = try #require(Int(try server.cli("XLEN", "tondo:1:{events:b}:log")))
        // Redis trims whole nodes of about a hundred.
        #expect((SharedEventLog.kept...SharedEventLog.kept + 200).contains(length))
        #expect(SharedEventLog.kept == 10_000)
        #expect(try log.last() == 25_000)
    }

    @Test func `A node of a Redis Cluster takes lease and events`() throws {
        let node = try RedisServer.clusterNode()
        let log = SharedEventLog(
            connection: RedisConnection(to: RedisAddress("unix:\(node.socket)")!), books: "b", instance: "x")
        #expect(try log.hold(for: .seconds(60)) && log.hold(for: .seconds(60)))
        try log.append([.init(seq: 1, name: "total", json: "{}"), .init(seq: 2, name: "total", json: "{}")])
        #expect(try log.read(after: 0, waiting: .milliseconds(1)).map(\.seq) == [1, 2])
        try log.release()
    }

    @Test func `A server without memory refuses events as a whole`() throws {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: "x")
        let entries = (1...3).map { SharedEventLog.Entry(seq: $0, name: "total", json: "{}") }
        try server.cli("CONFIG", "SET", "maxmemory", "1")
        let error = #expect(throws: SharedEventLog.Failure.self) { try log.append(entries) }
        guard case .redis(.refused(let text)) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(text.hasPrefix("OOM "))
        #expect(try log.last() == 0)
        try server.cli("CONFIG", "SET", "maxmemory", "0")
        try log.append(entries)
        #expect(try log.last() == 3)
    }

    @Test func `A new instance has the events of before`() {
        let one = start("one", as: .publisher)
        for number in 0..<20 { one.send(number) }
        #expect(until { one.kept.count == 20 })
        let two = start("two", as: .follower)
        #expect(until { two.kept == one.kept })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `Without Redis an instance sends its own events, and joins the others again later`() {
        let one = start("one", as: .publisher, outage: .milliseconds(300))
        one.send(1)
        #expect(until { one.kept.count == 1 })
        server.stop()
        one.send(2)
        #expect(until { one.events.role == .alone && one.kept.last?.contains("\"count\":2") == true })
        one.send(3)
        #expect(until { one.kept.last?.contains("\"count\":3") == true })
        try? server.start()
        #expect(until { one.events.role == .publisher })
        one.send(4)
        #expect(until { one.kept.last?.contains("\"count\":4") == true })
        let two = start("two", as: .follower)
        #expect(until { two.kept == one.kept && two.broadcaster.last == one.broadcaster.last })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `After a silence in which only the own books had an event, a new publisher resets`() async {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower, hold: .milliseconds(1), quiet: .zero)
        one.send(1)
        #expect(until { two.kept.count == 1 })
        // The publisher has not read this change.
        usleep(50_000)
        two.broadcaster.send(removal("a"))
        let subscriber = two.broadcaster.subscribe()
        one.events.end()
        #expect(until { two.events.role == .publisher })
        guard case .events(let bytes) = await subscriber.next() else { return #expect(Bool(false), "no events") }
        #expect(String(buffer: bytes).contains("event: reset"))
        two.events.end()
    }

    @Test func `What an instance finds in the stream when it starts is sent to none of its clients as new`()
        async throws
    {
        let broadcaster = EventBroadcaster(first: EventBroadcaster.firstByClock)
        let early = broadcaster.subscribe()
        broadcaster.adopt(
            [(4, SharedEventLog.begin, ""), (5, "total", "five"), (6, "total", "six")], restarts: [4])
        let late = broadcaster.subscribe(after: 5)
        broadcaster.add("total", data: "seven", as: 7)
        guard case .events(let first) = await early.next(), case .events(let second) = await late.next() else {
            return #expect(Bool(false), "no events")
        }
        let (text, resumed) = (String(buffer: first), String(buffer: second))
        #expect(text.contains("event: reset") && !text.contains("five") && !text.contains("six"))
        #expect(!resumed.contains("reset") && !resumed.contains("five"))
        #expect(resumed.contains("six") && resumed.contains("seven"))
    }

    @Test func `What a follower had read shortly before it publishes follows the reset`() {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower)
        one.send(1)
        two.send(1)
        #expect(until { two.kept.count == 1 })
        // The publisher ends before it has read this change.
        two.send(2)
        one.events.end()
        #expect(until { two.events.role == .publisher && two.kept.count == 2 })
        #expect(two.kept[0].contains("\"count\":1") && two.kept[1].contains("\"count\":2"))
        two.events.end()
    }

    @Test func `An event behind one that Redis lost is not added`() throws {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: "x")
        try log.append([.init(seq: 7, name: "total", json: "{}")])
        try log.append([.init(seq: 8, name: "total", json: "{}")], after: 7)
        try server.cli("FLUSHALL")
        #expect(throws: SharedEventLog.Failure.lost) {
            try log.append([.init(seq: 9, name: "total", json: "{}")], after: 8)
        }
        #expect(try log.last() == 0)
    }

    @Test func `A publisher whose events Redis lost begins again with the last ones`() throws {
        let one = start("one", as: .publisher, lease: .milliseconds(600))
        one.send(1)
        #expect(until { one.kept.count == 1 })
        let last = one.broadcaster.last
        try server.cli("FLUSHALL")
        #expect(until { one.broadcaster.last > last && one.kept.count == 1 })
        let two = start("two", as: nil)
        #expect(until { two.kept == one.kept })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `A batch of which one number is taken is not added in part`() throws {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: "x")
        try log.append([.init(seq: 105, name: "total", json: "{}")])
        #expect(throws: SharedEventLog.Failure.overtaken) {
            try log.append((100...110).map { .init(seq: $0, name: "total", json: "{}") })
        }
        #expect(try log.last() == 105)
    }

    @Test func `A publisher that was paused does not publish over another one`() throws {
        let log = SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: "x")
        try log.append([.init(seq: 10, name: "total", json: "{}"), .init(seq: 11, name: "total", json: "{}")])
        #expect(throws: SharedEventLog.Failure.overtaken) {
            try log.append([.init(seq: 11, name: "total", json: "{}")])
        }
        #expect(try log.last() == 11)
    }

    @Test func `One instance at a time holds the lease, and another one gets it after its end`() throws {
        let logs = ["x", "y"].map { SharedEventLog(connection: RedisConnection(to: address), books: "b", instance: $0) }
        #expect(try logs[0].hold(for: .seconds(60)))
        #expect(try logs[0].hold(for: .seconds(60)))
        #expect(try !logs[1].hold(for: .seconds(60)))
        try logs[1].release()
        #expect(try !logs[1].hold(for: .seconds(60)))
        try logs[0].release()
        #expect(try logs[1].hold(for: .seconds(60)))
    }

    private func removal(_ id: String) -> PublishedEvent { PublishedEvent(event: .contactRemoved(id: id)) }

    @Test func `An event waits until the own books have the change, and so do those behind it`() {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower, knows: [])
        one.send(0)
        #expect(until { two.kept.count == 1 }, "It is about no contact")
        one.broadcaster.send(removal("a"))
        one.send(1)
        #expect(until { one.kept.count == 3 })
        // Longer than it takes to come.
        usleep(300_000)
        #expect(two.kept.count == 1)
        two.versions.withLock { $0 = [ContactVersion(id: "a", state: .removed)] }
        #expect(until { two.kept == one.kept })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `An event waits no longer than the bound`() {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower, knows: [], hold: .milliseconds(200))
        one.broadcaster.send(removal("a"))
        #expect(until { two.kept.count == 1 })
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `The avatars of a contact are outdated with the event of another instance`() {
        let one = start("one", as: .publisher)
        let two = start("two", as: .follower)
        one.broadcaster.send(
            PublishedEvent(event: .avatarFailed(FailedAvatar("a", code: "undecodable", message: "m"))))
        #expect(until { two.kept.count == 1 })
        #expect(two.outdated.all == ["a"])
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `Events cost a follower no command of its own`() throws {
        let (one, two) = (start("one", as: .publisher), start("two", as: .follower))
        // Only attempts to take the lease set a value.
        let before = try server.calls(of: "set")
        for number in 0..<300 { two.send(number) }
        one.send(1)
        #expect(until { two.kept.count == 1 })
        #expect(try server.calls(of: "set") - before < 3)
        for instance in [one, two] { instance.events.end() }
    }

    @Test func `Any number of events passes through an outlet`() {
        let broadcaster = EventBroadcaster()
        let count = Locked(0)
        broadcaster.pass(to: { _ in count.withLock { $0 += 1 } })
        for number in 0..<200_000 { broadcaster.send(PublishedEvent(event: .total(number))) }
        #expect(count.withLock { $0 } == 200_000)
    }

    @Test func `After an end the events come from the instance itself`() {
        let one = start("one", as: .publisher)
        one.events.end()
        let last = one.broadcaster.last
        one.send(1)
        #expect(one.broadcaster.last == last + 1)
    }
}

extension String {
    fileprivate func components(_ part: String) -> Int { ranges(of: part).count }
}
