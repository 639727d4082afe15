import Dispatch
import Synchronization
import Testing

@testable import TondoAvatars

@Suite struct ChangeQueueTests {
    private typealias Change = BookChangeFeed.Change

    private let reader = DispatchQueue(label: "test")
    private let recorded = Recorder()

    private final class Recorder: Sendable {
        let changes = Mutex<[Change]>([])
    }

    /// The changes that the reader gets after it was busy.
    private func recorded(_ changes: [Change]) -> [Change] {
        let queue = ChangeQueue(reader)
        queue.use { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        reader.suspend()
        for change in changes { queue.take(change) }
        reader.resume()
        return reader.sync { recorded.changes.withLock { $0 } }
    }

    @Test func `Changes that come faster than the book is read are one`() {
        #expect(
            recorded((0..<10_000).map { .files(["\($0 % 100).vcf"]) }) == [.files(Set((0..<100).map { "\($0).vcf" }))])
    }

    @Test func `Everything is more than some files`() {
        #expect(recorded([.files(["a"]), .everything, .files(["b"])]) == [.everything])
    }

    @Test func `Nothing is delivered after the end`() {
        #expect(recorded([.everything, .ended]) == [.ended])
    }

    @Test func `What comes after the reader has begun is another change`() {
        #expect(recorded([.files(["a"])]) == [.files(["a"])])
        #expect(recorded([.files(["b"])]) == [.files(["a"]), .files(["b"])])
    }

    @Test func `What comes while nothing listens is kept for the first listener`() {
        let queue = ChangeQueue(reader)
        queue.take(.files(["a"]))
        // The reader is free, and must not take what it cannot report.
        reader.sync {}
        queue.use { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        #expect(reader.sync { recorded.changes.withLock { $0 } } == [.files(["a"])])
    }

    @Test func `What comes in a pause is one change after it`() {
        let queue = ChangeQueue(reader)
        queue.use { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        queue.pause()
        queue.take(.files(["a"]))
        queue.take(.files(["b"]))
        reader.sync {}
        #expect(recorded.changes.withLock { $0.isEmpty })
        queue.resume()
        #expect(reader.sync { recorded.changes.withLock { $0 } } == [.files(["a", "b"])])
    }
}
