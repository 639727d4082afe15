import Foundation
import GRDB
import Glibc
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// What killed processes and power cuts leave behind.
@Suite struct HealTests {
    @Test func aRepairSettlesTheJournalOfAProcessKilledMeanwhile() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let (killed, other) = (TestImage(1), TestImage(2))
        try cache.store(killed)
        try cache.store(other)
        let file = try Data(contentsOf: folder.file(of: killed.key))
        try cache.remove(killed.key)
        cache.flush()
        // Verification has begun when it first asks whether to go on.
        let leaving = Once {
            try FileManager.default.createDirectory(
                at: folder.file(of: killed.key).deletingLastPathComponent(), withIntermediateDirectories: true)
            try file.write(to: folder.file(of: killed.key))
            try Data(killed.key.bytes).write(to: folder.url("tmp/0123456789abcdef.journal"))
        }
        _ = try cache.verify(isRepairing: true, isStopped: { leaving.run() })
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(try cache.find(killed.key) == killed.png)
    }

    @Test func aRepairLeavesTheJournalOfAProcessThatHasJustBegun() throws {
        let folder = try TemporaryCache()
        let (cache, other) = (try folder.open(), try folder.open())
        try other.store(TestImage(1))
        let names = try folder.files(below: "tmp")
        #expect(names.count == 1)
        let problem = Problem(kind: .stray, name: "tmp/\(names[0])", reason: "left behind")
        _ = cache.verifier.repair(problem)
        #expect(try folder.files(below: "tmp") == names)
    }

    @Test func aJournalOfAnOldIndexIsNeverAppliedToANewOne() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        let notices = folder.notices
        try RollbackJournal.emptying(pages: 1).write(to: folder.url("index.sqlite-journal"))
        try FileManager.default.removeItem(at: folder.url("index.sqlite"))
        let cache = try folder.open()
        #expect(try cache.entries(EntryQuery()).count == 1)
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(folder.notices == notices + [.rebuilt(reason: "missing", entries: 1)])
    }

    @Test func aFolderWithoutVersionIsACacheWhateverSQLiteLeftThere() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        try FileManager.default.removeItem(at: folder.url("VERSION"))
        for suffix in ["wal", "shm", "journal"] {
            try Data().write(to: folder.url("index.sqlite-\(suffix)"))
        }
        #expect(try folder.open().find(TestImage(1).key) == TestImage(1).png)
    }

    @Test func whoeverMakesACacheWaitsForOthersThatDo() throws {
        let folder = try TemporaryCache()
        let root = folder.path.string
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let lock = try FileDescriptor.open(folder.path, .readOnly, options: .closeOnExec)
        #expect(LockKind.exclusive.tryLock(lock.rawValue))
        let opening = Thread { _ = try? folder.open() }
        opening.start()
        // It waits for the lock from the moment on at which it has the folder open.
        while OpenFiles.count(of: root) < 2 && !opening.isFinished {}
        #expect(try folder.files() == [])
        flock(lock.rawValue, LOCK_UN)
        try lock.close()
        while !opening.isFinished {}
        #expect(try folder.files().contains("VERSION"))
    }

    @Test func anIndexIsLetGoOfOnlyWhileNobodyReplacesIt() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(busyTimeout: 0.01)
        try cache.store(TestImage(1))
        cache.flush()
        let lock = try FileDescriptor.open(folder.path.appending("VERSION"), .readOnly, options: .closeOnExec)
        #expect(LockKind.exclusive.tryLock(lock.rawValue))
        cache.close()
        #expect(try folder.files().contains("index.sqlite-wal"))
        flock(lock.rawValue, LOCK_UN)
        try lock.close()
        #expect(try folder.open().statistics().entries == 1)
    }
}
