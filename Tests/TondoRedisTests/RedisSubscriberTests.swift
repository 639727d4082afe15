import Dispatch
import Glibc
import Testing
import TondoTestSupport

@testable import TondoRedis

@Suite(.timeLimit(.minutes(2)), .blocking) struct RedisSubscriberTests {
    private let server: RedisServer
    private let heard = Recorder<String>()

    init() throws { server = try RedisServer() }

    private func subscriber(
        user: String? = nil, _ pauses: RedisSubscriber.Pauses = .init(),
        pool change: (inout RedisPool.Options) -> Void = { _ in }
    ) throws -> (RedisSubscriber, RedisPool) {
        var address = RedisAddress("unix:\(server.socket)")!
        if let user { (address.user, address.password) = (user, "secret") }
        var options = RedisPool.Options()
        options.time = .seconds(20)
        change(&options)
        let pool = RedisPool(address, options)
        return (try #require(RedisSubscriber(pool, pauses)), pool)
    }

    private func subscribe(_ subscriber: RedisSubscriber, _ channel: String) -> RedisSubscriber.Subscription {
        let subscription = subscriber.subscribe(to: channel) { [heard] in heard.add(channel) }
        return subscription
    }

    private func publish(_ channel: String) throws { try server.cli("PUBLISH", channel, "") }

    private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<4_000 {
            if try condition() { return true }
            usleep(5_000)
        }
        return false
    }

    @Test func `hears the messages of its channels alone, on one connection`() throws {
        let (subscriber, pool) = try subscriber()
        let subscriptions = ["a", "b", "a"].map { subscribe(subscriber, $0) }
        #expect(eventually { subscriber.hears("a") && subscriber.hears("b") })
        for channel in ["c", "b", "a"] { try publish(channel) }
        #expect(heard.wait(for: 3) == ["b", "a", "a"])
        #expect(pool.counters.connects == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `connects for a subscription, and disconnects after the last one`() throws {
        let (subscriber, pool) = try subscriber()
        #expect(pool.counters.connects == 0)
        var first: RedisSubscriber.Subscription? = subscribe(subscriber, "a")
        var second: RedisSubscriber.Subscription? = subscribe(subscriber, "a")
        #expect(eventually { subscriber.hears("a") })
        withExtendedLifetime(first) { first = nil }
        try publish("a")
        #expect(heard.wait(for: 1) == ["a"], "One of them is left")
        withExtendedLifetime(second) { second = nil }
        #expect(try eventually { try server.cli("PUBSUB", "CHANNELS") == "" })
        #expect(try eventually { try server.cli("CLIENT", "LIST", "TYPE", "PUBSUB") == "" })
        #expect(try eventually { try server.cli("CLIENT", "LIST").split(separator: "\n").count == 1 })
        let third = subscribe(subscriber, "a")
        #expect(eventually { subscriber.hears("a") } && pool.counters.connects == 2)
        withExtendedLifetime(third) {}
    }

    @Test func `connects again after a restart, with all that it hears`() throws {
        var pauses = RedisSubscriber.Pauses()
        pauses.error = .milliseconds(20)
        let (subscriber, pool) = try subscriber(pauses)
        let subscriptions = ["a", "b"].map { subscribe(subscriber, $0) }
        #expect(eventually { subscriber.hears("a") && subscriber.hears("b") })
        server.stop()
        #expect(eventually { !subscriber.hears("a") })
        try server.start()
        #expect(eventually { subscriber.hears("a") && subscriber.hears("b") })
        try publish("b")
        #expect(heard.wait(for: 1) == ["b"])
        #expect(pool.counters.errors.isEmpty && pool.breaker == .closed, "A loss of messages is no error")
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `a subscription that is not confirmed is made again`() throws {
        var pauses = RedisSubscriber.Pauses()
        pauses.error = .milliseconds(20)
        let (subscriber, pool) = try subscriber(pauses)
        server.pause()
        let subscription = subscribe(subscriber, "a")
        // The backlog of a server that hangs takes connections.
        #expect(eventually { pool.counters.connects >= 2 })
        server.resume()
        #expect(eventually { subscriber.hears("a") })
        withExtendedLifetime(subscription) {}
    }

    @Test func `a user that may not subscribe hears nothing until it may`() throws {
        try server.cli("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+get")
        var pauses = RedisSubscriber.Pauses()
        pauses.refusal = .milliseconds(20)
        let (subscriber, pool) = try subscriber(user: "ada", pauses)
        let subscription = subscribe(subscriber, "a")
        #expect(eventually { pool.counters.connects >= 2 })
        #expect(!subscriber.hears("a") && pool.counters.errors.isEmpty && pool.breaker == .closed)
        try server.cli("ACL", "SETUSER", "ada", "+subscribe", "+unsubscribe", "&a")
        #expect(eventually { subscriber.hears("a") })
        withExtendedLifetime(subscription) {}
        #expect(RedisSubscriber.Pauses().refusal == .seconds(60), "Not asked for every wait")
    }

    @Test func `makes no connection while the breaker is open`() throws {
        var pauses = RedisSubscriber.Pauses()
        pauses.error = .milliseconds(20)
        let (subscriber, pool) = try subscriber(pauses) { options in
            options.time = .milliseconds(50)
            (options.breaker.firstPause, options.breaker.longestPause) = (.seconds(3_600), .seconds(3_600))
        }
        server.stop()
        while pool.breaker == .closed { _ = try? pool.call(RedisCommand("PING")) }
        try server.start()
        let subscription = subscribe(subscriber, "a")
        usleep(100_000)
        #expect(pool.counters.connects == 0 && !subscriber.hears("a"))
        withExtendedLifetime(subscription) {}
    }

    @Test func `many threads that come and go leave nothing behind`() throws {
        let (subscriber, pool) = try subscriber()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<200 {
                let subscription = subscribe(subscriber, "\((thread + round) % 5)")
                if round % 20 == 0 { _ = try? server.cli("PUBLISH", "\(round % 5)", "") }
                withExtendedLifetime(subscription) {}
            }
        }
        let last = subscribe(subscriber, "last")
        #expect(try eventually { try server.cli("PUBSUB", "CHANNELS") == "last" })
        try publish("last")
        #expect(eventually { heard.all.contains("last") })
        #expect(pool.counters.errors.isEmpty)
        withExtendedLifetime(last) {}
    }
}
