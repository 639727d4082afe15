import Foundation
import GRDB
import Synchronization
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// Something else in the index's place: it is made anew there, and what a link leads to is not touched.
@Suite struct IndexReplacedTests {
    enum Thing: CaseIterable {
        case empty, text, folder, fullFolder, fifo, link, linkToADatabase, danglingLink
        case otherDatabase, otherTables, newerVersion, olderVersion
    }

    private static func put(_ thing: Thing, as name: String, _ folder: TemporaryCache) throws {
        let victim = try folder.outside("victim")
        switch thing {
        case .empty: try folder.write([], to: name)
        case .text: try folder.write("hello".utf8, to: name)
        case .folder: try folder.makeFolder(name)
        case .fullFolder: try folder.write("mine".utf8, to: name + "/file")
        case .fifo: try folder.makeFIFO(name)
        case .link:
            try Data("mine".utf8).write(to: victim)
            try folder.makeLink(name, to: victim.path)
        case .linkToADatabase:
            try makeDatabase(victim, "CREATE TABLE mine (a); PRAGMA user_version = 1")
            try folder.makeLink(name, to: victim.path)
        case .danglingLink: try folder.makeLink(name, to: victim.path)
        case .otherDatabase: try makeDatabase(folder.url(name), "CREATE TABLE mine (a); PRAGMA user_version = 1")
        case .otherTables:
            try makeDatabase(
                folder.url(name), "CREATE TABLE entries (a); CREATE TABLE templates (b); PRAGMA user_version = 1")
        case .newerVersion: try makeDatabase(folder.url(name), "CREATE TABLE mine (a); PRAGMA user_version = 2")
        case .olderVersion: try makeDatabase(folder.url(name), "CREATE TABLE mine (a)")
        }
    }

    private static func makeDatabase(_ url: URL, _ sql: String) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.inDatabase { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test(arguments: Thing.allCases, [true, false])
    func itIsMadeAnew(thing: Thing, isOpen: Bool) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1), contacts: ["ada"])
        let before = try cache.unusedEntries()
        if !isOpen { cache.close() }
        for name in try folder.files() where name.hasPrefix("index.sqlite") { try folder.remove(name) }
        try Self.put(thing, as: "index.sqlite", folder)
        let outside = try folder.outside()
        #expect(try cache.unusedEntries() == before)
        #expect(try folder.state("index.sqlite").kind == .regular)
        #expect(try folder.outside() == outside)
        #expect(try cache.verify(isRepairing: true).problems.allSatisfy { $0.kind == .stray && $0.isRepaired })
    }

    @Test(
        arguments: [Thing.empty, .text, .folder, .fullFolder, .fifo, .link, .danglingLink],
        ["index.sqlite-wal", "index.sqlite-shm"])
    func besideItNothingLeadsOutside(thing: Thing, name: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1), contacts: ["ada"])
        let before = try cache.unusedEntries()
        cache.close()
        try Self.put(thing, as: name, folder)
        let outside = try folder.outside()
        #expect(try cache.unusedEntries() == before)
        try cache.store(TestImage(2))
        #expect(try cache.statistics().entries == 2)
        #expect(try folder.outside() == outside)
    }

    @Test func oneThatAnotherCacheMadeAnewIsTaken() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1))
        #expect(try second.statistics().entries == 0 && first.statistics().entries == 1)
        _ = try second.rebuildIndex()
        try first.store(TestImage(2))
        first.flush()
        #expect(try second.statistics().entries == 2)
        #expect(try first.statistics().entries == 2)
    }

    /// SQLite reports so what other processes did to its files between two of its own calls. It took 60 kills to see it.
    @Test(arguments: [ResultCode.SQLITE_IOERR_DELETE_NOENT, .SQLITE_IOERR_FSTAT], [1, 100])
    func filesThatChangeWhileTheyAreOpenedAreOpenedAgain(code: ResultCode, failures: Int) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        cache.flush()
        let file = try cache.index.folder.root.status(Index.name)?.inode
        let attempts = Mutex(0)
        let count = try? cache.index.read { reader in
            let attempt = attempts.withLock {
                $0 += 1
                return $0
            }
            guard attempt > failures else { throw DatabaseError(resultCode: code) }
            return try reader.statistics().entries
        }
        #expect(count == (failures == 1 ? 1 : nil))
        #expect(attempts.withLock { $0 } == (failures == 1 ? 2 : 5))
        #expect(try cache.index.folder.root.status(Index.name)?.inode == file)
    }

    /// The folder that was opened counts, not what its path names now.
    @Test func inAFolderThatWasMovedItStaysThere() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        let moved = folder.path.removingLastComponent().appending("moved")
        try FileManager.default.moveItem(atPath: folder.path.string, toPath: moved.string)
        try FileManager.default.createDirectory(atPath: folder.path.string, withIntermediateDirectories: false)
        #expect(try cache.statistics().entries == 1)
        #expect(try folder.contents() == [:])
        #expect(FileManager.default.fileExists(atPath: moved.appending("index.sqlite").string))
    }
}
