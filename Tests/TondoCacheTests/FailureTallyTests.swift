import Dispatch
import Foundation
import GRDB
import Testing
import TondoTestSupport

@testable import TondoCache

/// Failures are counted in the index, bounded, and evicted like entries.
@Suite struct FailureTallyTests {
    private static func name(_ number: Int) -> String { "failures/\(CacheKey(recipe: "photo=\(number)"))" }

    @Test func `Statistics hold failures by code with their bytes`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<5 { try cache.note(number, code: number < 3 ? "broken" : "large") }
        let statistics = try cache.statistics()
        #expect(statistics.failures == ["broken": 3, "large": 2])
        let sizes = try (0..<5).map { try folder.bytes(Self.name($0)).count }
        #expect(statistics.failureBytes == sizes.reduce(0, +))
    }

    /// Each contact with initials has a style of its own, as far as the index knows.
    @Test func `Tallies are those of the statistics, and read no style`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<5 { try cache.store(TestImage(number)) }
        try cache.note(7)
        try cache.remove(TestImage(2).key)
        let (tallies, statistics) = (try cache.tallies(), try cache.statistics())
        #expect(tallies.entries == 4 && tallies.bytes == statistics.bytes && tallies.bytes > 0)
        #expect(statistics.styles.reduce(0) { $0 + $1.bytes } == tallies.bytes)
        #expect(tallies.failures == ["broken": 1] && tallies.styles == [] && tallies.oldest == nil)
        cache.close()
        try folder.database().inDatabase { try $0.execute(sql: "UPDATE templates SET entries = 1000") }
        #expect(try cache.tallies().entries == 4)
    }

    /// Whatever the files hold by now, they are not asked.
    @Test func `Statistics read no failure`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<20 { try cache.note(number) }
        let before = try cache.statistics()
        for number in 0..<20 { try folder.write("noise".utf8, to: Self.name(number)) }
        #expect(try cache.statistics() == before)
        #expect(before.failures == ["broken": 20])
    }

    @Test func `A failure that comes again or goes is counted once or not at all`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for _ in 0..<3 { try cache.note(1) }
        try cache.note(2, code: "timeout")
        try cache.note(1, code: "timeout")
        cache.forgetFailure(of: "photo=2")
        cache.forgetFailure(of: "photo=3")
        #expect(try cache.statistics().failures == ["timeout": 1])
    }

    /// An avatar's recipe and a photo's failure may have one key: the first change must not lose its row to the second
    /// one while both wait for the index.
    @Test(arguments: [false, true])
    func `An entry and a failure of one key have a row each`(isFailureFirst: Bool) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        func store() throws { try cache.store(image) }
        func note() throws { try cache.note(failureOf: image.recipe, stage: "decode", code: "broken", reason: "short") }
        for step in isFailureFirst ? [note, store] : [store, note] { try step() }
        #expect(try cache.statistics().failures == ["broken": 1])
        #expect(try cache.verify(isRepairing: false).isClean)
        try cache.remove(image.key)
        cache.forgetFailure(of: image.recipe)
        #expect(try cache.removalRecord(of: image.key)?.reason == .removed)
        #expect(try cache.statistics().failures == [:])
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func `Several caches count the same failures`() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<3).map { _ in try folder.open() }
        for number in 0..<9 { try caches[number % 3].note(number) }
        for number in 0..<3 { caches[(number + 1) % 3].forgetFailure(of: "photo=\(number)") }
        for cache in caches { cache.flush() }
        for cache in caches { #expect(try cache.statistics().failures == ["broken": 6]) }
    }

    @Test func `A rebuilt index counts failures, too`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<4 { try cache.note(number) }
        let before = try cache.statistics()
        _ = try cache.rebuildIndex()
        #expect(try cache.statistics() == before)
        #expect(before.failures == ["broken": 4])
    }

    @Test func `What a killed process noted is counted`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.note(1)
        let bytes = try folder.bytes(Self.name(1))
        cache.forgetFailure(of: "photo=1")
        cache.close()
        try folder.write(bytes, to: Self.name(1))
        try folder.write(CacheKey(recipe: "photo=1").bytes, to: "tmp/0123456789abcdef.journal")
        #expect(try cache.statistics().failures == ["broken": 1])
    }

    @Test func `Verifying counts again what others removed and added`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.note(1)
        try cache.note(2)
        cache.flush()
        let bytes = try folder.bytes(Self.name(1))
        try folder.remove(Self.name(1))
        try folder.remove(Self.name(2))
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(try cache.statistics().failures == [:])
        try folder.write(bytes, to: Self.name(1))
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(try cache.statistics().failures == ["broken": 1])
    }

    @Test func `Beyond their bound the expired go first, then the oldest, down to nine tenths`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(mostFailures: 10)
        for number in 0..<10 {
            try cache.note(number, isTransient: number == 5)
            folder.wait(seconds: 1)
        }
        folder.wait(seconds: 60)
        try cache.note(10)
        cache.flush()
        #expect(cache.noted == [1, 2, 3, 4, 6, 7, 8, 9, 10])
        #expect(try cache.statistics().failures == ["broken": 9])
    }

    @Test func `Their bytes count in the limit of size, and the oldest of both make room`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<10 {
            try cache.note(number)
            try cache.store(TestImage(number))
            folder.wait(seconds: 1)
        }
        let before = try cache.statistics()
        let pruning = try cache.prune(maxSize: before.bytes + before.failureBytes - 1)
        #expect(pruning.failures > 0 && pruning.entries > 0)
        #expect(cache.noted == Array(pruning.failures..<10))
        #expect(pruning.failuresLeft == 10 - pruning.failures && pruning.entriesLeft == 10 - pruning.entries)
        #expect(pruning.bytes + pruning.bytesLeft == before.bytes + before.failureBytes)
        #expect(try cache.prune(maxSize: pruning.bytesLeft).failures == 0)
    }

    @Test func `A cache of failures alone stays within its limit`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open(maxSize: 1500)
        for number in 0..<20 { try cache.note(number) }
        cache.flush()
        let statistics = try cache.statistics()
        #expect(statistics.failureBytes <= 1500 && statistics.failures["broken"] ?? 0 > 0)
        #expect(try folder.files(below: "failures").count == statistics.failures["broken"])
    }

    @Test(arguments: [(nil, 5), (900, nil), (900, 5), (0, nil)] as [(Int?, Double?)])
    func `A trial counts the failures that would go`(maxSize: Int?, maxAge: Double?) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<10 {
            try cache.note(number, isTransient: number % 3 == 0)
            folder.wait(seconds: 1)
        }
        folder.wait(seconds: 60 - 9)
        let trial = try cache.prune(maxSize: maxSize, maxAge: maxAge, isTrial: true)
        #expect(cache.noted.count == 10)
        #expect(try cache.prune(maxSize: maxSize, maxAge: maxAge) == trial)
        #expect(cache.noted.count == trial.failuresLeft && trial.failures == 10 - trial.failuresLeft)
    }

    @Test func `What another program removed first is evicted without an error`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<3 { try cache.note(number) }
        cache.flush()
        try folder.remove(Self.name(1))
        #expect(try cache.prune(maxSize: 0).failuresLeft == 0)
        #expect(try folder.files(below: "failures") == [])
    }

    @Test func `Whatever order others note and evict in, the tally agrees with the files`() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<3).map { _ in try folder.open(mostFailures: 8) }
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            var random = SplitMix64(UInt64(thread))
            for _ in 0..<60 {
                let number = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: caches[thread].flush()
                case 1: caches[thread].forgetFailure(of: "photo=\(number)")
                case 2: _ = try? caches[thread].prune(maxSize: 1000)
                default: try? caches[thread].note(number)
                }
            }
            caches[thread].flush()
        }
        let files = try folder.files(below: "failures").count
        #expect(try caches[0].statistics().failures["broken"] ?? 0 == files)
        #expect(try caches[0].verify(isRepairing: false).isClean)
    }
}
