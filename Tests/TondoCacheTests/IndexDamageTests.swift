import Foundation
import Testing
import TondoTestSupport

@testable import TondoCache

/// Bytes of the index that are not what was written: questions are answered or fail, nothing crashes, repair mends it.
@Suite struct IndexDamageTests {
    private let folder: TemporaryCache
    private let sound: [UInt8]
    private let entries: [Entry]

    init() throws {
        folder = try TemporaryCache(inMemory: true)
        let cache = try folder.open()
        for number in 0..<16 {
            try cache.store(TestImage(number), contacts: ["ada", "c\(number)"])
            folder.wait(seconds: 1)
        }
        try cache.remove(TestImage(7).key)
        entries = try cache.unusedEntries()
        cache.close()
        sound = try folder.bytes("index.sqlite")
    }

    private func expectHealing(_ index: [UInt8], _ comment: Comment) throws {
        for name in try folder.files() where name.hasPrefix("index.sqlite") { try folder.remove(name) }
        try folder.write(index, to: "index.sqlite")
        let cache = try folder.open()
        do { try cache.askEverything() } catch let error as CacheError { #expect(error.code == "cache-index", comment) }
        #expect(try cache.find(entries[0].key) != nil, comment)
        _ = try cache.verify(isRepairing: true)
        try cache.askEverything()
        #expect(try cache.unusedEntries().map(\.key) == entries.map(\.key), comment)
        #expect(try cache.unusedEntries().map(\.size) == entries.map(\.size), comment)
        #expect(try cache.statistics().bytes == entries.reduce(0) { $0 + $1.size }, comment)
        cache.close()
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func aFlippedBit(seed: UInt64) throws {
        var random = SplitMix64(seed)
        var index = sound
        // Unused room at a page's end is passed over, so that most flips hit something.
        let used = index.indices.filter { index[$0] != 0 }
        let place = used.randomElement(using: &random)!
        index[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try expectHealing(index, "byte \(place)")
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func aRunOfOtherBytes(seed: UInt64) throws {
        var random = SplitMix64(100 + seed)
        var index = sound
        let start = Int.random(in: 0..<index.count, using: &random)
        let end = min(start + Int.random(in: 1...600, using: &random), index.count)
        let zero = Bool.random(using: &random)
        for place in start..<end { index[place] = zero ? 0 : UInt8.random(in: 0...255, using: &random) }
        try expectHealing(index, "bytes \(start) to \(end)")
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func aCutOffFile(seed: UInt64) throws {
        var random = SplitMix64(200 + seed)
        let count = Int.random(in: 0..<sound.count, using: &random)
        try expectHealing(Array(sound[..<count]), "\(count) bytes")
    }

    @Test func pagesInAnotherOrder() throws {
        var random = SplitMix64(300)
        let size = Int(sound[16]) << 8 | Int(sound[17])
        let pages = stride(from: size, to: sound.count, by: size).map { sound[$0..<$0 + size] }.shuffled(using: &random)
        try expectHealing(Array(sound[..<size]) + pages.joined(), "shuffled")
    }
}
