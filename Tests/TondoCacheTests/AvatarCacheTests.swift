import Testing

@testable import TondoCache

@Suite struct AvatarCacheTests {
    @Test func whatWasStoredIsReadBackAsItWas() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let picture = TestPicture(1)
        try cache.store(picture)
        #expect(try cache.find(picture.key) == picture.png)
    }

    @Test func anotherProcessFindsItAtOnce() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        let picture = TestPicture(1)
        try first.store(picture)
        #expect(try second.find(picture.key) == picture.png)
    }

    @Test func whatWasNotStoredIsAMiss() throws {
        let cache = try TemporaryCache().open()
        #expect(cache.lookup(TestPicture(1).key) == nil)
    }

    @Test func anEntryTellsItsRecipeSizeCostTimesAndContacts() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let picture = TestPicture(1)
        try cache.store(picture, contacts: ["ada", "b o\n"], cost: 12.5)
        let entry = try #require(try cache.entry(picture.key))
        #expect(entry.recipe.text == picture.recipe)
        #expect(entry.cost == 12.5 && entry.created == folder.now && entry.used == folder.now)
        #expect(entry.contacts == ["ada", "b o\n"])
        #expect(entry.size > picture.png.count)
    }

    @Test func aRemovedEntryIsAMissAndItsDepartureIsKnown() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let picture = TestPicture(1)
        try cache.store(picture)
        cache.flush()
        #expect(try cache.remove(picture.key))
        #expect(try cache.find(picture.key) == nil)
        #expect(try cache.entry(picture.key) == nil)
        #expect(try cache.departure(of: picture.key)?.reason == .removed)
    }

    @Test func closingLeavesNothingInTheTemporaryFolder() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestPicture(1))
        cache.close()
        #expect(try folder.files(below: "tmp") == [])
        #expect(try cache.verify(isRepairing: false).problems == [])
    }

    @Test func pruningTakesTheLeastRecentlyUsedDownToNineTenths() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: nil)
        let pictures = (0..<10).map { TestPicture($0, bytes: 10_000) }
        for picture in pictures {
            try cache.store(picture)
            folder.wait(seconds: 1)
        }
        _ = cache.lookup(pictures[0].key)
        let size = try #require(try cache.entry(pictures[0].key)).size
        let pruning = try cache.prune(maxSize: 10 * size - 1)
        #expect(pruning.entries == 1 + (size * 9 > Int(Double(10 * size - 1) * 0.9) ? 1 : 0))
        #expect(cache.lookup(pictures[0].key) != nil)
        #expect(cache.lookup(pictures[1].key) == nil)
        #expect(try cache.verify(isRepairing: false).problems == [])
    }
}
