import Foundation
import Testing

@testable import TondoCache

@Suite struct AvatarCacheTests {
    @Test func whatWasStoredIsReadBackAsItWas() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image)
        #expect(try cache.find(image.key) == image.png)
    }

    @Test func anotherProcessFindsItAtOnce() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        let image = TestImage(1)
        try first.store(image)
        #expect(try second.find(image.key) == image.png)
    }

    @Test func readingAtOnceCountsAsOneUseAndAMissingEntryAsNothing() throws {
        let cache = try TemporaryCache().open()
        let image = TestImage(1)
        #expect(cache.readQuickly(image.key, format: .png) == nil)
        try cache.store(image)
        #expect(cache.readQuickly(image.key, format: .png)?.bytes == image.png)
        #expect(cache.readQuickly(image.key, format: .webp) == nil)
        cache.flush()
        let statistics = try cache.statistics()
        #expect((statistics.hits, statistics.misses) == (1, 0))
    }

    @Test func readingAtOnceLeavesADamagedEntryToTheLookup() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image)
        try Data("no avatar".utf8).write(to: folder.file(of: image.key))
        #expect(cache.readQuickly(image.key, format: .png) == nil)
        #expect(cache.contains(image.key))
        #expect(try cache.find(image.key) == nil)
        #expect(!cache.contains(image.key))
    }

    @Test func whatWasNotStoredIsAMiss() throws {
        let cache = try TemporaryCache().open()
        #expect(cache.lookup(TestImage(1).key) == nil)
    }

    @Test func anEntryTellsItsRecipeSizeCostTimesAndContacts() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image, contacts: ["ada", "b o\n"], cost: 12.5)
        let entry = try #require(try cache.entry(image.key))
        #expect(entry.recipe.text == image.recipe)
        #expect(entry.cost == 12.5 && entry.created == folder.now && entry.used == folder.now)
        #expect(entry.contacts == ["ada", "b o\n"])
        #expect(entry.size > image.png.count)
    }

    @Test func aRemovedEntryIsAMissAndItsDepartureIsKnown() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image)
        cache.flush()
        #expect(try cache.remove(image.key))
        #expect(try cache.find(image.key) == nil)
        #expect(try cache.entry(image.key) == nil)
        #expect(try cache.removalRecord(of: image.key)?.reason == .removed)
    }

    @Test func closingLeavesNothingInTheTemporaryFolder() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        cache.close()
        #expect(try folder.files(below: "tmp") == [])
        #expect(try cache.verify(isRepairing: false).problems == [])
    }

    @Test func pruningTakesTheLeastRecentlyUsedDownToNineTenths() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: nil)
        let images = (0..<10).map { TestImage($0, bytes: 10_000) }
        for image in images {
            try cache.store(image)
            folder.wait(seconds: 1)
        }
        _ = cache.lookup(images[0].key)
        let size = try #require(try cache.entry(images[0].key)).size
        let pruning = try cache.prune(maxSize: 10 * size - 1)
        #expect(pruning.entries == 1 + (size * 9 > Int(Double(10 * size - 1) * 0.9) ? 1 : 0))
        #expect(cache.lookup(images[0].key) != nil)
        #expect(cache.lookup(images[1].key) == nil)
        #expect(try cache.verify(isRepairing: false).problems == [])
    }
}
