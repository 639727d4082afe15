import Foundation
import Testing

@testable import CacheCrasher
@testable import TondoCache

/// What the disk may hold after the power went: anything that was never fsynced may be gone, cut off or full of zeros,
/// file by file, and names may not have changed yet.
@Suite struct PowerCutTests {
    @Test(arguments: 0..<6)
    func whateverIsLeftIsServedWholeOrNotAtAllAndCanBeMended(_ part: UInt64) throws {
        let history = try CacheHistory()
        var chance = Chance(seed: part)
        for number in 0..<52 {
            let disk = history.afterPowerCut(&chance)
            do { try Self.checkServing(disk, history, verifyingFirst: number % 2 == 0) } catch {
                Issue.record("\(error): \(disk.fates)")
            }
        }
    }

    @Test func whatWasNotCutOffIsKept() throws {
        let history = try CacheHistory()
        for moment in history.moments {
            let disk = Disk(files: moment)
            let entries = moment.keys.filter { $0.hasPrefix("objects/") }
            #expect(disk.wholeKeys(of: history).count == entries.count)
            try Self.checkServing(disk, history, verifyingFirst: false)
        }
    }

    private static func checkServing(_ disk: Disk, _ history: CacheHistory, verifyingFirst: Bool) throws {
        let folder = try TemporaryCache(inMemory: true)
        try disk.write(to: folder)
        let cache = try folder.open()
        if verifyingFirst { try checkMending(cache, disk) }
        _ = try cache.statistics()
        _ = try cache.entries(EntryQuery())
        for failure in try cache.failures() { #expect(history.subjects.contains(failure.subject)) }
        let kept = disk.wholeKeys(of: history)
        for image in history.images {
            let found = try cache.find(image.key)
            #expect(found == nil || found == image.png, "\(image.key): \(disk.fates)")
            #expect(found != nil || !kept.contains(image.key), "\(image.key) was lost: \(disk.fates)")
        }
        if !verifyingFirst { try checkMending(cache, disk) }
        for image in [TestImage(1000), history.images[0]] {
            try cache.store(image)
            #expect(try cache.find(image.key) == image.png)
            #expect(try cache.entry(image.key)?.recipe.text == image.recipe)
        }
        cache.close()
        #expect(try folder.files(below: "tmp") == [], "\(disk.fates)")
    }

    private static func checkMending(_ cache: AvatarCache, _ disk: Disk) throws {
        let repaired = try cache.verify(isRepairing: true)
        let left = repaired.problems.filter { !$0.isRepaired }
        #expect(left == [], "\(disk.fates)")
        let rest = try cache.verify(isRepairing: false)
        #expect(rest.isClean, "\(rest): \(disk.fates)")
    }
}
