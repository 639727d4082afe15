import Foundation
import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoCache

@Suite struct SessionTests {
    private static func keys(in journal: URL) throws -> Set<CacheKey> {
        let file = try FileDescriptor.open(FilePath(journal.path), .readOnly)
        return try file.closeAfter { Set(try Journal.keys(file)) }
    }

    private let cache: TemporaryCache
    private let folder: Folder
    private let session: Session
    private let journal: URL

    init() throws {
        cache = try TemporaryCache(inMemory: true)
        try cache.makeFolder("tmp")
        folder = try Folder(cache.path.appending("tmp"))
        session = try Session(in: folder)
        journal = cache.url("tmp/\(session.name).journal")
    }

    @Test func anAnnouncedKeyIsInTheJournalUntilItIsSettled() throws {
        let keys = (0..<3).map { TestImage($0).key }
        try session.announce(keys)
        #expect(try Self.keys(in: journal) == Set(keys))
        session.commit(keys)
        #expect(try Self.keys(in: journal) == [])
    }

    @Test func aKeyThatWasAnnouncedTwiceIsSettledTwice() throws {
        let key = TestImage(1).key
        try session.announce([key])
        try session.announce([key])
        session.commit([key])
        #expect(try Self.keys(in: journal) == [key])
        session.commit([key])
        #expect(try Self.keys(in: journal) == [])
    }

    @Test func settlingWhatWasNotAnnouncedDoesNothing() throws {
        try session.announce([TestImage(1).key])
        session.commit([TestImage(2).key])
        #expect(try Self.keys(in: journal) == [TestImage(1).key])
    }

    /// Whatever part of a rewritten journal reached the file before a kill, no open key is missing from it.
    @Test func aKillWhileTheJournalIsShortenedLosesNoOpenKey() throws {
        var random = SplitMix64(4)
        var open: [CacheKey] = []
        for step in 0..<150 {
            let isSettling = !open.isEmpty && Int.random(in: 0..<100, using: &random) < 50
            let before = try Data(contentsOf: journal)
            if isSettling {
                open.shuffle(using: &random)
                let committed = open.prefix(Int.random(in: 1...open.count, using: &random))
                open.removeFirst(committed.count)
                session.commit(committed)
            } else {
                let keys = (0..<Int.random(in: 1...6, using: &random)).map { TestImage(100 * step + $0).key }
                try session.announce(keys)
                open += keys
            }
            let after = try Data(contentsOf: journal)
            for count in stride(from: 0, through: after.count, by: 8) where isSettling {
                try (after.prefix(count) + before.dropFirst(count)).write(to: cache.url("torn"))
                #expect(try Self.keys(in: cache.url("torn")).isSuperset(of: open))
            }
            #expect(try Self.keys(in: journal).isSuperset(of: open))
        }
    }

    @Test func aJournalDoesNotGrowForEver() throws {
        for number in 0..<1000 {
            try session.announce([TestImage(number % 10).key])
            if number > 0 { session.commit([TestImage((number - 1) % 10).key]) }
        }
        #expect(try cache.state("tmp/\(session.name).journal").size <= 10 * CacheKey.byteCount)
    }

    @Test(arguments: 0..<CacheKey.byteCount)
    func aTornLastRecordIsPassedOver(count: Int) throws {
        try session.announce([TestImage(1).key])
        let torn = try Data(contentsOf: journal) + Data(TestImage(2).key.bytes.prefix(count))
        try torn.write(to: cache.url("torn"))
        #expect(try Self.keys(in: cache.url("torn")) == [TestImage(1).key])
    }

    @Test func closingRemovesASettledJournalOnly() throws {
        try session.announce([TestImage(1).key])
        session.close(in: folder)
        #expect(cache.exists("tmp/\(session.name).journal"))
        session.commit([TestImage(1).key])
        session.close(in: folder)
        #expect(!cache.exists("tmp/\(session.name).journal"))
    }

    @Test func itsJournalIsLockedAsLongAsItLives() throws {
        let file = try FileDescriptor.open(FilePath(journal.path), .readOnly)
        defer { try? file.close() }
        #expect(!LockKind.shared.tryLock(file.rawValue))
        session.close(in: folder)
        #expect(!LockKind.shared.tryLock(file.rawValue))
        withExtendedLifetime(session) {}
    }

    @Test func noTwoNamesAreTheSame() throws {
        let second = try Session(in: folder)
        let names = (0..<100).flatMap { _ in [session.newName(), second.newName()] }
        #expect(Set(names).count == names.count)
    }
}
