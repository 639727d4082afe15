import Foundation
import GRDB
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoCache

/// Nothing that the index knows is lost with it but counts of use, last uses and departures.
@Suite struct IndexRebuildTests {
    /// Entries of any kind, made from `seed`.
    private static func fill(_ cache: AvatarCache, _ folder: TemporaryCache, seed: UInt64) throws {
        var random = SplitMix64(seed)
        for number in 0..<40 {
            let style = Bool.random(using: &random) ? "inset=0 background=none" : "ring=2"
            let image = TestImage(
                number / 2, side: [8, 16].randomElement(using: &random)!, style: style,
                bytes: Int.random(in: 0...3000, using: &random))
            let contacts = (0..<Int.random(in: 0...3, using: &random)).map { "c \(Int.random(in: 0...9) + $0)" }
            try cache.store(image, contacts: contacts, cost: Double.random(in: 0...50, using: &random))
            folder.wait(seconds: Double.random(in: 0...100, using: &random))
            if Int.random(in: 0..<5, using: &random) == 0 { try cache.remove(image.key) }
            if Int.random(in: 0..<5, using: &random) == 0 { _ = cache.lookup(image.key) }
            if Int.random(in: 0..<5, using: &random) == 0 { try cache.add(contacts: ["more"], to: image.key) }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func madeAnewItTellsTheSame(seed: UInt64) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.fill(cache, folder, seed: seed)
        let (before, statistics) = (try cache.unusedEntries(), try cache.statistics())
        #expect(try cache.rebuildIndex() == before.count)
        #expect(try cache.unusedEntries() == before)
        let after = try cache.statistics()
        #expect(after.styles == statistics.styles && after.bytes == statistics.bytes)
        #expect(after.oldest == statistics.oldest && after.newest == statistics.newest)
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func itsSumsAgreeWithItsRows() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try Self.fill(cache, folder, seed: 6)
        let entries = try cache.entries(EntryQuery())
        let statistics = try cache.statistics()
        #expect(statistics.entries == entries.count && statistics.bytes == entries.reduce(0) { $0 + $1.size })
        #expect(statistics.styles.reduce(0) { $0 + $1.bytes } == statistics.bytes)
        #expect(try cache.prune(maxSize: 0).bytes == statistics.bytes)
        #expect(try cache.statistics().bytes == 0)
    }

    @Test(arguments: [true, false])
    func deletedItIsMadeAnew(isOpen: Bool) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<5 { try cache.store(TestImage(number), contacts: ["ada"]) }
        let before = try cache.unusedEntries()
        if !isOpen { cache.close() }
        for name in try folder.files() where name.hasPrefix("index.sqlite") { try folder.remove(name) }
        #expect(try cache.unusedEntries() == before)
        #expect(folder.notices == [.rebuilt(reason: "missing", entries: 5)])
    }

    @Test func deletedWhileOpenNoRowWrittenSinceIsLost() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        cache.flush()
        try folder.remove("index.sqlite")
        try cache.store(TestImage(2))
        #expect(try cache.statistics().entries == 2)
        #expect(try folder.open().statistics().entries == 2)
    }

    @Test func theJournalOfAnOldIndexIsNotAppliedToTheNewOne() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        cache.flush()
        let wal = try folder.bytes("index.sqlite-wal")
        cache.close()
        try folder.remove("index.sqlite")
        try folder.remove(folder.name(of: TestImage(1).key))
        try folder.write(wal, to: "index.sqlite-wal")
        try cache.store(TestImage(2))
        #expect(try cache.entries(EntryQuery()).map(\.key) == [TestImage(2).key])
        #expect(try cache.verify(isRepairing: false).isClean)
    }

    @Test func severalCachesThatFindItDamagedMakeItAnewOnce() throws {
        let folder = try TemporaryCache()
        let caches = try (0..<4).map { _ in try folder.open() }
        try caches[0].store(TestImage(1))
        caches[0].flush()
        for cache in caches { _ = try cache.statistics() }
        try folder.remove("index.sqlite")
        try folder.write([UInt8](repeating: 0xA5, count: 8192), to: "index.sqlite")
        for cache in caches { #expect(try cache.statistics().entries == 1) }
        #expect(folder.notices.count == 1)
    }

    @Test func anEntryThatCannotBeReadNowIsNotLeftOut() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<3 { try cache.store(TestImage(number)) }
        cache.flush()
        #expect(Errno.tooManyOpenFiles.isTransient && !Errno.ioError.isTransient)
        #expect(try cache.rebuildIndex() == 3)
    }

    @Test func aNewIndexIsInTheLogModeFromTheStart() throws {
        let folder = try TemporaryCache()
        _ = try folder.open().rebuildIndex()
        // Bytes 18 and 19 of the header are 2 in WAL mode (sqlite.org/fileformat2.html section 1.3).
        #expect(try folder.bytes("index.sqlite")[18...19] == [2, 2])
        #expect(try folder.files().filter { $0.hasPrefix("tmp/") } == [])
    }
}
