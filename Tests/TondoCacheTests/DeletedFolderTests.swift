import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TondoCache

/// A folder that is deleted while it is used is made again.
@Suite struct DeletedFolderTests {
    private static func expectWhole(
        _ folder: TemporaryCache, _ cache: AvatarCache, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for name in ["CACHEDIR.TAG", "VERSION", "objects", "failures", "tmp"] {
            #expect(folder.exists(name), "\(name)", sourceLocation: sourceLocation)
        }
        #expect(try cache.verify(isRepairing: false).isClean, sourceLocation: sourceLocation)
        #expect(try folder.open(isMaking: false).verify(isRepairing: false).isClean, sourceLocation: sourceLocation)
    }

    @Test func `A store makes it again`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        cache.flush()
        try folder.remove("")
        #expect(try cache.find(TestImage(1).key) == nil)
        try cache.store(TestImage(2))
        #expect(try cache.find(TestImage(2).key) == TestImage(2).png)
        #expect(try cache.statistics().entries == 1)
        try Self.expectWhole(folder, cache)
    }

    @Test func `A failure makes it again`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try folder.remove("")
        try cache.note(1)
        #expect(cache.noted == [1])
        #expect(try cache.statistics().failures == ["broken": 1])
        try Self.expectWhole(folder, cache)
    }

    @Test func `A question makes it again`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        try folder.remove("")
        #expect(try cache.statistics().entries == 0)
        try Self.expectWhole(folder, cache)
    }

    @Test func `The last flush and the end of a cache make nothing`() throws {
        let folder = try TemporaryCache()
        do {
            let cache = try folder.open()
            try cache.store(TestImage(1))
            _ = cache.lookup(TestImage(1).key)
            try folder.remove("")
            cache.flush()
            cache.close()
        }
        #expect(!folder.exists(""))
    }

    @Test func `A cache that is not to make one stays without`() throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        let cache = try folder.open(isMaking: false)
        try folder.remove("")
        #expect(throws: CacheError.missing(folder.path)) { try cache.store(TestImage(1)) }
        #expect(throws: CacheError.missing(folder.path)) { _ = try cache.statistics() }
        #expect(!folder.exists(""))
    }

    @Test(arguments: ["objects", "failures", "tmp", "VERSION", "CACHEDIR.TAG", "index.sqlite"])
    func `What alone was deleted is made again by the next flush`(name: String) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        try cache.note(1)
        cache.flush()
        try folder.remove(name)
        try cache.store(TestImage(2))
        try cache.note(2)
        cache.flush()
        #expect(try cache.find(TestImage(2).key) == TestImage(2).png)
        #expect(try cache.statistics().entries == (name == "objects" ? 1 : 2))
        #expect(try cache.statistics().failures == ["broken": name == "failures" ? 1 : 2])
        try Self.expectWhole(folder, cache)
    }

    @Test func `Several caches meet in the folder made again`() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<3).map { _ in try folder.open() }
        for (number, cache) in caches.enumerated() { try cache.store(TestImage(number)) }
        try folder.remove("")
        DispatchQueue.concurrentPerform(iterations: 3) { number in
            do { try caches[number].store(TestImage(10 + number)) } catch { Issue.record(error) }
        }
        for cache in caches { cache.flush() }
        for cache in caches { #expect(try cache.statistics().entries == 3) }
        #expect(Set(caches.map(\.folder.indexLock.identity)).count == 1)
        try Self.expectWhole(folder, caches[0])
    }

    /// Another program deletes the folder between any two steps of a store.
    @Test func `However often it is deleted meanwhile, storing ends and the cache is whole after it`() throws {
        let folder = try TemporaryCache(inMemory: true)
        let cache = try folder.open()
        let isOver = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                for turn in 0..<30 {
                    try? cache.store(TestImage(turn))
                    try? cache.note(turn)
                    // A failed attempt makes the cache wait.
                    folder.wait(seconds: 31)
                }
                isOver.store(true, ordering: .releasing)
            } else {
                while !isOver.load(ordering: .acquiring) { try? folder.remove("") }
            }
        }
        folder.wait(seconds: 31)
        try cache.store(TestImage(200))
        #expect(try cache.find(TestImage(200).key) == TestImage(200).png)
        _ = try cache.verify(isRepairing: true)
        try Self.expectWhole(folder, cache)
    }

    @Test func `Another folder in its place is left alone, and is not looked at for every store`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try folder.remove("")
        try folder.write("mine".utf8, to: "notes.txt")
        #expect { try cache.store(TestImage(1)) } throws: { ($0 as? CacheError)?.code == "cache-foreign" }
        try folder.remove("notes.txt")
        #expect { try cache.store(TestImage(1)) } throws: { ($0 as? CacheError)?.code == "cache-foreign" }
        #expect(try folder.contents() == [:])
        folder.wait(seconds: 30)
        try cache.store(TestImage(1))
        try Self.expectWhole(folder, cache)
    }

    @Test func `Making it again is no problem to report`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for turn in 0..<3 {
            try folder.remove("")
            try cache.store(TestImage(turn))
            cache.flush()
        }
        #expect(folder.notices == [])
    }
}
