import Foundation
import Testing

@testable import TondoCache

/// A clock that was wrong and was put right.
@Suite struct ClockTests {
    @Test func anEntryFromTheFutureAgesFromNowOn() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        folder.wait(seconds: 1e9)
        try cache.store(TestImage(1))
        cache.flush()
        folder.wait(seconds: -1e9)
        _ = try cache.prune(maxAge: 100)
        folder.wait(seconds: 101)
        #expect(try cache.prune(maxAge: 100).entries == 1)
    }

    @Test func aTransientFailureFromTheFutureIsTriedAgain() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        folder.wait(seconds: 1e9)
        try cache.note(failureOf: "photo=1", stage: "read", code: "busy", reason: "", isTransient: true)
        folder.wait(seconds: -1e9)
        #expect(cache.failure(of: "photo=1", memoryLimit: 0) == nil)
    }

    @Test(arguments: [
        Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity), Date(milliseconds: .max),
    ])
    func anyTimeCanBeStored(time: Date) throws {
        let folder = try TemporaryCache()
        var options = AvatarCache.Options()
        options.now = { time }
        let cache = try AvatarCache(folder.path, options: options)
        try cache.store(TestImage(1))
        _ = cache.lookup(TestImage(1).key)
        try cache.note(failureOf: "photo=1", stage: "read", code: "busy", reason: "", isTransient: true)
        try cache.askEverything()
        #expect(try cache.rebuildIndex() == 1)
        try cache.askEverything()
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func anyTimeCanBeAskedFor(time: Double) throws {
        let cache = try TemporaryCache().open()
        var query = EntryQuery()
        query.since = Date(timeIntervalSince1970: time)
        #expect(try cache.entries(query) == [])
    }
}
