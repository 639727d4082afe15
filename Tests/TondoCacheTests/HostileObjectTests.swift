import Foundation
import Glibc
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// Anything at all in the place of an entry: a miss that heals, and nothing outside is touched.
@Suite struct HostileObjectTests {
    enum Thing: CaseIterable {
        case empty, text, folder, fullFolder, fifo, link, danglingLink, loop, socket, sparse, cutOff, otherEntry
    }

    private static let image = TestImage(1)

    private static func put(_ thing: Thing, _ folder: TemporaryCache) throws {
        let name = folder.name(of: image.key)
        switch thing {
        case .empty: try folder.write([], to: name)
        case .text: try folder.write("hello".utf8, to: name)
        case .folder: try folder.makeFolder(name)
        case .fullFolder: try folder.write("mine".utf8, to: name + "/file")
        case .fifo: try folder.makeFIFO(name)
        case .link:
            let victim = try folder.outside("victim")
            try Data(image.entryFile()).write(to: victim)
            try folder.makeLink(name, to: victim.path)
        case .danglingLink: try folder.makeLink(name, to: try folder.outside("nothing").path)
        case .loop: try folder.makeLink(name, to: folder.url(name).path)
        case .socket: try makeSocket(folder.url(name))
        case .sparse:
            try folder.write([0x89], to: name)
            truncate(folder.url(name).path, 1 << 40)
        case .cutOff: try folder.write(image.entryFile().dropLast(9), to: name)
        case .otherEntry: try folder.write(TestImage(2).entryFile(), to: name)
        }
    }

    /// Bound by its last name, since a socket's address has no room for a long path.
    private static func makeSocket(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        if mknod(url.path, S_IFSOCK | 0o600, 0) != 0 { throw Errno(rawValue: errno) }
    }

    @Test(arguments: Thing.allCases)
    func itIsAMiss(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        #expect(try cache.find(Self.image.key) == nil)
        #expect(cache.lookup(Self.image.key) == nil)
    }

    @Test(arguments: Thing.allCases)
    func itIsAMissWhenItTookTheEntrysPlaceAfterTheLookup(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        let hit = try #require(cache.lookup(Self.image.key))
        try folder.remove(folder.name(of: Self.image.key))
        try Self.put(thing, folder)
        #expect(try cache.read(hit) == nil)
        #expect(!folder.exists(folder.name(of: Self.image.key)))
        #expect(try cache.entry(Self.image.key) == nil)
    }

    @Test(arguments: Thing.allCases)
    func storingTakesItsPlace(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        let before = try folder.outside()
        try cache.store(Self.image, contacts: ["ada"])
        #expect(try cache.find(Self.image.key) == Self.image.png)
        #expect(try folder.state(folder.name(of: Self.image.key)).kind == .regular)
        #expect(try cache.entry(Self.image.key)?.contacts == ["ada"])
        #expect(try folder.outside() == before)
    }

    @Test(arguments: Thing.allCases)
    func removingRemovesIt(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        let before = try folder.outside()
        #expect(try cache.remove(Self.image.key))
        #expect(!folder.exists(folder.name(of: Self.image.key)))
        #expect(try folder.outside() == before)
    }

    @Test(arguments: Thing.allCases)
    func anIndexMadeAnewPassesItOver(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(3))
        try Self.put(thing, folder)
        #expect(try cache.rebuildIndex() == 1)
    }

    @Test(arguments: Thing.allCases)
    func verifyFindsItAndRepairTakesItAway(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        cache.flush()
        try folder.remove(folder.name(of: Self.image.key))
        try Self.put(thing, folder)
        let before = try folder.outside()
        let isFile = [.empty, .text, .sparse, .cutOff, .otherEntry].contains(thing)
        #expect(try cache.verify(isRepairing: false).problems.map(\.kind) == [isFile ? .damaged : .foreign])
        #expect(try cache.verify(isRepairing: true).problems.map(\.isRepaired) == [true])
        #expect(try cache.verify(isRepairing: false).problems == [])
        #expect(try cache.statistics().entries == 0)
        #expect(try folder.outside() == before)
    }

    @Test(arguments: Thing.allCases)
    func addingANameToItDoesNothing(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        let before = try folder.outside()
        try cache.add(contacts: ["ada"], to: Self.image.key)
        #expect(try folder.outside() == before)
    }

    @Test func aFileThatCannotBeReadIsAMissThatHeals() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        try folder.setMode(0, of: folder.name(of: Self.image.key))
        let isRoot = geteuid() == 0
        #expect(try (cache.find(Self.image.key) == nil) == !isRoot)
        #expect(folder.exists(folder.name(of: Self.image.key)) == isRoot)
    }
}
