import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FolderWatcherTests {
    private let folder: WatchedFolder

    init() throws { folder = try WatchedFolder() }

    @Test func `A new file is added, a written one changed, a deleted one removed`() throws {
        try folder.write("book/old.vcf")
        try folder.write("book/gone.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        try folder.write("book/new.vcf")
        try folder.write("book/old.vcf", "longer")
        try folder.remove("book/gone.vcf")
        let expected = FolderChanges(added: ["new.vcf"], changed: ["old.vcf"], removed: ["gone.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
    }

    @Test func `A file that is replaced by a rename is changed, and the temporary one is not recorded`() throws {
        try folder.write("book/a.vcf")
        let watcher = try folder.watch(debounceDelay: .milliseconds(50))
        defer { watcher.close() }
        try folder.write("book/a.vcf.tmp", "new")
        folder.move("book/a.vcf.tmp", to: "book/a.vcf")
        let expected = FolderChanges(changed: ["a.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
    }

    @Test func `A known file that a complete one replaces is recorded without debounce, but not the next`() throws {
        for name in ["a", "b"] { try folder.write("book/\(name).vcf") }
        let never = Duration.seconds(1_000_000)
        let watcher = try folder.watch(debounceDelay: never, longest: never, quietPeriod: never)
        defer { watcher.close() }
        func replace(_ name: String) throws {
            try folder.write("book/\(name)k3x9", "new")
            folder.move("book/\(name)k3x9", to: "book/\(name)")
        }
        try replace("a.vcf")
        let expected = FolderChanges(changed: ["a.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
        folder.forget()
        try replace("b.vcf")
        try folder.remove("book")
        #expect(folder.wait { $0.ending != nil }.changes == FolderChanges(removed: ["a.vcf", "b.vcf"]))
    }

    @Test func `A renamed file is removed and added`() throws {
        try folder.write("book/a.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        folder.move("book/a.vcf", to: "book/b.vcf")
        let seen = folder.wait { !$0.changes.added.isEmpty && !$0.changes.removed.isEmpty }
        #expect(seen.changes == FolderChanges(added: ["b.vcf"], changed: [], removed: ["a.vcf"]))
    }

    @Test func `Files made at once in new folders are recorded, however deep`() throws {
        let watcher = try folder.watch()
        defer { watcher.close() }
        let names = Set((0..<40).map { "new \($0)/below/a.vcf" })
        for name in names {
            try folder.makeFolder("book/" + name.dropLast("/a.vcf".count))
            try folder.write("book/" + name)
        }
        #expect(folder.wait { $0.changes.added.count == 40 }.changes.added == names)
        folder.forget()
        try folder.write("book/new 7/below/a.vcf", "longer")
        let seen = folder.wait { $0.changes.changed.contains("new 7/below/a.vcf") }
        #expect(seen.changes.changed.contains("new 7/below/a.vcf"))
    }

    @Test func `A folder that is renamed takes its files along, and stays watched`() throws {
        try folder.makeFolder("book/a/deep")
        try folder.write("book/a/deep/1.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        folder.move("book/a", to: "book/b")
        let seen = folder.wait { !$0.changes.added.isEmpty && !$0.changes.removed.isEmpty }
        #expect(seen.changes == FolderChanges(added: ["b/deep/1.vcf"], changed: [], removed: ["a/deep/1.vcf"]))
        folder.forget()
        try folder.write("book/b/deep/2.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.added == ["b/deep/2.vcf"])
    }

    @Test func `A folder that is moved away is removed with its files, and watched no longer`() throws {
        try folder.makeFolder("book/a")
        try folder.write("book/a/1.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        folder.move("book/a", to: "elsewhere")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.removed == ["a/1.vcf"])
        try folder.write("elsewhere/2.vcf")
        try folder.write("book/last.vcf")
        #expect(folder.wait { $0.changes.added.contains("last.vcf") }.changes.added == ["last.vcf"])
    }

    @Test func `A folder that is deleted is removed with its files`() throws {
        try folder.makeFolder("book/a/b")
        for number in 0..<5 { try folder.write("book/a/b/\(number).vcf") }
        let watcher = try folder.watch()
        defer { watcher.close() }
        try folder.remove("book/a")
        #expect(folder.wait { $0.changes.removed.count == 5 }.changes.removed.contains("a/b/3.vcf"))
    }

    @Test func `Links are files, and what they lead to is not watched`() throws {
        try folder.makeFolder("elsewhere")
        let watcher = try folder.watch()
        defer { watcher.close() }
        try folder.link("book/link", to: "elsewhere")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.added == ["link"])
        try folder.write("elsewhere/a.vcf")
        try folder.write("book/last.vcf")
        #expect(folder.wait { $0.changes.added.contains("last.vcf") }.changes.added == ["link", "last.vcf"])
    }

    @Test func `The watched folder itself may be a link`() throws {
        try folder.link("link", to: "book")
        let watcher = try folder.watch("link")
        defer { watcher.close() }
        try folder.write("book/a.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.added == ["a.vcf"])
    }

    @Test func `Ignored names are not recorded`() throws {
        let watcher = try folder.watch(ignored: .init(hidden: true, suffixes: [".tmp"]))
        defer { watcher.close() }
        try folder.makeFolder("book/.git")
        try folder.write("book/.git/config")
        try folder.write("book/a.TMP")
        try folder.write("book/last.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.added == ["last.vcf"])
    }

    @Test func `Of one watched file only that file is recorded, whatever replaces it`() throws {
        try folder.write("book/all.vcf")
        let watcher = try folder.watch("book/all.vcf")
        defer { watcher.close() }
        try folder.write("book/other.vcf")
        try folder.write("book/all.new", "new")
        folder.move("book/all.new", to: "book/all.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["all.vcf"]))
        folder.forget()
        try folder.remove("book/all.vcf")
        #expect(folder.wait { !$0.changes.removed.isEmpty }.changes.removed == ["all.vcf"])
        folder.forget()
        try folder.write("book/all.vcf")
        #expect(folder.wait { !$0.changes.added.isEmpty }.changes.added == ["all.vcf"])
    }
}
