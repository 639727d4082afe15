import Dispatch
import Foundation
import Testing
import TondoTestSupport

@testable import TondoCache

/// Several caches, as in several processes, on one folder.
@Suite struct SharedFolderTests {
    @Test func aRowWrittenLateForAnEntryThatAnotherRemovedDoesNotComeBack() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1))
        _ = first.lookup(TestImage(1).key)
        try second.remove(TestImage(1).key)
        second.flush()
        first.flush()
        #expect(try first.entry(TestImage(1).key) == nil && first.statistics().entries == 0)
        #expect(try first.verify(isRepairing: false).problems == [])
    }

    @Test func aRemovalSettledLateLeavesTheRowOfWhatAnotherStoredSince() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1), contacts: ["ada"])
        first.flush()
        try first.remove(TestImage(1).key)
        try second.store(TestImage(1), contacts: ["bo"], cost: 5)
        second.flush()
        first.flush()
        #expect(try first.entry(TestImage(1).key)?.contacts == ["bo"])
        #expect(try first.entry(TestImage(1).key)?.cost == 5)
    }

    @Test func anOlderRowWrittenLaterDoesNotHideTheNewerFile() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1), cost: 1)
        folder.wait(seconds: 5)
        try second.store(TestImage(1), cost: 2)
        second.flush()
        first.flush()
        let entry = try #require(try first.entry(TestImage(1).key))
        #expect(entry.cost == 2 && entry.created == folder.now)
        let before = try first.unusedEntries()
        _ = try first.rebuildIndex()
        #expect(try first.unusedEntries() == before)
    }

    @Test func theLaterUseOfTwoCounts() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1))
        first.flush()
        folder.wait(seconds: 5)
        _ = first.lookup(TestImage(1).key)
        folder.wait(seconds: 5)
        _ = second.lookup(TestImage(1).key)
        let last = folder.now
        second.flush()
        first.flush()
        #expect(try first.entry(TestImage(1).key)?.used == last)
    }

    @Test func usesAddUp() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<3).map { _ in try folder.open() }
        try caches[0].store(TestImage(1))
        for cache in caches { for number in 1...2 { _ = cache.lookup(TestImage(number).key) } }
        for cache in caches { cache.flush() }
        #expect(try caches[0].statistics().hits == 3 && caches[0].statistics().misses == 3)
    }

    @Test func addingNamesNeverBringsBackWhatAnotherRemoves() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        for turn in 0..<20 {
            try first.store(TestImage(1))
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 0 {
                    try? first.add(contacts: ["c\(turn)"], to: TestImage(1).key)
                } else {
                    _ = try? second.remove(TestImage(1).key)
                }
            }
            #expect(!folder.exists(folder.name(of: TestImage(1).key)))
        }
        #expect(try folder.files(below: "tmp").allSatisfy { $0.hasSuffix(".journal") })
    }

    @Test func namesThatSeveralAddAtOnceAllStay() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<4).map { _ in try folder.open() }
        try caches[0].store(TestImage(1))
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            for turn in 0..<5 { try? caches[number].add(contacts: ["\(number)-\(turn)"], to: TestImage(1).key) }
        }
        for cache in caches { cache.flush() }
        let entry = try #require(try caches[0].entry(TestImage(1).key))
        #expect(Set(entry.contacts).count == 20)
        #expect(try caches[0].read(#require(caches[0].lookup(entry.key)))?.contacts == entry.contacts)
    }

    @Test func openedByManyAtOnceItIsMadeOnce() throws {
        let folder = try TemporaryCache()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do { try folder.open().store(TestImage(number)) } catch { Issue.record(error) }
        }
        let cache = try folder.open()
        #expect(try cache.statistics().entries == 8)
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func whatManyStoreAndRemoveAtOnceIsListedAsItIs() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<3).map { _ in try folder.open() }
        DispatchQueue.concurrentPerform(iterations: 3) { number in
            var random = SplitMix64(UInt64(number))
            for _ in 0..<60 {
                let image = TestImage(Int.random(in: 0..<6, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0: _ = try? caches[number].remove(image.key)
                case 1: caches[number].flush()
                case 2: try? caches[number].add(contacts: ["c\(number)"], to: image.key)
                default: try? caches[number].store(image)
                }
            }
            caches[number].flush()
        }
        #expect(try caches[0].verify(isRepairing: false).isClean)
        let before = try caches[0].unusedEntries()
        _ = try caches[0].rebuildIndex()
        #expect(try caches[0].unusedEntries() == before)
    }
}
