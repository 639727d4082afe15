import Foundation
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// Anything at all in the place of one of the 256 folders of entries.
@Suite struct HostileShardTests {
    enum Thing: CaseIterable { case file, link, danglingLink, fifo }

    private static let image = TestImage(1)
    private static let shard = "objects/\(ObjectStore.name(ofShard: image.key.shard))"

    /// A link leads to a folder outside with the entry in it.
    private static func put(_ thing: Thing, _ folder: TemporaryCache) throws {
        switch thing {
        case .file: try folder.write("mine".utf8, to: shard)
        case .fifo: try folder.makeFIFO(shard)
        case .danglingLink: try folder.makeLink(shard, to: try folder.outside("nothing").path)
        case .link:
            try Data(image.entryFile()).write(to: try folder.outside("\(image.key).png"))
            try folder.makeLink(shard, to: try folder.outside("").path)
        }
    }

    private static func outside(_ folder: TemporaryCache) throws -> [String] {
        let root = try folder.outside("")
        return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().map {
            let raw = try FileManager.default.attributesOfItem(atPath: root.appendingPathComponent($0).path)
            return "\($0) \(raw[.posixPermissions] ?? 0) \(raw[.systemFileNumber] ?? 0) \(raw[.size] ?? 0)"
        }
    }

    @Test(arguments: Thing.allCases)
    func storingMakesAFolderInItsPlaceAndWritesNothingOutside(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        let before = try Self.outside(folder)
        try cache.store(Self.image)
        #expect(try cache.find(Self.image.key) == Self.image.png)
        #expect(try folder.state(Self.shard).kind == .folder)
        #expect(try Self.outside(folder) == before)
    }

    @Test(arguments: Thing.allCases)
    func removingAndPruningAndClearingTouchNothingOutside(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        cache.flush()
        try folder.remove(Self.shard)
        try Self.put(thing, folder)
        let before = try Self.outside(folder)
        #expect(try !cache.remove(Self.image.key))
        _ = try cache.prune(maxSize: 0)
        _ = try cache.clear()
        #expect(try cache.statistics().entries == 0)
        #expect(try Self.outside(folder) == before)
    }

    @Test(arguments: Thing.allCases)
    func repairTakesItAwayAndListsWhatIsThereOnly(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        cache.flush()
        try folder.remove(Self.shard)
        try Self.put(thing, folder)
        let before = try Self.outside(folder)
        #expect(try cache.verify(isRepairing: true).problems.map(\.kind) == [.foreign, .missing])
        #expect(try cache.verify(isRepairing: false).problems == [])
        #expect(try cache.statistics().entries == 0)
        #expect(try Self.outside(folder) == before)
    }

    @Test(arguments: Thing.allCases)
    func anIndexMadeAnewPassesItOver(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.put(thing, folder)
        #expect(try cache.rebuildIndex() == 0)
    }
}
