import Dispatch
import Synchronization
import SystemPackage
import Testing

@testable import TondoAvatars

@Suite struct BookChangeFeedTests {
    private typealias Change = BookChangeFeed.Change

    private let reader = DispatchQueue(label: "test")
    private let recorded = Recorder()

    private final class Recorder: Sendable {
        let changes = Mutex<[Change]>([])
    }

    /// The changes that the reader gets after it was busy.
    private func recorded(_ changes: [Change]) throws -> [Change] {
        let feed = try BookChangeFeed(path: "", reader: reader) { _, _ in BookChangeFeed.Watch {} }
        feed.begin { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        reader.suspend()
        for change in changes { feed.take(change) }
        reader.resume()
        return reader.sync { recorded.changes.withLock { $0 } }
    }

    @Test func `Changes that come faster than the book is read are one`() throws {
        #expect(
            try recorded((0..<10_000).map { .files(["\($0 % 100).vcf"]) }) == [
                .files(Set((0..<100).map { "\($0).vcf" }))
            ])
    }

    @Test func `Everything is more than some files`() throws {
        #expect(try recorded([.files(["a"]), .everything, .files(["b"])]) == [.everything])
    }

    @Test func `Nothing is delivered after the end`() throws {
        #expect(try recorded([.everything, .ended]) == [.ended])
    }

    @Test func `What comes after the reader has begun is another change`() throws {
        #expect(try recorded([.files(["a"])]) == [.files(["a"])])
        #expect(try recorded([.files(["b"])]) == [.files(["a"]), .files(["b"])])
    }

    @Test func `What comes while nothing listens is kept for the first listener`() throws {
        let feed = try BookChangeFeed(path: "", reader: reader) { _, _ in BookChangeFeed.Watch {} }
        feed.take(.files(["a"]))
        // The reader is free, and must not take what it cannot report.
        reader.sync {}
        feed.begin { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        #expect(reader.sync { recorded.changes.withLock { $0 } } == [.files(["a"])])
    }

    @Test func `What comes in a pause is one change after it`() throws {
        let feed = try BookChangeFeed(path: "", reader: reader) { _, _ in BookChangeFeed.Watch {} }
        feed.begin { [recorded] change in recorded.changes.withLock { $0.append(change) } }
        feed.pause()
        feed.take(.files(["a"]))
        feed.take(.files(["b"]))
        reader.sync {}
        #expect(recorded.changes.withLock { $0.isEmpty })
        feed.resume()
        #expect(reader.sync { recorded.changes.withLock { $0 } } == [.files(["a", "b"])])
    }
}
