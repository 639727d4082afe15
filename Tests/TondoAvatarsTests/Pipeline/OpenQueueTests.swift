import Dispatch
import Synchronization
import Testing
import TondoContacts
import TondoJobs

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct OpenQueueTests {
    private typealias Queue = OpenQueue<Int, Int>

    private static func queue(
        depth: Int = 100, wait: QueueTimeout = .init(longest: .seconds(1)), timeout: Duration = .seconds(1000),
        clock: Clock? = nil
    ) -> Queue {
        var options = Queue.Options()
        (options.width, options.depth) = (1, depth)
        (options.wait, options.timeout) = (wait, timeout)
        if let clock { options.now = { clock.now } }
        return Queue(options, refusal: refusal)
    }

    private static let refusal = -1

    /// A clock that stands still until it is moved.
    private final class Clock: Sendable {
        private let time = Mutex<UInt64>(1)

        var now: UInt64 { time.withLock { $0 } }

        func advance(_ time: Duration) { self.time.withLock { $0 += time.inNanoseconds } }
    }

    /// Answers as they come, and threads that are held up until `open`.
    private final class Talk: Sendable {
        let values: AsyncStream<Int>
        private let recorded: AsyncStream<Int>.Continuation
        private let gate = DispatchSemaphore(value: 0)
        private let begun: AsyncStream<Void>
        private let beginning: AsyncStream<Void>.Continuation
        let works = Mutex(0)

        init() {
            (values, recorded) = AsyncStream.makeStream()
            (begun, beginning) = AsyncStream.makeStream()
        }

        var waiter: Queue.Waiter { Queue.Waiter { [recorded] in recorded.yield($0) } }

        /// Answers with the question, when the gate is open.
        func work(_ key: Int) -> Queue.Work {
            { waiter in
                self.works.withLock { $0 += 1 }
                self.beginning.yield()
                self.gate.wait()
                self.gate.signal()
                waiter.complete(key)
            }
        }

        func untilWorking() async { for await _ in begun { break } }

        func open() { gate.signal() }

        func first(_ count: Int) async -> [Int] { await values.prefix(count).reduce(into: []) { $0.append($1) } }
    }

    @Test func `Equal queued requests run once, and every waiter is called back`() async {
        let (queue, talk) = (Self.queue(), Talk())
        queue.submit(0, talk.waiter, work: talk.work(0))
        for _ in 0..<1000 { queue.submit(1, talk.waiter, work: talk.work(1)) }
        talk.open()
        #expect(await talk.first(1001).count { $0 == 1 } == 1000)
        // The first of them may have been taken before the others came.
        #expect(talk.works.withLock { $0 } <= 3)
    }

    @Test func `Who has to wait for others learns so at once`() async {
        let (queue, talk) = (Self.queue(), Talk())
        let waits = Mutex(0)
        queue.submit(0, talk.waiter, work: talk.work(0))
        await talk.untilWorking()
        for key in [1, 1] {
            let waiter = Queue.Waiter {
                waits.withLock { $0 += 1 }
            } complete: {
                talk.waiter.complete($0)
            }
            queue.submit(key, waiter, work: talk.work(key))
        }
        #expect(waits.withLock { $0 } == 2)
        talk.open()
        #expect(await talk.first(3) == [0, 1, 1])
    }

    @Test func `A line that is full takes no other question, but more who ask the same`() async {
        let (queue, talk) = (Self.queue(depth: 2), Talk())
        // One of them may be worked on.
        for key in 0..<10 { queue.submit(key, talk.waiter, work: talk.work(key)) }
        let refused = queue.counters.refused
        #expect(7...8 ~= refused)
        queue.submit(1, talk.waiter, work: talk.work(1))
        talk.open()
        let values = await talk.first(11)
        #expect(values.count { $0 == Self.refusal } == refused && values.count { $0 == 1 } == 2)
    }

    @Test func `Who has waited for too long is refused when its turn comes, but for a few`() async {
        let clock = Clock()
        let (queue, talk) = (Self.queue(clock: clock), Talk())
        queue.submit(0, talk.waiter, work: talk.work(0))
        await talk.untilWorking()
        for key in 1...20 { queue.submit(key, talk.waiter, work: talk.work(key)) }
        clock.advance(.seconds(2))
        talk.open()
        let values = await talk.first(21)
        #expect(values.filter { $0 != Self.refusal }.sorted() == [0] + Array(17...20))
        #expect(queue.counters.refused == 16)
    }

    @Test func `Many who come at once are all waited with while the line is new`() async {
        let clock = Clock()
        let wait = QueueTimeout(longest: .seconds(1), burst: .seconds(5))
        let (queue, talk) = (Self.queue(wait: wait, clock: clock), Talk())
        queue.submit(0, talk.waiter, work: talk.work(0))
        await talk.untilWorking()
        for key in 1...20 { queue.submit(key, talk.waiter, work: talk.work(key)) }
        clock.advance(.seconds(5))
        talk.open()
        #expect(await talk.first(21).allSatisfy { $0 != Self.refusal })
    }

    @Test func `Who comes late to a line is not waited with for as long as the first`() async {
        let clock = Clock()
        let wait = QueueTimeout(longest: .seconds(1), burst: .seconds(5))
        let (queue, talk) = (Self.queue(wait: wait, clock: clock), Talk())
        queue.submit(0, talk.waiter, work: talk.work(0))
        await talk.untilWorking()
        queue.submit(1, talk.waiter, work: talk.work(1))
        clock.advance(.seconds(4))
        for key in 2...20 { queue.submit(key, talk.waiter, work: talk.work(key)) }
        clock.advance(.seconds(2))
        talk.open()
        #expect(await talk.first(21).count { $0 == Self.refusal } == 16)
    }

    @Test func `Whose turn never comes is refused, too`() async {
        let clock = Clock()
        let (queue, talk) = (Self.queue(timeout: .milliseconds(1), clock: clock), Talk())
        queue.submit(0, talk.waiter, work: talk.work(0))
        await talk.untilWorking()
        queue.submit(1, talk.waiter, work: talk.work(1))
        clock.advance(.seconds(1))
        #expect(await talk.first(1) == [Self.refusal])
        talk.open()
        #expect(await talk.first(1) == [0])
    }

    @Test func `A contact with another photo is another request`() {
        let styles = AvatarPipeline(cache: nil).styles([])
        func key(_ url: String?) -> AvatarRequestKey {
            var contact = Contact(id: "ada")
            contact.photo = url.map { .remote(url: $0) }
            let name = ObjectIdentifier(styles)
            return AvatarRequestKey(book: name, contact: PackedContact(contact), styles: name)
        }
        #expect(key("a") == key("a") && key("a") != key("b") && key("a") != key(nil))
    }

    @Test func `Every waiter is notified that it takes a while`() async {
        let (queue, recorded) = (Self.queue(), AsyncStream<String>.makeStream())
        let waiter = Queue.Waiter {
            recorded.continuation.yield("patience")
        } complete: { _ in
            recorded.continuation.yield("answer")
        }
        queue.submit(1, waiter) { waiter in
            waiter.onSlow?()
            waiter.complete(1)
        }
        #expect(await recorded.stream.prefix(2).reduce(into: []) { $0.append($1) } == ["patience", "answer"])
    }
}
