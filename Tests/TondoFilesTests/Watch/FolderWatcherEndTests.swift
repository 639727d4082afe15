import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FolderWatcherEndTests {
    private let folder: WatchedFolder

    init() throws { folder = try WatchedFolder() }

    @Test func `A folder that is deleted ends its watcher, after its files were removed`() throws {
        try folder.write("book/a.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        try folder.remove("book")
        let seen = folder.wait { $0.ending != nil }
        #expect(seen.ending == .removed && seen.changes.removed == ["a.vcf"])
    }

    @Test func `A folder that is moved ends its watcher`() throws {
        try folder.write("book/a.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        folder.move("book", to: "elsewhere")
        let seen = folder.wait { $0.ending != nil }
        #expect(seen.ending == .moved && seen.changes.removed == ["a.vcf"])
    }

    @Test func `What is not there cannot be watched`() throws {
        let path = folder.base.appendingPathComponent("missing").path
        do {
            _ = try FolderWatcher(path) { _ in }
            Issue.record("it was watched")
        } catch {
            #expect(error == .unreadable(path: path, errno: ENOENT))
        }
    }

    @Test func `More folders than may be watched need a rescan, and changes of watched ones are recorded`() throws {
        for name in ["a", "b", "c"] { try folder.makeFolder("book/" + name) }
        let watcher = try folder.watch(maxWatches: 2)
        defer { watcher.close() }
        #expect(folder.wait { !$0.reasons.isEmpty }.reasons == [.watchLimit])
        try folder.write("book/new.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes.added == ["new.vcf"])
    }

    @Test func `More events than the kernel keeps ask for a rescan, and the watcher goes on`() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require(count <= 200_000, "a queue that long takes too long to fill")
        let (first, go) = (Gate(), Gate())
        let watcher = try folder.watch { _ in
            first.open()
            go.pass()
        }
        defer { watcher.close() }
        for name in ["a", "b"] { try folder.write("book/" + name) }
        first.pass()
        let paths = ["a", "b"].map { folder.base.appendingPathComponent("book/" + $0).path }
        for number in 0...count { utimensat(AT_FDCWD, paths[number % 2], nil, 0) }
        try folder.makeFolder("book/missed")
        try folder.write("book/missed/1.vcf")
        go.open()
        let seen = folder.wait { $0.reasons.contains(.overflow) && $0.changes.added.contains("missed/1.vcf") }
        #expect(seen.reasons == [.overflow])
        try folder.write("book/missed/2.vcf")
        #expect(folder.wait { $0.changes.added.contains("missed/2.vcf") }.changes.added.count == 4)
    }

    @Test func `A name that is no text asks for a rescan`() throws {
        let watcher = try folder.watch()
        defer { watcher.close() }
        let name = folder.base.path.utf8CString.dropLast() + "/book/M".utf8CString.dropLast() + [-4, 0]
        close(open(Array(name), O_CREAT | O_WRONLY, 0o600))
        #expect(folder.wait { !$0.reasons.isEmpty }.reasons == [.strangeName])
    }

    @Test func `Closing frees the descriptor, and ends the reports`() throws {
        let watcher = try folder.watch()
        // The kernel lists the watches of an inotify descriptor; the number alone may soon be another's.
        var status = stat()
        try #require(stat(folder.base.appendingPathComponent("book").path, &status) == 0)
        let watch = "ino:\(String(status.st_ino, radix: 16)) "
        let info = "/proc/self/fdinfo/\(watcher.session.descriptor)"
        #expect(try String(contentsOfFile: info, encoding: .utf8).contains(watch))
        try folder.write("book/a.vcf")
        watcher.close()
        watcher.close()
        #expect((try? String(contentsOfFile: info, encoding: .utf8))?.contains(watch) != true)
        let before = folder.wait { _ in true }
        try folder.write("book/b.vcf")
        #expect(folder.wait { _ in true } == before)
    }

    @Test func `An event may close its watcher, and is the last`() throws {
        let (holder, recorded) = (Recorder<FolderWatcher>(), Recorder<FolderWatcher.Event>())
        let ready = Gate()
        let watcher = try folder.watch { event in
            ready.pass()
            holder.all.first?.close()
            recorded.add(event)
        }
        holder.add(watcher)
        ready.open()
        try folder.write("book/a.vcf")
        #expect(recorded.wait(for: 1).count == 1)
        watcher.close()
        try folder.write("book/b.vcf")
        #expect(recorded.all.count == 1)
    }
}
