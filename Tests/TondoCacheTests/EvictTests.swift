import Foundation
import Testing

@testable import TondoCache

@Suite struct EvictTests {
    /// `count` entries of about equal size, the first least recently used, a second between them.
    private static func open(
        _ count: Int, maxSize: Int? = nil
    ) throws -> (folder: TemporaryCache, cache: AvatarCache, keys: [CacheKey], size: Int) {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: maxSize)
        let images = (0..<count).map { TestImage($0, bytes: 5000) }
        for image in images {
            try cache.store(image)
            folder.wait(seconds: 1)
        }
        return (folder, cache, images.map(\.key), try cache.statistics().bytes)
    }

    private static func left(_ cache: AvatarCache, _ keys: [CacheKey]) -> [Int] {
        keys.indices.filter { (try? cache.objects.status(keys[$0])) != nil }
    }

    @Test func whatFitsStays() throws {
        let (_, cache, keys, size) = try Self.open(10)
        #expect(try cache.prune(maxSize: size).entries == 0)
        #expect(Self.left(cache, keys) == Array(0..<10))
    }

    @Test func whatDoesNotFitGoesDownToNineTenths() throws {
        let (_, cache, keys, size) = try Self.open(100)
        let pruning = try cache.prune(maxSize: size - 1)
        #expect(pruning.bytesLeft <= size * 9 / 10 && pruning.bytesLeft > size * 88 / 100)
        #expect(Self.left(cache, keys) == Array(pruning.entries..<100))
        #expect(pruning.entriesLeft == 100 - pruning.entries && pruning.bytes + pruning.bytesLeft == size)
    }

    @Test func aNewLimitMakesRoomWithTheNextStore() throws {
        let (_, cache, keys, size) = try Self.open(10)
        cache.limit(to: size / 2)
        try cache.store(TestImage(10, bytes: 5000))
        cache.flush()
        #expect(try cache.statistics().bytes <= size / 2)
        #expect(Self.left(cache, keys).allSatisfy { $0 > 4 })
    }

    @Test func lookingUpMakesAnEntryTheMostRecentlyUsed() throws {
        let (_, cache, keys, size) = try Self.open(10)
        _ = cache.lookup(keys[0])
        _ = try cache.prune(maxSize: size / 2)
        #expect(Self.left(cache, keys).first == 0)
        #expect(Self.left(cache, keys).count > 1)
    }

    @Test func readingAFileBehindTheCachesBackIsNoUse() throws {
        let (folder, cache, keys, size) = try Self.open(10)
        _ = try folder.bytes(folder.name(of: keys[0]))
        _ = try cache.prune(maxSize: size / 2)
        #expect(!Self.left(cache, keys).contains(0))
    }

    @Test func whatWasNotUsedForTooLongGoes() throws {
        let (folder, cache, keys, _) = try Self.open(10)
        folder.wait(seconds: 90)
        _ = cache.lookup(keys[2])
        let pruning = try cache.prune(maxAge: 95)
        #expect(Self.left(cache, keys) == [2, 5, 6, 7, 8, 9])
        #expect(pruning.entries == 4 && pruning.entriesLeft == 6)
    }

    @Test(arguments: [(nil, 95), (1000, nil), (30_000, 95), (30_000, 3), (0, nil), (nil, 0)] as [(Int?, Double?)])
    func aTrialTellsWhatWouldGoAndRemovesNothing(maxSize: Int?, maxAge: Double?) throws {
        let (folder, cache, keys, _) = try Self.open(10)
        folder.wait(seconds: 90)
        let trial = try cache.prune(maxSize: maxSize, maxAge: maxAge, isTrial: true)
        #expect(Self.left(cache, keys).count == 10)
        #expect(try cache.prune(maxSize: maxSize, maxAge: maxAge) == trial)
        #expect(Self.left(cache, keys).count == trial.entriesLeft)
    }

    @Test func storingBeyondTheLimitMakesRoom() throws {
        let (_, cache, keys, _) = try Self.open(10, maxSize: 30_000)
        cache.flush()
        let left = Self.left(cache, keys)
        #expect(left.last == 9 && left.count < 6 && left == Array(left[0]..<10))
        #expect(try cache.statistics().bytes <= 30_000)
        #expect(try cache.statistics().evicted == 10 - left.count)
    }

    @Test(arguments: [(0, nil), (-1, nil), (Int.min, nil), (nil, 0), (nil, -1)] as [(Int?, Double?)])
    func alimitOfNothingLeavesNothing(maxSize: Int?, maxAge: Double?) throws {
        let (folder, cache, _, _) = try Self.open(3)
        #expect(try cache.prune(maxSize: maxSize, maxAge: maxAge).entries == 3)
        #expect(try folder.files(below: "objects") == [])
    }

    @Test(
        arguments: [(Int.max, nil), (nil, .infinity), (nil, .greatestFiniteMagnitude), (nil, 1e15), (nil, .nan)]
            as [(Int?, Double?)])
    func aLimitBeyondAllMeasureLeavesEverything(maxSize: Int?, maxAge: Double?) throws {
        let (_, cache, _, _) = try Self.open(3)
        #expect(try cache.prune(maxSize: maxSize, maxAge: maxAge).entries == 0)
        #expect(try cache.prune(maxSize: maxSize, maxAge: maxAge, isTrial: true).entries == 0)
    }

    @Test func whatWentIsRememberedWithItsReason() throws {
        let (_, cache, keys, size) = try Self.open(4)
        _ = try cache.prune(maxSize: size - 1)
        _ = try cache.prune(maxAge: 0)
        #expect(try keys.map { try cache.removalRecord(of: $0)?.reason } == [.size, .age, .age, .age])
        try cache.store(TestImage(0, bytes: 5000))
        #expect(try cache.removalRecord(of: keys[0]) == nil)
    }

    @Test func moreThanOneBatchGoesInOneCall() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: nil)
        let image = TestImage(0)
        let file = try image.entryFile()
        // Rows are all it takes: what has none of its files is gone already.
        cache.flush()
        _ = try cache.index.write { writer in
            for number in 0..<1300 {
                let recipe = "photo=\(number)"
                guard let recipe = Recipe(recipe) else { continue }
                try writer.put(
                    Entry(
                        key: CacheKey(recipe: recipe.text), recipe: recipe, size: file.count, cost: 1,
                        created: folder.now, used: folder.now, contacts: []))
            }
        }
        let pruning = try cache.prune(maxSize: 10 * file.count)
        #expect(pruning.entriesLeft == 9 && pruning.entries == 1291)
    }

    /// Its folder may belong to another user, or be in the way of something.
    @Test func anEntryThatCannotBeRemovedKeepsNoOtherFromGoing() throws {
        let (folder, writer, keys, _) = try Self.open(10)
        writer.close()
        let cache = try folder.open(maxSize: nil, isMaking: false)
        try folder.remove(folder.name(of: keys[0]))
        try folder.makeFolder(folder.name(of: keys[0]))
        // There is nowhere to move the folder to; the journal is open already.
        _ = try cache.storage.files.journal.session()
        try folder.remove("tmp")
        #expect(throws: CacheError.self) { _ = try cache.prune(maxSize: 0) }
        #expect(Self.left(cache, keys) == [0])
    }

    @Test func anEvictionThatFailsCountsNothingTwice() throws {
        let folder = try TemporaryCache()
        try folder.open().store(TestImage(1))
        let cache = try folder.open(maxSize: 1, isMaking: false)
        try cache.store(TestImage(2))
        _ = cache.lookup(TestImage(3).key)
        try folder.remove(folder.name(of: TestImage(1).key))
        try folder.makeFolder(folder.name(of: TestImage(1).key))
        try folder.remove("tmp")
        cache.flush()
        cache.flush()
        #expect(try cache.statistics().misses == 1)
    }
}
