import Dispatch
import Synchronization
import Testing

@testable import TondoAvatars

@Suite struct ChangeLineTests {
    private typealias Change = BookWatch.Change

    private let reader = DispatchQueue(label: "test")
    private let told = Told()

    private final class Told: Sendable {
        let changes = Mutex<[Change]>([])
    }

    /// The changes that the reader gets after it was busy.
    private func told(_ changes: [Change]) -> [Change] {
        let line = ChangeLine(reader)
        line.use { [told] change in told.changes.withLock { $0.append(change) } }
        reader.suspend()
        for change in changes { line.take(change) }
        reader.resume()
        return reader.sync { told.changes.withLock { $0 } }
    }

    @Test func `Changes that come faster than the book is read are one`() {
        #expect(told((0..<10_000).map { .files(["\($0 % 100).vcf"]) }) == [.files(Set((0..<100).map { "\($0).vcf" }))])
    }

    @Test func `Everything is more than some files`() {
        #expect(told([.files(["a"]), .everything, .files(["b"])]) == [.everything])
    }

    @Test func `Nothing is delivered after the end`() {
        #expect(told([.everything, .ended]) == [.ended])
    }

    @Test func `What comes after the reader has begun is another change`() {
        #expect(told([.files(["a"])]) == [.files(["a"])])
        #expect(told([.files(["b"])]) == [.files(["a"]), .files(["b"])])
    }

    @Test func `What comes while nothing listens is kept for the first listener`() {
        let line = ChangeLine(reader)
        line.take(.files(["a"]))
        // The reader is free, and must not take what it cannot report.
        reader.sync {}
        line.use { [told] change in told.changes.withLock { $0.append(change) } }
        #expect(reader.sync { told.changes.withLock { $0 } } == [.files(["a"])])
    }

    @Test func `What comes in a pause is one change after it`() {
        let line = ChangeLine(reader)
        line.use { [told] change in told.changes.withLock { $0.append(change) } }
        line.pause()
        line.take(.files(["a"]))
        line.take(.files(["b"]))
        reader.sync {}
        #expect(told.changes.withLock { $0.isEmpty })
        line.resume()
        #expect(reader.sync { told.changes.withLock { $0 } } == [.files(["a", "b"])])
    }
}
