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

    /// What the reader is told of changes that came while it had other things to do.
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

    @Test func `The end is the last that is told`() {
        #expect(told([.everything, .ended]) == [.ended])
    }

    @Test func `What comes after the reader has begun is another change`() {
        #expect(told([.files(["a"])]) == [.files(["a"])])
        #expect(told([.files(["b"])]) == [.files(["a"]), .files(["b"])])
    }
}
