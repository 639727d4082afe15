import Dispatch
import Synchronization
import Testing
import TondoContacts
import TondoJobs

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct AskLineTests {
    private typealias Line = AskLine<Int, Int>

    private static func line(
        depth: Int = 100, wait: WaitBound = .init(longest: .seconds(1)), patience: Duration = .seconds(1000),
        clock: Clock? = nil
    ) -> Line {
        var options = Line.Options()
        (options.width, options.depth) = (1, depth)
        (options.wait, options.patience) = (wait, patience)
        if let clock { options.now = { clock.now } }
        return Line(options, refusal: refusal)
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
        let answers: AsyncStream<Int>
        private let told: AsyncStream<Int>.Continuation
        private let gate = DispatchSemaphore(value: 0)
        private let begun: AsyncStream<Void>
        private let beginning: AsyncStream<Void>.Continuation
        let works = Mutex(0)

        init() {
            (answers, told) = AsyncStream.makeStream()
            (begun, beginning) = AsyncStream.makeStream()
        }

        var asker: Line.Asker { Line.Asker { [told] in told.yield($0) } }

        /// Answers with the question, when the gate is open.
        func work(_ question: Int) -> Line.Work {
            { asker in
                self.works.withLock { $0 += 1 }
                self.beginning.yield()
                self.gate.wait()
                self.gate.signal()
                asker.answer(question)
            }
        }

        func untilWorking() async { for await _ in begun { break } }

        func open() { gate.signal() }

        func first(_ count: Int) async -> [Int] { await answers.prefix(count).reduce(into: []) { $0.append($1) } }
    }

    @Test func `Equal queued requests run once, and every waiter is called back`() async {
        let (line, talk) = (Self.line(), Talk())
        line.ask(0, talk.asker, work: talk.work(0))
        for _ in 0..<1000 { line.ask(1, talk.asker, work: talk.work(1)) }
        talk.open()
        #expect(await talk.first(1001).count { $0 == 1 } == 1000)
        // The first of them may have been taken before the others came.
        #expect(talk.works.withLock { $0 } <= 3)
    }

    @Test func `Who has to wait for others learns so at once`() async {
        let (line, talk) = (Self.line(), Talk())
        let waits = Mutex(0)
        line.ask(0, talk.asker, work: talk.work(0))
        await talk.untilWorking()
        for question in [1, 1] {
            let asker = Line.Asker {
                waits.withLock { $0 += 1 }
            } answer: {
                talk.asker.answer($0)
            }
            line.ask(question, asker, work: talk.work(question))
        }
        #expect(waits.withLock { $0 } == 2)
        talk.open()
        #expect(await talk.first(3) == [0, 1, 1])
    }

    @Test func `A line that is full takes no other question, but more who ask the same`() async {
        let (line, talk) = (Self.line(depth: 2), Talk())
        // One of them may be worked on.
        for question in 0..<10 { line.ask(question, talk.asker, work: talk.work(question)) }
        let refused = line.counters.refused
        #expect(7...8 ~= refused)
        line.ask(1, talk.asker, work: talk.work(1))
        talk.open()
        let answers = await talk.first(11)
        #expect(answers.count { $0 == Self.refusal } == refused && answers.count { $0 == 1 } == 2)
    }

    @Test func `Who has waited for too long is refused when its turn comes, but for a few`() async {
        let clock = Clock()
        let (line, talk) = (Self.line(clock: clock), Talk())
        line.ask(0, talk.asker, work: talk.work(0))
        await talk.untilWorking()
        for question in 1...20 { line.ask(question, talk.asker, work: talk.work(question)) }
        clock.advance(.seconds(2))
        talk.open()
        let answers = await talk.first(21)
        #expect(answers.filter { $0 != Self.refusal }.sorted() == [0] + Array(17...20))
        #expect(line.counters.refused == 16)
    }

    @Test func `Many who come at once are all waited with while the line is new`() async {
        let clock = Clock()
        let wait = WaitBound(longest: .seconds(1), burst: .seconds(5))
        let (line, talk) = (Self.line(wait: wait, clock: clock), Talk())
        line.ask(0, talk.asker, work: talk.work(0))
        await talk.untilWorking()
        for question in 1...20 { line.ask(question, talk.asker, work: talk.work(question)) }
        clock.advance(.seconds(5))
        talk.open()
        #expect(await talk.first(21).allSatisfy { $0 != Self.refusal })
    }

    @Test func `Who comes late to a line is not waited with for as long as the first`() async {
        let clock = Clock()
        let wait = WaitBound(longest: .seconds(1), burst: .seconds(5))
        let (line, talk) = (Self.line(wait: wait, clock: clock), Talk())
        line.ask(0, talk.asker, work: talk.work(0))
        await talk.untilWorking()
        line.ask(1, talk.asker, work: talk.work(1))
        clock.advance(.seconds(4))
        for question in 2...20 { line.ask(question, talk.asker, work: talk.work(question)) }
        clock.advance(.seconds(2))
        talk.open()
        #expect(await talk.first(21).count { $0 == Self.refusal } == 16)
    }

    @Test func `Whose turn never comes is refused, too`() async {
        let clock = Clock()
        let (line, talk) = (Self.line(patience: .milliseconds(1), clock: clock), Talk())
        line.ask(0, talk.asker, work: talk.work(0))
        await talk.untilWorking()
        line.ask(1, talk.asker, work: talk.work(1))
        clock.advance(.seconds(1))
        #expect(await talk.first(1) == [Self.refusal])
        talk.open()
        #expect(await talk.first(1) == [0])
    }

    @Test func `A contact with another photo is another request`() {
        let styles = AvatarPipeline(cache: nil).styles([])
        func wish(_ url: String?) -> FaceWish {
            var contact = Contact(id: "ada")
            contact.photo = url.map { .remote(url: $0) }
            let name = ObjectIdentifier(styles)
            return FaceWish(book: name, contact: PackedContact(contact), styles: name)
        }
        #expect(wish("a") == wish("a") && wish("a") != wish("b") && wish("a") != wish(nil))
    }

    @Test func `Every waiter is notified that it takes a while`() async {
        let (line, told) = (Self.line(), AsyncStream<String>.makeStream())
        let asker = Line.Asker {
            told.continuation.yield("patience")
        } answer: { _ in
            told.continuation.yield("answer")
        }
        line.ask(1, asker) { asker in
            asker.patience?()
            asker.answer(1)
        }
        #expect(await told.stream.prefix(2).reduce(into: []) { $0.append($1) } == ["patience", "answer"])
    }
}
