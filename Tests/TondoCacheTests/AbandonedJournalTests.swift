import Foundation
import SystemPackage
import Testing

@testable import TondoCache

/// What a process that ended without a word left to settle.
@Suite struct AbandonedJournalTests {
    private static let name = "tmp/0123456789abcdef.journal"

    @Test func itsFilesWithoutRowsAreListed() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try folder.write(image.entryFile(contacts: ["ada"]), to: folder.name(of: image.key))
        try folder.write(image.key.bytes, to: Self.name)
        #expect(try cache.entry(image.key)?.contacts == ["ada"])
        #expect(!folder.exists(Self.name))
    }

    @Test func itsRowsWithoutFilesAreRemoved() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let image = TestImage(1)
        try cache.store(image)
        cache.flush()
        try folder.remove(folder.name(of: image.key))
        try folder.write(image.key.bytes, to: Self.name)
        #expect(try cache.entry(image.key) == nil)
    }

    @Test func theNextFlushSettlesItToo() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try folder.write(TestImage(1).entryFile(), to: folder.name(of: TestImage(1).key))
        try folder.write(TestImage(1).key.bytes, to: Self.name)
        try cache.store(TestImage(2))
        cache.flush()
        #expect(!folder.exists(Self.name))
        #expect(try cache.statistics().entries == 2)
    }

    @Test func theJournalOfALivingCacheIsLeftAlone() throws {
        let folder = try TemporaryCache()
        let (first, second) = (try folder.open(), try folder.open())
        try first.store(TestImage(1))
        try second.store(TestImage(2))
        second.flush()
        #expect(try folder.files(below: "tmp").filter { $0.hasSuffix(".journal") }.count == 2)
        #expect(try second.entry(TestImage(1).key) == nil)
        first.flush()
        #expect(try second.entry(TestImage(1).key) != nil)
    }

    @Test func theJournalOfACacheThatIsGoneIsSettledByAnother() throws {
        let folder = try TemporaryCache()
        let second = try folder.open()
        do {
            let session = try Session(in: second.folder.temporary)
            try session.announce([TestImage(1).key])
            try folder.write(TestImage(1).entryFile(), to: folder.name(of: TestImage(1).key))
            #expect(try second.entry(TestImage(1).key) == nil)
        }
        #expect(try second.entry(TestImage(1).key) != nil)
    }

    @Test(arguments: [[], [1], [UInt8](repeating: 0, count: 320), [UInt8](repeating: 255, count: 65)])
    func aJournalOfNoiseIsRemoved(bytes: [UInt8]) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try folder.write(bytes, to: Self.name)
        try cache.store(TestImage(1))
        cache.flush()
        #expect(!folder.exists(Self.name))
        #expect(try cache.statistics().entries == 1)
    }

    enum Thing: CaseIterable { case fifo, folder, link, danglingLink }

    @Test(arguments: Thing.allCases)
    func whatOnlyHasAJournalsNameKeepsNobodyFromFlushing(thing: Thing) throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        let victim = try folder.outside("victim")
        try Data(TestImage(3).key.bytes).write(to: victim)
        switch thing {
        case .fifo: try folder.makeFIFO(Self.name)
        case .folder: try folder.makeFolder(Self.name)
        case .link: try folder.makeLink(Self.name, to: victim.path)
        case .danglingLink: try folder.makeLink(Self.name, to: "nowhere")
        }
        try cache.store(TestImage(1))
        #expect(try cache.statistics().entries == 1)
        #expect(try Data(contentsOf: victim) == Data(TestImage(3).key.bytes))
        #expect(try cache.verify(isRepairing: true).problems.allSatisfy { $0.kind == .stray && $0.isRepaired })
        #expect(!folder.exists(Self.name))
    }
}
