import Synchronization
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

@Suite struct DrawingJournalTests {
    private let folder: TemporaryCache
    private let cache: AvatarCache

    init() throws {
        folder = try TemporaryCache()
        cache = try folder.open()
    }

    /// As if this process died in the middle.
    private func die(drawing subject: String) throws {
        let journal = try DrawingJournal(in: cache.folder.root)
        journal.end(try #require(journal.begin("photo=done")))
        #expect(journal.begin(subject) != nil)
    }

    private var journal: [String] {
        get throws { try cache.folder.root.names().map(\.string).filter { $0.hasPrefix(DrawingJournal.prefix) } }
    }

    @Test func `What was being drawn when a process died is a failure that is tried again later`() throws {
        try die(drawing: "photo=bad")
        cache.startDrawingJournal()
        #expect(cache.failure(of: "photo=bad", memoryLimit: 1) != nil)
        let failure = try #require(try cache.failures().first)
        #expect(failure.subject == "photo=bad" && failure.code == "decoder-crashed" && failure.until != nil)
        #expect(try cache.failures().count == 1)
        // Its own.
        #expect(try journal.count == 1)
        folder.wait(seconds: 61)
        #expect(cache.failure(of: "photo=bad", memoryLimit: 1) == nil)
    }

    @Test func `What a process draws that lives is no failure`() throws {
        let living = try DrawingJournal(in: cache.folder.root)
        _ = living.begin("photo=good")
        cache.startDrawingJournal()
        #expect(try cache.failures().isEmpty)
        withExtendedLifetime(living) {}
    }

    @Test func `What was drawn to its end, well or not, leaves no note`() throws {
        do {
            let drawing = try folder.open()
            drawing.startDrawingJournal()
            #expect(throws: CacheError.self) {
                try drawing.drawing("photo=a") { throw CacheError.missing("a") }
            }
            #expect(drawing.drawing("photo=b") { 1 } == 1)
            #expect(try journal.count == 1)
        }
        #expect(try journal.isEmpty)
    }

    @Test func `More photos at a time than there is room for are drawn all the same`() throws {
        let journal = try DrawingJournal(in: cache.folder.root)
        let slots = (0..<DrawingJournal.slots + 1).map { journal.begin("photo=\($0)") }
        #expect(slots.compactMap(\.self).count == DrawingJournal.slots && slots.last == .some(nil))
    }
}
