import Foundation
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FolderPollTests {
    private let folder: WatchedFolder
    private let events = Locked<[FolderWatcher.Event]>([])
    private let recorded = DispatchSemaphore(value: 0)

    init() throws { folder = try WatchedFolder() }

    private func poll(_ name: String = "book", ignored: FolderWatcher.Ignored = .init()) -> FolderPoll {
        let path = folder.base.appendingPathComponent(name).path
        return FolderPoll(path, ignored: ignored, interval: 5) { [events, recorded] event in
            events.withLock { $0.append(event) }
            recorded.signal()
        }
    }

    /// The files of all events, once they are these; after a timeout, those until then.
    private func seen(_ files: Set<String>) -> Set<String> {
        while true {
            let now = events.withLock { $0 }.reduce(into: Set<String>()) { seen, event in
                if case .changed(let changes) = event { seen.formUnion(changes.changed) }
            }
            if now == files || recorded.wait(timeout: .now() + testTimeout) == .timedOut { return now }
        }
    }

    @Test func `New, changed and removed files are reported, and those that stay are not`() throws {
        for name in ["a.vcf", "b.vcf", "c.vcf"] { try folder.write("book/" + name) }
        let poll = poll()
        poll.begin()
        defer { withExtendedLifetime(poll) {} }
        try folder.write("book/a.vcf", "other")
        try folder.remove("book/b.vcf")
        try folder.makeFolder("book/sub")
        try folder.write("book/sub/new.vcf")
        #expect(seen(["a.vcf", "b.vcf", "sub/new.vcf"]) == ["a.vcf", "b.vcf", "sub/new.vcf"])
    }

    @Test func `What is ignored is not looked at`() throws {
        let poll = poll(ignored: .init(hidden: true, suffixes: [".tmp"]))
        poll.begin()
        defer { withExtendedLifetime(poll) {} }
        for name in [".a.png", "b.tmp", "end.vcf"] { try folder.write("book/" + name) }
        #expect(seen(["end.vcf"]) == ["end.vcf"])
    }

    @Test func `Files that are named are looked at, too, whatever their names`() throws {
        try folder.makeFolder("book/.photos")
        try folder.write("book/.photos/ada.png")
        try folder.write("book/.photos/bo.png")
        let poll = poll(ignored: .init(hidden: true))
        poll.include([".photos/ada.png"])
        #expect(poll.begin())
        #expect(!poll.begin())
        defer { withExtendedLifetime(poll) {} }
        try folder.write("book/.photos/ada.png", "other")
        #expect(seen([".photos/ada.png"]) == [".photos/ada.png"])
        poll.include([".photos/bo.png"], excluding: [".photos/ada.png"])
        #expect(seen([".photos/ada.png", ".photos/bo.png"]) == [".photos/ada.png", ".photos/bo.png"])
    }

    @Test func `A file is reported by its own name, and a link by that of the link`() throws {
        try folder.write("book/all.vcf")
        try folder.write("elsewhere.vcf")
        try folder.link("book/link.vcf", to: "elsewhere.vcf")
        let (file, all) = (poll("book/all.vcf"), poll())
        for poll in [file, all] { poll.begin() }
        defer { withExtendedLifetime((file, all)) {} }
        try folder.write("book/all.vcf", "other")
        try folder.write("elsewhere.vcf", "other")
        #expect(seen(["all.vcf", "link.vcf"]) == ["all.vcf", "link.vcf"])
    }
}
