import Foundation
import Glibc
import Testing
import TondoFiles

@testable import TondoCache

/// What killed processes left in `tmp` goes when the cache is opened.
@Suite struct LeftoverTests {
    private static let session = "0123456789abcdef"

    /// `age`: seconds.
    private static func createLeftovers(_ names: [String], age: Int, in folder: TemporaryCache) throws {
        for name in names {
            try folder.write([1], to: "tmp/\(name)")
            let times = [timespec(tv_sec: time(nil) - age, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, folder.url("tmp/\(name)").path, [times[0], times[0]], 0) == 0)
        }
    }

    private static let drafts = [
        "\(session)-1", "\(session)-20", "index-\(session)", "index-\(session)-wal", "index-\(session)-journal",
        "VERSION-\(session)", "CACHEDIR.TAG-\(session)",
    ]

    @Test func `Files older than a minute go, so that the cache verifies clean`() throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        try Self.createLeftovers(Self.drafts, age: 90, in: folder)
        let cache = try folder.open()
        #expect(try folder.files(below: "tmp") == [])
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func `Younger ones may still be written`() throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        try Self.createLeftovers(Self.drafts, age: 30, in: folder)
        _ = try folder.open()
        #expect(try folder.files(below: "tmp") == Self.drafts.sorted())
    }

    @Test func `Those of a running process stay, however old`() throws {
        let folder = try TemporaryCache()
        let other = try folder.open()
        let name = try other.storage.files.journal.session().newName()
        try Self.createLeftovers([name], age: 1000, in: folder)
        _ = try folder.open()
        #expect(folder.exists("tmp/\(name)"))
    }

    @Test func `Drafts of an index stay while one is being made`() throws {
        let folder = try TemporaryCache()
        let other = try folder.open()
        try Self.createLeftovers(["index-\(Self.session)"], age: 1000, in: folder)
        // Its end waits for the lock, too.
        let opened = try other.folder.indexLock.hold(.exclusive, within: 10) { try folder.open() }
        #expect(folder.exists("tmp/index-\(Self.session)"))
        opened.close()
        _ = try folder.open()
        #expect(!folder.exists("tmp/index-\(Self.session)"))
    }

    @Test(arguments: [
        "misplaced-\(session)", "\(session).journal", "notes-1", "\(session)-x", "\(session)-1-2", "mine",
    ])
    func `What no process of the cache writes stays`(name: String) throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        try Self.createLeftovers([name], age: 1000, in: folder)
        _ = try folder.open()
        #expect(folder.exists("tmp/\(name)"))
    }

    @Test func `Folders and links of such a name stay, and what they lead to`() throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        let victim = try folder.outside("victim")
        try Data([1]).write(to: victim)
        try folder.makeFolder("tmp/\(Self.session)-1")
        try folder.makeLink("tmp/\(Self.session)-2", to: victim.path)
        _ = try folder.open()
        #expect(folder.exists("tmp/\(Self.session)-1") && folder.exists("tmp/\(Self.session)-2"))
        #expect(try folder.outside().keys.sorted() == ["victim"])
    }
}
