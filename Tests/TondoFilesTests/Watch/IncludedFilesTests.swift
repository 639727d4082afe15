import Testing
import TondoTestSupport

@testable import TondoFiles

/// Files that a watcher reports although it ignores their names or folders.
@Suite(.timeLimit(.minutes(15))) struct IncludedFilesTests {
    private let folder: WatchedFolder

    init() throws {
        folder = try WatchedFolder()
        try folder.makeFolder("book/.photos/deep")
        try folder.write("book/.photos/a.jpg")
        try folder.write("book/.b.jpg")
    }

    /// After the watcher reported that it follows the files.
    private func watch(_ files: Set<String>) throws -> FolderWatcher {
        let watcher = try folder.watch(ignored: .init(hidden: true, suffixes: [".tmp"]))
        watcher.include(files)
        let there = folder.wait { files.isSubset(of: $0.changes.changed) }
        #expect(there.changes.changed == files && there.changes.added.isEmpty)
        folder.forget()
        return watcher
    }

    @Test(arguments: [".photos/a.jpg", ".b.jpg"])
    func `A hidden file that is written, replaced, removed and made again is reported`(_ file: String) throws {
        let watcher = try watch([file])
        try folder.write("book/\(file)", "written")
        #expect(folder.wait { $0.changes.changed == [file] }.changes.changed == [file])
        folder.forget()
        try folder.write("new", "replaced")
        folder.move("new", to: "book/\(file)")
        #expect(folder.wait { $0.changes.changed == [file] }.changes.changed == [file])
        folder.forget()
        try folder.remove("book/\(file)")
        #expect(folder.wait { $0.changes.removed == [file] }.changes.removed == [file])
        folder.forget()
        try folder.write("book/\(file)", "again")
        #expect(folder.wait { !$0.changes.isEmpty && $0.changes.removed.isEmpty }.changes.removed.isEmpty)
        watcher.close()
    }

    @Test func `A folder on the way that is exchanged is a change of the file`() throws {
        let watcher = try watch([".photos/a.jpg"])
        try folder.makeFolder("book/.other")
        try folder.write("book/.other/a.jpg", "other")
        folder.move("book/.photos", to: "book/.old")
        folder.move("book/.other", to: "book/.photos")
        // The watcher may look between both moves, when there is no such file.
        let exchanged = folder.wait { !$0.changes.isEmpty && $0.changes.removed.isEmpty }
        #expect(!exchanged.changes.isEmpty && exchanged.changes.removed.isEmpty)
        folder.forget()
        try folder.write("book/.photos/a.jpg", "written in the new one")
        let wanted: Set = [".photos/a.jpg"]
        #expect(folder.wait { $0.changes.changed == wanted }.changes.changed == wanted)
        watcher.close()
    }

    @Test func `A few files more and less leave the others as they are`() throws {
        let watcher = try watch([".photos/a.jpg"])
        watcher.include([".b.jpg"], excluding: [".photos/deep/unknown.jpg"])
        #expect(folder.wait { $0.changes.changed == [".b.jpg"] }.changes.changed == [".b.jpg"])
        folder.forget()
        watcher.include([], excluding: [".photos/a.jpg"])
        try folder.write("book/.photos/a.jpg", "unreported")
        try folder.write("book/.b.jpg", "reported")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.changed == [".b.jpg"])
        watcher.close()
    }

    @Test func `Other hidden files stay unreported, and so does a file that is no longer included`() throws {
        let watcher = try watch([".photos/a.jpg"])
        watcher.include([])
        try folder.write("book/.photos/a.jpg", "unreported")
        try folder.write("book/.photos/other.jpg", "unreported")
        try folder.write("book/c.vcf", "reported")
        let seen = folder.wait { $0.changes.added == ["c.vcf"] }
        #expect(seen.changes.added == ["c.vcf"] && seen.changes.changed.isEmpty && seen.changes.removed.isEmpty)
        watcher.close()
    }
}
