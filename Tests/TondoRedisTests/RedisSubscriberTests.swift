import Dispatch
import Glibc
import Testing
import TondoTestSupport

@testable import TondoRedis

@Suite(.timeLimit(.minutes(15)), .blocking) struct RedisSubscriberTests {
    private let server: RedisServer
    private let heard = Recorder<String>()

    init() throws { server = try RedisServer() }

    private func subscriber(
        user: String? = nil, _ times: RedisSubscriber.Times? = nil,
        pool change: (inout RedisPool.Options) -> Void = { _ in }
    ) throws -> (RedisSubscriber, RedisPool) {
        var address = RedisAddress("unix:\(server.socket)")!
        if let user { (address.user, address.password) = (user, "secret") }
        var options = RedisPool.Options()
        options.time = .seconds(20)
        change(&options)
        let pool = RedisPool(address, options)
        return (try #require(RedisSubscriber(pool, times ?? .init())), pool)
    }

    /// Records `name` for each call of the handler; that of the confirmation is waited for.
    private func subscribe(
        _ subscriber: RedisSubscriber, _ channel: String, as name: String? = nil
    ) -> RedisSubscriber.Subscription {
        let name = name ?? channel
        let before = heard.all.count { $0 == name }
        let subscription = subscriber.subscribe(to: channel) { [heard] in heard.add(name) }
        #expect(eventually { subscriber.hears(channel) && heard.all.count { $0 == name } > before })
        return subscription
    }

    private func publish(_ channel: String) throws { try server.cli("PUBLISH", channel, "") }

    /// How often the handler with this name was called.
    private func calls(_ name: String) -> Int { heard.all.count { $0 == name } }

    private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<60_000 {
            if try condition() { return true }
            usleep(5_000)
        }
        return false
    }

    /// Short pauses, and no limit that a busy machine reaches.
    private var times: RedisSubscriber.Times {
        var times = RedisSubscriber.Times()
        (times.pause, times.reply, times.life) = (.milliseconds(20), .seconds(20), .seconds(3_600))
        return times
    }

    @Test func `hears the messages of its channels alone, on one connection`() throws {
        let (subscriber, pool) = try subscriber()
        let subscriptions = [("a", "1"), ("b", "2"), ("a", "3")].map { subscribe(subscriber, $0, as: $1) }
        let before = heard.all.count
        for channel in ["c", "b", "a"] { try publish(channel) }
        #expect(eventually { heard.all.count == before + 3 })
        #expect(["1", "2", "3"].map(calls) == [2, 2, 2] && heard.all[before] == "2")
        #expect(pool.counters.connects == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `connects for a subscription, and disconnects after the last one`() throws {
        let (subscriber, pool) = try subscriber()
        #expect(pool.counters.connects == 0)
        var first: RedisSubscriber.Subscription? = subscribe(subscriber, "a", as: "1")
        var second: RedisSubscriber.Subscription? = subscribe(subscriber, "a", as: "2")
        withExtendedLifetime(first) { first = nil }
        try publish("a")
        #expect(eventually { calls("2") == 2 } && calls("1") == 1, "One of them is left")
        withExtendedLifetime(second) { second = nil }
        #expect(try eventually { try server.cli("PUBSUB", "CHANNELS") == "" })
        #expect(try eventually { try server.cli("CLIENT", "LIST").split(separator: "\n").count == 1 })
        let third = subscribe(subscriber, "a")
        #expect(pool.counters.connects == 2)
        withExtendedLifetime(third) {}
    }

    @Test func `connects again after a restart, with all that it hears`() throws {
        let (subscriber, pool) = try subscriber(times)
        let subscriptions = ["a", "b"].map { subscribe(subscriber, $0) }
        server.stop()
        #expect(eventually { !subscriber.hears("a") })
        try server.start()
        #expect(eventually { subscriber.hears("a") && subscriber.hears("b") })
        // What was said while nothing was heard.
        #expect(eventually { calls("a") == 2 && calls("b") == 2 })
        try publish("b")
        #expect(eventually { calls("b") == 3 })
        #expect(pool.breaker == .closed)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `makes its connection anew now and then`() throws {
        var times = times
        times.life = .milliseconds(300)
        let (subscriber, pool) = try subscriber(times)
        let subscription = subscriber.subscribe(to: "a") { [heard] in heard.add("a") }
        // Something may have been said meanwhile.
        #expect(eventually { pool.counters.connects > 2 && calls("a") > 2 })
        withExtendedLifetime(subscription) {}
    }

    @Test func `a subscription that is not confirmed is made again`() throws {
        var times = times
        times.reply = .milliseconds(50)
        let (subscriber, pool) = try subscriber(times)
        server.pause()
        let subscription = subscriber.subscribe(to: "a") { [heard] in heard.add("a") }
        // The backlog of a server that hangs takes connections.
        #expect(eventually { pool.counters.connects >= 2 })
        server.resume()
        #expect(eventually { calls("a") > 0 })
        withExtendedLifetime(subscription) {}
    }

    @Test func `a user that may not subscribe hears nothing until it may`() throws {
        try server.cli("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+get")
        var times = times
        times.refusalPause = .milliseconds(20)
        let (subscriber, pool) = try subscriber(user: "ada", times)
        let subscription = subscriber.subscribe(to: "a") { [heard] in heard.add("a") }
        #expect(eventually { pool.counters.connects >= 2 })
        #expect(!subscriber.hears("a") && calls("a") == 0 && pool.breaker == .closed)
        try server.cli("ACL", "SETUSER", "ada", "+subscribe", "+unsubscribe", "&a")
        #expect(eventually { calls("a") > 0 })
        withExtendedLifetime(subscription) {}
    }

    @Test func `a user that may not subscribe does not try it for each wait`() throws {
        try server.cli("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+get")
        var times = times
        times.refusalPause = .seconds(3_600)
        let (subscriber, pool) = try subscriber(user: "ada", times)
        for wait in 1...3 {
            let subscription = subscriber.subscribe(to: "\(wait)") {}
            #expect(eventually { pool.counters.connects == 1 })
            // Its thread ends a second after it.
            withExtendedLifetime(subscription) {}
            usleep(wait == 1 ? 1_500_000 : 50_000)
        }
        #expect(pool.counters.connects == 1)
        #expect(RedisSubscriber.Times().refusalPause == .seconds(60), "As documented")
    }

    @Test func `a server that is full for a moment is tried again soon`() throws {
        var times = times
        times.refusalPause = .seconds(3_600)
        let (subscriber, pool) = try subscriber(times)
        // The only client, once those before it are gone.
        let other = RedisConnection(pool.address)
        _ = try other.call(RedisCommand("CONFIG", "SET", "maxclients", "1"), by: .now + .seconds(20))
        let subscription = subscriber.subscribe(to: "a") { [heard] in heard.add("a") }
        #expect(eventually { pool.counters.connects >= 2 })
        #expect(calls("a") == 0)
        _ = try other.call(RedisCommand("CONFIG", "SET", "maxclients", "10"), by: .now + .seconds(20))
        #expect(eventually { calls("a") > 0 })
        withExtendedLifetime(subscription) {}
    }

    @Test func `has no connection while the breaker is open`() throws {
        let (subscriber, pool) = try subscriber(times) { options in
            options.time = .milliseconds(50)
            (options.breaker.firstPause, options.breaker.longestPause) = (.seconds(3_600), .seconds(3_600))
        }
        let subscription = subscribe(subscriber, "a")
        server.stop()
        while pool.breaker == .closed { _ = try? pool.call(RedisCommand("PING")) }
        let connects = pool.counters.connects
        try server.start()
        usleep(100_000)
        #expect(pool.counters.connects == connects && !subscriber.hears("a"))
        withExtendedLifetime(subscription) {}
    }

    @Test func `many threads that come and go leave nothing behind`() throws {
        let (subscriber, _) = try subscriber()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                let subscription = subscriber.subscribe(to: "\((thread + round) % 5)") { [heard] in heard.add("") }
                if round % 20 == 0 { _ = try? server.cli("PUBLISH", "\(round % 5)", "") }
                withExtendedLifetime(subscription) {}
            }
        }
        let last = subscribe(subscriber, "last")
        #expect(try eventually { try server.cli("PUBSUB", "CHANNELS") == "last" })
        try publish("last")
        #expect(eventually { calls("last") == 2 })
        withExtendedLifetime(last) {}
    }
}
