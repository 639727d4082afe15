import Foundation
import SystemPackage
import Testing

@testable import TondoCache

/// A folder that is no cache of this version is refused and not changed at all.
@Suite struct CacheVersionTests {
    private static func expectRefusal(
        _ folder: TemporaryCache, code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try folder.contents()
        for isMaking in [true, false] {
            #expect(sourceLocation: sourceLocation) {
                _ = try folder.open(isMaking: isMaking)
            } throws: {
                ($0 as? CacheError)?.code == code
            }
        }
        #expect(try folder.contents() == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: ["2", "2\n", "17\n", "2147483648", "99999999999999999999\n"])
    func aNewerOneIsRefused(version: String) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.write("something new".utf8, to: "new/layout")
        try folder.write(version.utf8, to: "VERSION")
        try Self.expectRefusal(folder, code: "cache-newer")
    }

    @Test(arguments: ["", "\n", "0", "-1", "1.0", " 1", "1 ", "one", "1\n\n", "\0", "2x", "\u{FF11}"])
    func oneThatIsNoneIsRefused(version: String) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.write(version.utf8, to: "VERSION")
        try Self.expectRefusal(folder, code: "cache-foreign")
    }

    @Test(arguments: [100, 100_000])
    func aLongOneIsRefused(count: Int) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.write([UInt8](repeating: 0xFF, count: count), to: "VERSION")
        try Self.expectRefusal(folder, code: "cache-foreign")
    }

    @Test(arguments: ["1", "1\n"])
    func thisOneIsTaken(version: String) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.write(version.utf8, to: "VERSION")
        #expect(throws: Never.self) { _ = try folder.open() }
    }

    enum Thing: CaseIterable { case link, folder, fifo }

    @Test(arguments: Thing.allCases)
    func oneThatIsNoFileIsRefused(thing: Thing) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.remove("VERSION")
        switch thing {
        case .link:
            let version = try folder.outside("VERSION")
            try Data("1\n".utf8).write(to: version)
            try folder.makeLink("VERSION", to: version.path)
        case .folder: try folder.makeFolder("VERSION")
        case .fifo: try folder.makeFIFO("VERSION")
        }
        try Self.expectRefusal(folder, code: "cache-foreign")
    }

    @Test(arguments: ["notes.txt", ".hidden", "index.sqlite", "index.sqlite-wal", "tmp/mine", "objects/mine", "tmp"])
    func somebodysFolderIsRefused(name: String) throws {
        let folder = try TemporaryCache()
        try folder.write("mine".utf8, to: name)
        try Self.expectRefusal(folder, code: "cache-foreign")
    }

    @Test(arguments: ["objects", "failures", "tmp"])
    func aLinkInAFoldersPlaceIsRefused(name: String) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.remove(name)
        try folder.makeLink(name, to: try folder.outside("").path)
        try Self.expectRefusal(folder, code: "cache-foreign")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outside("").path) == [])
    }

    @Test(arguments: ["objects", "failures", "tmp"])
    func aLinkInAFoldersPlaceIsRefusedBeforeAnythingIsMade(name: String) throws {
        let folder = try TemporaryCache()
        try folder.makeLink(name, to: try folder.outside("").path)
        try Self.expectRefusal(folder, code: "cache-foreign")
    }

    /// What is there when a process was killed while it made the cache.
    @Test(arguments: [
        [], ["objects/"], ["objects/", "failures/"], ["objects/", "failures/", "tmp/"],
        ["objects/", "failures/", "tmp/CACHEDIR.TAG-0123456789abcdef"],
        ["objects/", "failures/", "tmp/VERSION-0123456789abcdef", "CACHEDIR.TAG"],
    ])
    func aHalfMadeOneIsCompleted(names: [String]) throws {
        let folder = try TemporaryCache()
        try folder.makeFolder("")
        _ = try AvatarCache(folder.path.appending("whole"))
        let tag = try folder.bytes("whole/CACHEDIR.TAG")
        try folder.remove("whole")
        for name in names {
            if name.hasSuffix("/") { try folder.makeFolder(name) } else { try folder.write(tag, to: name) }
        }
        let cache = try folder.open()
        try cache.store(TestImage(1))
        #expect(try cache.find(TestImage(1).key) == TestImage(1).png)
        #expect(try folder.bytes("VERSION") == Array("1\n".utf8) && folder.bytes("CACHEDIR.TAG") == tag)
        #expect(try cache.verify(isRepairing: true).problems.allSatisfy { $0.kind == .stray && $0.isRepaired })
    }

    @Test(arguments: ["objects", "failures", "tmp", "CACHEDIR.TAG"])
    func whatIsMissingInACacheIsMadeAgain(name: String) throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.remove(name)
        try folder.open().store(TestImage(1))
        #expect(folder.exists(name))
    }

    @Test func aCacheWithoutItsVersionIsKnownByItsTag() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        try folder.remove("VERSION")
        #expect(try folder.open().lookup(TestImage(1).key) != nil)
    }

    @Test func aCacheThatWasRemovedUnderAProgramAndGrewAgainIsOne() throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        for name in ["VERSION", "CACHEDIR.TAG"] { try folder.remove(name) }
        try folder.write("rest of an index".utf8, to: "index.sqlite-wal")
        try folder.makeFolder("objects/ab")
        _ = try folder.open()
        #expect(try folder.contents().keys.contains("VERSION"))
    }

    @Test func aFolderOfOtherObjectsIsNone() throws {
        let folder = try TemporaryCache()
        try folder.makeFolder("objects/mine")
        try folder.write("x".utf8, to: "index.sqlite")
        try Self.expectRefusal(folder, code: "cache-foreign")
    }
}
