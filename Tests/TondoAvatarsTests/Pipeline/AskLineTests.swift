import Dispatch
import Synchronization
import Testing
import TondoContacts

@testable import TondoAvatars

@Suite(.timeLimit(.minutes(1))) struct AskLineTests {
    private typealias Line = AskLine<Int, Int>

    /// Answers as they come, and threads that are held up until `open`.
    private final class Talk: Sendable {
        let answers: AsyncStream<Int>
        private let told: AsyncStream<Int>.Continuation
        private let gate = DispatchSemaphore(value: 0)
        let works = Mutex(0)

        init() { (answers, told) = AsyncStream.makeStream() }

        var asker: Line.Asker { Line.Asker { [told] in told.yield($0) } }

        /// Answers with the question, when the gate is open.
        func work(_ question: Int) -> Line.Work {
            { asker in
                self.works.withLock { $0 += 1 }
                self.gate.wait()
                self.gate.signal()
                asker.answer(question)
            }
        }

        func open() { gate.signal() }

        func first(_ count: Int) async -> [Int] { await answers.prefix(count).reduce(into: []) { $0.append($1) } }
    }

    @Test func `Equal questions that wait are worked on once, and everybody is answered`() async {
        let (line, talk) = (Line(width: 1, depth: 10), Talk())
        #expect(line.ask(0, talk.asker, work: talk.work(0)))
        for _ in 0..<1000 { #expect(line.ask(1, talk.asker, work: talk.work(1))) }
        talk.open()
        #expect(await talk.first(1001).count { $0 == 1 } == 1000)
        // The first of them may have been taken before the others came.
        #expect(talk.works.withLock { $0 } <= 3)
    }

    @Test func `A line that is full takes no other question, but more who ask the same`() async {
        let (line, talk) = (Line(width: 1, depth: 2), Talk())
        // One of them may be worked on.
        let taken = (0..<10).filter { line.ask($0, talk.asker, work: talk.work($0)) }
        #expect(2...3 ~= taken.count)
        #expect(line.ask(taken[1], talk.asker, work: talk.work(1)))
        talk.open()
        #expect(await talk.first(taken.count + 1).sorted() == (taken + [taken[1]]).sorted())
    }

    @Test func `Whoever has another photo now is another wish`() {
        let styles = AvatarPipeline(cache: nil).styles([])
        func wish(_ url: String?) -> FaceWish {
            var contact = Contact(id: "ada")
            contact.photo = url.map { .remote(url: $0) }
            let name = ObjectIdentifier(styles)
            return FaceWish(book: name, contact: PackedContact(contact), styles: name)
        }
        #expect(wish("a") == wish("a") && wish("a") != wish("b") && wish("a") != wish(nil))
    }

    @Test func `Everybody is told that it takes a while`() async {
        let (line, told) = (Line(width: 1, depth: 10), AsyncStream<String>.makeStream())
        let asker = Line.Asker {
            told.continuation.yield("patience")
        } answer: { _ in
            told.continuation.yield("answer")
        }
        #expect(
            line.ask(1, asker) { asker in
                asker.patience?()
                asker.answer(1)
            })
        #expect(await told.stream.prefix(2).reduce(into: []) { $0.append($1) } == ["patience", "answer"])
    }
}
