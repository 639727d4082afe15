import NIOCore
import Synchronization
import Testing

@testable import TondoServer

@Suite struct EventRingTests {
    private func ring(capacity: Int = 10, events: Int) -> EventRing {
        let ring = EventRing(capacity: capacity)
        for number in 0..<events { ring.send("n", data: "\(number)") }
        return ring
    }

    /// The ids and names of all events until the ring ends.
    private func told(_ listener: EventListener) async -> [String] {
        var events: [String] = []
        while let batch = await listener.next() {
            guard case .events(let bytes) = batch else { continue }
            let lines = String(buffer: bytes).split(separator: "\n")
            for (id, name) in zip(lines.filter { $0.hasPrefix("id") }, lines.filter { $0.hasPrefix("event") }) {
                events.append("\(id.dropFirst(4)) \(name.dropFirst(7))")
            }
        }
        return events
    }

    @Test func `Who comes anew hears what is sent from now on`() async {
        let ring = ring(events: 3)
        let listener = ring.listen()
        ring.send("later", data: "")
        ring.end()
        #expect(await told(listener) == ["4 later"])
    }

    @Test func `Who comes back misses nothing`() async {
        let ring = ring(events: 12)
        let listeners = [2, 11, 12].map { ring.listen(after: $0) }
        ring.end()
        #expect(await told(listeners[0]) == (3...12).map { "\($0) n" })
        #expect(await told(listeners[1]) == ["12 n"])
        #expect(await told(listeners[2]) == [])
    }

    @Test(arguments: [1, 13, UInt64.max])
    func `A subscriber that comes back too late, or from another run, gets a reset`(last: UInt64) async {
        let ring = ring(events: 12)
        let listener = ring.listen(after: last)
        ring.send("next", data: "")
        ring.end()
        #expect(await told(listener) == ["12 reset", "13 next"])
    }

    @Test func `Nothing waits for a slow subscriber, which gets a reset and then what follows`() async {
        let ring = ring(events: 0)
        let (slow, quick) = (ring.listen(), ring.listen())
        for _ in 0..<11 {
            ring.send("n", data: "")
            #expect(await quick.next() != nil)
        }
        #expect(ring.last == 11)
        ring.end()
        #expect(await told(slow) == ["11 reset"])
    }

    @Test func `Sixty events of 5 MB keep the ring within its bytes`() {
        let ring = EventRing(maxSize: 8_000_000)
        let note = String(repeating: "n", count: 5_000_000)
        for _ in 0..<60 {
            ring.send("contactChanged", data: note)
            #expect(5_000_000...8_000_000 ~= ring.size)
        }
        #expect(ring.last == 60)
    }

    @Test func `Small events drop old ones when their bytes exceed the limit`() async {
        let ring = EventRing(capacity: 1_000, maxSize: 1_000)
        for number in 0..<500 { ring.send("n", data: "\(number)") }
        #expect(ring.size <= 1_000)
        let (all, late) = (ring.listen(after: 0), ring.listen(after: 3))
        ring.end()
        let kept = await told(all)
        #expect(kept.last == "500 n" && kept.count == ring.state.withLock { 501 - Int($0.record.oldest) })
        #expect(await told(late) == ["500 reset"])
    }

    @Test func `A small event after large ones leaves no byte of them behind`() {
        let ring = EventRing(capacity: 3, maxSize: 100_000)
        ring.send("n", data: String(repeating: "x", count: 90_000))
        for _ in 0..<3 { ring.send("n", data: "") }
        #expect(ring.size < 1_000)
    }

    @Test func `An event larger than the limit reaches a subscriber that keeps up, and replaces all others`() async {
        let ring = EventRing(maxSize: 1_000)
        let listener = ring.listen()
        for size in [10, 5_000] { ring.send("n", data: String(repeating: "x", count: size)) }
        #expect(ring.state.withLock { $0.record.oldest } == 2)
        ring.end()
        #expect(await told(listener) == ["2 reset"])
        #expect(await told(ring.listen(after: 1)) == ["2 n"])
    }

    @Test func `Subscribers share the bytes of a large event`() async throws {
        let ring = EventRing()
        ring.send("n", data: String(repeating: "x", count: 50_000))
        ring.send("n", data: "")
        let batches = [await ring.listen(after: 0).next(), await ring.listen(after: 0).next()]
        let addresses = batches.compactMap { batch -> UnsafeRawPointer? in
            guard case .events(let bytes) = batch else { return nil }
            return bytes.withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(addresses.count == 2 && addresses[0] == addresses[1])
    }

    @Test func `A listener that waits is woken by an event, a heartbeat, the end and its cancellation`() async {
        let ring = ring(events: 0)
        let tasks = (0..<4).map { _ in
            Task {
                let listener = ring.listen()
                return [await listener.next(), await listener.next()]
            }
        }
        await asleep(4, in: ring)
        tasks[3].cancel()
        #expect(await tasks[3].value == [nil, nil])
        ring.beat()
        await asleep(3, in: ring)
        ring.send("x", data: "y")
        let event = EventListener.Batch.events(ByteBuffer(string: "id: 1\nevent: x\ndata: y\n\n"))
        #expect(await tasks[0].value == [.silence, event])
        let waiting = ring.listen()
        let last = Task { await waiting.next() }
        await asleep(1, in: ring)
        ring.end()
        #expect(await last.value == nil)
    }

    @Test func `Many senders and listeners keep the order of the ids`() async {
        let ring = EventRing(capacity: 4_000)
        let listeners = (0..<8).map { _ in ring.listen() }
        await withTaskGroup { group in
            for listener in listeners { group.addTask { #expect(await told(listener).count == 2_000) } }
            for sender in 0..<4 {
                group.addTask { for number in 0..<500 { ring.send("n", data: "\(sender) \(number)") } }
            }
            while ring.last < 2_000 { await Task.yield() }
            ring.end()
        }
    }

    /// Until so many listeners wait.
    private func asleep(_ count: Int, in ring: EventRing) async {
        while ring.state.withLock({ $0.asleep.count }) < count { await Task.yield() }
    }

    @Test func `Signs of life come by themselves until their task ends`() async {
        let ring = ring(events: 0)
        let beating = Task { await ring.beat(every: .milliseconds(1)) }
        #expect(await ring.listen().next() == .silence)
        beating.cancel()
        await beating.value
    }

    @Test func `A listener that is gone is not counted`() {
        let ring = ring(events: 0)
        var listener: EventListener? = ring.listen()
        #expect(ring.listeners == 1 && listener != nil)
        listener = nil
        #expect(ring.listeners == 0)
    }

    @Test func `A subscriber of an earlier run gets a reset, and zero requests all kept events`() async {
        let ring = EventRing(capacity: 4, first: 1_000_000)
        for number in 0..<6 { ring.send("a", data: "\(number)") }
        var frames: [String] = []
        for heard in [3, 0] as [UInt64] {
            if case .events(let bytes) = await ring.listen(after: heard).next() { frames.append(String(buffer: bytes)) }
        }
        #expect(frames[0].contains("event: reset\n"))
        #expect(frames[1].hasPrefix("id: 1000002\n") && frames[1].contains("id: 1000005\n"))
    }

    @Test func `Lives that begin within one second begin with different ids`() {
        let ids = Set((0..<100_000).map { _ in EventRing.firstByClock })
        #expect(ids.count > 10)
    }
}
