import NIOCore
import Synchronization
import Testing
import TondoTestSupport

@testable import TondoServer

@Suite struct EventBroadcasterTests {
    private func broadcaster(capacity: Int = 10, events: Int) -> EventBroadcaster {
        let broadcaster = EventBroadcaster(capacity: capacity)
        for number in 0..<events { broadcaster.send("n", data: "\(number)") }
        return broadcaster
    }

    /// The ids and names of all events until the ring ends.
    private func recorded(_ subscriber: EventSubscriber) async -> [String] {
        var events: [String] = []
        while let batch = await subscriber.next() {
            guard case .events(let bytes) = batch else { continue }
            let lines = String(buffer: bytes).split(separator: "\n")
            for (id, name) in zip(lines.filter { $0.hasPrefix("id") }, lines.filter { $0.hasPrefix("event") }) {
                events.append("\(id.dropFirst(4)) \(name.dropFirst(7))")
            }
        }
        return events
    }

    @Test func `Who comes anew hears what is sent from now on`() async {
        let broadcaster = broadcaster(events: 3)
        let subscriber = broadcaster.subscribe()
        broadcaster.send("later", data: "")
        broadcaster.end()
        #expect(await recorded(subscriber) == ["4 later"])
    }

    @Test func `Who comes back misses nothing`() async {
        let broadcaster = broadcaster(events: 12)
        let subscribers = [2, 11, 12].map { broadcaster.subscribe(after: $0) }
        broadcaster.end()
        #expect(await recorded(subscribers[0]) == (3...12).map { "\($0) n" })
        #expect(await recorded(subscribers[1]) == ["12 n"])
        #expect(await recorded(subscribers[2]) == [])
    }

    @Test(arguments: [1, 13, UInt64.max])
    func `A subscriber that comes back too late, or from another run, gets a reset`(last: UInt64) async {
        let broadcaster = broadcaster(events: 12)
        let subscriber = broadcaster.subscribe(after: last)
        broadcaster.send("next", data: "")
        broadcaster.end()
        #expect(await recorded(subscriber) == ["12 reset", "13 next"])
    }

    @Test func `Nothing waits for a slow subscriber, which gets a reset and then what follows`() async {
        let broadcaster = broadcaster(events: 0)
        let (slow, quick) = (broadcaster.subscribe(), broadcaster.subscribe())
        for _ in 0..<11 {
            broadcaster.send("n", data: "")
            #expect(await quick.next() != nil)
        }
        #expect(broadcaster.last == 11)
        broadcaster.end()
        #expect(await recorded(slow) == ["11 reset"])
    }

    @Test func `Sixty events of 500 kB keep the ring within its bytes`() {
        let broadcaster = EventBroadcaster(maxSize: 800_000)
        let note = String(repeating: "n", count: 500_000)
        for _ in 0..<60 {
            broadcaster.send("contactChanged", data: note)
            #expect(500_000...800_000 ~= broadcaster.size)
        }
        #expect(broadcaster.last == 60)
    }

    @Test func `Small events drop old ones when their bytes exceed the limit`() async {
        let broadcaster = EventBroadcaster(capacity: 1_000, maxSize: 1_000)
        for number in 0..<500 { broadcaster.send("n", data: "\(number)") }
        #expect(broadcaster.size <= 1_000)
        let (all, late) = (broadcaster.subscribe(after: 0), broadcaster.subscribe(after: 3))
        broadcaster.end()
        let kept = await recorded(all)
        #expect(kept.last == "500 n" && kept.count == broadcaster.state.withLock { 501 - Int($0.record.oldest) })
        #expect(await recorded(late) == ["500 reset"])
    }

    @Test func `A small event after large ones leaves no byte of them behind`() {
        let broadcaster = EventBroadcaster(capacity: 3, maxSize: 100_000)
        broadcaster.send("n", data: String(repeating: "x", count: 90_000))
        for _ in 0..<3 { broadcaster.send("n", data: "") }
        #expect(broadcaster.size < 1_000)
    }

    @Test func `An event larger than the limit reaches a subscriber that keeps up, and replaces all others`() async {
        let broadcaster = EventBroadcaster(maxSize: 1_000)
        let subscriber = broadcaster.subscribe()
        for size in [10, 5_000] { broadcaster.send("n", data: String(repeating: "x", count: size)) }
        #expect(broadcaster.state.withLock { $0.record.oldest } == 2)
        broadcaster.end()
        #expect(await recorded(subscriber) == ["2 reset"])
        #expect(await recorded(broadcaster.subscribe(after: 1)) == ["2 n"])
    }

    @Test func `Subscribers share the bytes of a large event`() async throws {
        let broadcaster = EventBroadcaster()
        broadcaster.send("n", data: String(repeating: "x", count: 50_000))
        broadcaster.send("n", data: "")
        let batches = [await broadcaster.subscribe(after: 0).next(), await broadcaster.subscribe(after: 0).next()]
        let addresses = batches.compactMap { batch -> UnsafeRawPointer? in
            guard case .events(let bytes) = batch else { return nil }
            return bytes.withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(addresses.count == 2 && addresses[0] == addresses[1])
    }

    @Test func `A listener that waits is woken by an event, a heartbeat, the end and its cancellation`() async {
        let broadcaster = broadcaster(events: 0)
        let tasks = (0..<4).map { _ in
            Task {
                let subscriber = broadcaster.subscribe()
                return [await subscriber.next(), await subscriber.next()]
            }
        }
        await asleep(4, in: broadcaster)
        tasks[3].cancel()
        #expect(await tasks[3].value == [nil, nil])
        broadcaster.sendHeartbeat()
        await asleep(3, in: broadcaster)
        broadcaster.send("x", data: "y")
        let event = EventSubscriber.Batch.events(ByteBuffer(string: "id: 1\nevent: x\ndata: y\n\n"))
        #expect(await tasks[0].value == [.silence, event])
        let waiting = broadcaster.subscribe()
        let last = Task { await waiting.next() }
        await asleep(1, in: broadcaster)
        broadcaster.end()
        #expect(await last.value == nil)
    }

    @Test func `Many senders and listeners keep the order of the ids`() async {
        let broadcaster = EventBroadcaster(capacity: 4_000)
        let subscribers = (0..<8).map { _ in broadcaster.subscribe() }
        await withTaskGroup { group in
            for subscriber in subscribers { group.addTask { #expect(await recorded(subscriber).count == 2_000) } }
            for sender in 0..<4 {
                group.addTask { for number in 0..<500 { broadcaster.send("n", data: "\(sender) \(number)") } }
            }
            #expect(await eventually { broadcaster.last >= 2_000 })
            broadcaster.end()
        }
    }

    /// Until so many listeners wait.
    private func asleep(_ count: Int, in broadcaster: EventBroadcaster) async {
        #expect(await eventually { broadcaster.state.withLock({ $0.asleep.count }) >= count })
    }

    @Test func `Signs of life come by themselves until their task ends`() async {
        let broadcaster = broadcaster(events: 0)
        let heartbeat = Task { await broadcaster.sendHeartbeat(every: .milliseconds(1)) }
        #expect(await broadcaster.subscribe().next() == .silence)
        heartbeat.cancel()
        await heartbeat.value
    }

    @Test func `A listener that is gone is not counted`() {
        let broadcaster = broadcaster(events: 0)
        var subscriber: EventSubscriber? = broadcaster.subscribe()
        #expect(broadcaster.subscribers == 1 && subscriber != nil)
        subscriber = nil
        #expect(broadcaster.subscribers == 0)
    }

    @Test func `A subscriber of an earlier run gets a reset, and zero requests all kept events`() async {
        let broadcaster = EventBroadcaster(capacity: 4, first: 1_000_000)
        for number in 0..<6 { broadcaster.send("a", data: "\(number)") }
        var frames: [String] = []
        for received in [3, 0] as [UInt64] {
            if case .events(let bytes) = await broadcaster.subscribe(after: received).next() {
                frames.append(String(buffer: bytes))
            }
        }
        #expect(frames[0].contains("event: reset\n"))
        #expect(frames[1].hasPrefix("id: 1000002\n") && frames[1].contains("id: 1000005\n"))
    }

    @Test func `Lives that begin within one second begin with different ids`() {
        let ids = Set((0..<100_000).map { _ in EventBroadcaster.firstByClock })
        #expect(ids.count > 10)
    }
}
