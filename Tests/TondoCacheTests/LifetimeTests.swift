import Dispatch
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import TondoCache

/// What a cache leaves behind, open and closed.
@Suite struct LifetimeTests {
    @Test func aCacheThatIsGoneKeepsNoDescriptor() throws {
        let folder = try TemporaryCache()
        for turn in 0..<3 {
            let cache = try folder.open()
            try cache.store(TestImage(turn))
            _ = try cache.find(TestImage(turn).key)
            try cache.note(failureOf: "photo=1", stage: "decode", code: "broken", reason: "")
            _ = try cache.verify(isRepairing: true)
            _ = try cache.rebuildIndex()
            try folder.write([1], to: folder.name(of: TestImage(turn).key))
            _ = try cache.find(TestImage(turn).key)
        }
        #expect(try folder.openDescriptors() == [])
    }

    @Test func aCacheThatCouldNotBeOpenedKeepsNoDescriptor() throws {
        let folder = try TemporaryCache()
        _ = try folder.open()
        try folder.write("2".utf8, to: "VERSION")
        _ = try? folder.open()
        try folder.write("1".utf8, to: "VERSION")
        try folder.remove("tmp")
        try folder.write([], to: "tmp")
        _ = try? folder.open()
        #expect(try folder.openDescriptors() == [])
    }

    @Test func anOpenCacheDoesNotGatherDescriptors() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        func work() throws {
            for number in 0..<20 {
                try cache.store(TestImage(number))
                _ = try cache.find(TestImage(number).key)
                try cache.add(contacts: ["ada"], to: TestImage(number).key)
                #expect(throws: CacheError.self) { try cache.store([], key: TestImage(1).key, cost: 1) }
                try cache.remove(TestImage(number).key)
            }
            cache.flush()
            _ = try cache.verify(isRepairing: true)
        }
        try work()
        let before = try folder.openDescriptors().count
        try work()
        #expect(try folder.openDescriptors().count == before)
    }

    @Test func aPlannedFlushKeepsNoCacheAlive() throws {
        let folder = try TemporaryCache()
        weak var gone: AvatarCache?
        do {
            let cache = try folder.open()
            gone = cache
            try cache.store(TestImage(1))
            _ = cache.lookup(TestImage(1).key)
            #expect(cache.storage.rows.isFlushPlanned)
        }
        #expect(gone == nil)
        #expect(try folder.open().statistics().hits == 1)
        #expect(try folder.files(below: "tmp") == [])
    }

    @Test func aPlannedFlushKeepsNoListenerAlive() throws {
        weak var gone: CacheBox?
        do {
            let folder = try TemporaryCache()
            let box = CacheBox()
            gone = box
            var options = AvatarCache.Options()
            options.notice = { _ in _ = box.cache }
            let cache = try AvatarCache(folder.path, options: options)
            try cache.store(TestImage(1))
            cache.flush()
            _ = cache.lookup(TestImage(1).key)
        }
        #expect(gone == nil)
    }

    @Test func aClosedCacheMayBeUsedAgain() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<3 {
            try cache.store(TestImage(number))
            cache.close()
            cache.close()
            #expect(try folder.files(below: "tmp") == [])
        }
        #expect(try cache.statistics().entries == 3)
    }

    @Test func closingWhileOthersStoreLosesNothing() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for turn in 0..<15 {
                if thread == 0 {
                    cache.close()
                } else {
                    do { try cache.store(TestImage(100 * thread + turn)) } catch { Issue.record(error) }
                }
            }
        }
        cache.close()
        #expect(try folder.files(below: "tmp") == [])
        #expect(try cache.statistics().entries == 45)
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func whatIsToldIsToldOutsideEveryLock() throws {
        let folder = try TemporaryCache()
        let box = CacheBox()
        var options = AvatarCache.Options()
        options.maxSize = 1
        // Calls the cache that sends the notice, and so waits for ever where a lock is held.
        options.notice = { _ in
            _ = try? box.cache?.statistics()
            box.cache?.flush()
        }
        let cache = try AvatarCache(folder.path, options: options)
        box.cache = cache
        try cache.store(TestImage(1))
        cache.flush()
        try folder.write([UInt8](repeating: 1, count: 5000), to: "index.sqlite")
        try cache.store(TestImage(2))
        cache.flush()
        try folder.write([1], to: folder.name(of: TestImage(3).key))
        #expect(try cache.find(TestImage(3).key) == nil)
        _ = try cache.rebuildIndex()
    }

    @Test func aFailedStoreLeavesNothingBehind() throws {
        let folder = try TemporaryCache()
        try folder.open().close()
        let cache = try folder.open(isMaking: false)
        try cache.store(TestImage(1))
        try folder.remove("objects")
        #expect(throws: CacheError.missing(folder.path)) { try cache.store(TestImage(2)) }
        #expect(try folder.files(below: "tmp").allSatisfy { $0.hasSuffix(".journal") })
        #expect(!folder.exists("objects"))
    }
}

/// Passes a notice to the cache that sent it.
private final class CacheBox: @unchecked Sendable {
    // Safe because it is set once, before the cache sends any notice.
    weak var cache: AvatarCache?
}
