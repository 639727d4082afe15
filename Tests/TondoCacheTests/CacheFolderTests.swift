import Foundation
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

@Suite struct CacheFolderTests {
    @Test func aNewCacheIsForItsOwnerAlone() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        try cache.note(failureOf: "photo=1", stage: "decode", code: "broken", reason: "cut off")
        cache.flush()
        #expect(try folder.state("").mode == 0o700)
        for (name, _) in try folder.contents() where name != "VERSION" && name != "CACHEDIR.TAG" {
            let state = try folder.state(name)
            #expect(state.mode == (state.kind == .folder ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test func backupProgramsAreToldToPassOverIt() throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        // Cache Directory Tagging Specification: the file begins with exactly these 43 bytes.
        #expect(
            try folder.bytes("CACHEDIR.TAG").prefix(43)
                == Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)[...])
        #expect(try folder.bytes("CACHEDIR.TAG")[43] == UInt8(ascii: "\n"))
        #expect(try folder.state("CACHEDIR.TAG").kind == .regular)
    }

    @Test func foldersOnTheWayAreMadeToo() throws {
        let folder = try TemporaryCache()
        let cache = try AvatarCache(folder.path.appending("a").appending("b"))
        try cache.store(TestImage(1))
        #expect(cache.lookup(TestImage(1).key) != nil)
    }

    @Test func withoutMakingAMissingFolderIsMissing() throws {
        let folder = try TemporaryCache()
        #expect(throws: CacheError.missing(folder.path)) { _ = try folder.open(isMaking: false) }
        #expect(!folder.exists(""))
    }

    @Test func withoutMakingAnEmptyFolderIsMissingAndStaysEmpty() throws {
        let folder = try TemporaryCache()
        try folder.makeFolder("")
        #expect(throws: CacheError.missing(folder.path)) { _ = try folder.open(isMaking: false) }
        #expect(try folder.contents() == [:])
    }

    @Test func openingACacheChangesNothingInIt() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        let before = try folder.contents()
        _ = try folder.open(isMaking: false)
        _ = try folder.open(isMaking: true)
        #expect(try folder.contents() == before)
    }

    @Test func aLinkToTheCacheAsAWholeIsTheUsersChoice() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        let link = folder.path.removingLastComponent().appending("link")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: folder.path.string)
        let cache = try AvatarCache(link)
        #expect(cache.lookup(TestImage(1).key) != nil)
        #expect(try cache.statistics().entries == 1)
    }

    @Test func aFileInItsPlaceIsNoCache() throws {
        let folder = try TemporaryCache()
        try Data().write(to: folder.url(""))
        #expect { try folder.open() } throws: { ($0 as? CacheError)?.code == "cache-foreign" }
    }

    @Test func aFolderWhoseNameIsNoTextHoldsACacheLikeAnyOther() throws {
        let folder = try TemporaryCache()
        let bytes = Array(folder.path.string.utf8) + [0xFF, 0xFE]
        let path = FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
        for isNew in [true, false] {
            let cache = try AvatarCache(path)
            if isNew { try cache.store(TestImage(1), contacts: ["ada"]) }
            #expect(try cache.entry(TestImage(1).key)?.contacts == ["ada"])
            #expect(try cache.verify(isRepairing: true).isClean)
            #expect(try cache.rebuildIndex() == 1)
            cache.close()
        }
        let found = try Folder(path).names().map(\.string).sorted()
        #expect(found == ["CACHEDIR.TAG", "VERSION", "failures", "index.sqlite", "objects", "tmp"])
        #expect(!folder.exists(""))
    }
}
