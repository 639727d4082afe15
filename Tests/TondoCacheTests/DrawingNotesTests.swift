import Synchronization
import SystemPackage
import Testing

@testable import TondoCache

@Suite struct DrawingNotesTests {
    private let folder: TemporaryCache
    private let cache: AvatarCache

    init() throws {
        folder = try TemporaryCache()
        cache = try folder.open()
    }

    /// As if this process died in the middle.
    private func die(drawing subject: String) throws {
        let notes = try DrawingNotes(in: cache.folder.root)
        notes.end(try #require(notes.begin("photo=done")))
        #expect(notes.begin(subject) != nil)
    }

    private var notes: [String] {
        get throws { try cache.folder.root.names().map(\.string).filter { $0.hasPrefix(DrawingNotes.prefix) } }
    }

    @Test func `What was being drawn when a process died is a failure that is tried again later`() throws {
        try die(drawing: "photo=bad")
        cache.noteDrawings()
        #expect(cache.failure(of: "photo=bad", memoryLimit: 1) != nil)
        let failure = try #require(try cache.failures().first)
        #expect(failure.subject == "photo=bad" && failure.code == "decoder-crashed" && failure.until != nil)
        #expect(try cache.failures().count == 1)
        // Its own.
        #expect(try notes.count == 1)
        folder.wait(seconds: 61)
        #expect(cache.failure(of: "photo=bad", memoryLimit: 1) == nil)
    }

    @Test func `What a process draws that lives is no failure`() throws {
        let living = try DrawingNotes(in: cache.folder.root)
        _ = living.begin("photo=good")
        cache.noteDrawings()
        #expect(try cache.failures().isEmpty)
        withExtendedLifetime(living) {}
    }

    @Test func `What was drawn to its end, well or not, leaves no note`() throws {
        cache.noteDrawings()
        #expect(throws: CacheError.self) {
            try cache.drawing("photo=a") { throw CacheError.missing("a") }
        }
        #expect(cache.drawing("photo=b") { 1 } == 1)
        cache.drawings.withLock { $0 = nil }
        #expect(try notes.isEmpty)
    }

    @Test func `More photos at a time than there is room for are drawn all the same`() throws {
        let notes = try DrawingNotes(in: cache.folder.root)
        let slots = (0..<DrawingNotes.slots + 1).map { notes.begin("photo=\($0)") }
        #expect(slots.compactMap(\.self).count == DrawingNotes.slots && slots.last == .some(nil))
    }
}
