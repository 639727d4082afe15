import Foundation
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

/// Each kind of problem is found, reported, and repaired.
@Suite struct VerifyTests {
    private static let key = TestImage(1).key

    private static func open() throws -> (TemporaryCache, AvatarCache) {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<3 { try cache.store(TestImage(number), contacts: ["ada"]) }
        cache.flush()
        return (folder, cache)
    }

    /// Found without repair and left as it is; mended by repair; then all is well, and `left` entries are there.
    private static func expect(
        _ kinds: [Problem.Kind], left: Int, _ folder: TemporaryCache, _ cache: AvatarCache,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try folder.contents().filter { !$0.key.hasPrefix("index") }
        let found = try cache.verify(isRepairing: false)
        #expect(found.problems.map(\.kind) == kinds, sourceLocation: sourceLocation)
        #expect(found.problems.map(\.isRepaired) == kinds.map { _ in false }, sourceLocation: sourceLocation)
        let after = try folder.contents().filter { !$0.key.hasPrefix("index") }
        #expect(after == before, sourceLocation: sourceLocation)
        let repaired = try cache.verify(isRepairing: true)
        #expect(repaired.problems.map(\.kind) == kinds, sourceLocation: sourceLocation)
        #expect(repaired.problems.map(\.isRepaired) == kinds.map { _ in true }, sourceLocation: sourceLocation)
        #expect(try cache.verify(isRepairing: false).isClean, sourceLocation: sourceLocation)
        #expect(try cache.statistics().entries == left, sourceLocation: sourceLocation)
        #expect(try folder.files(below: "objects").count == left, sourceLocation: sourceLocation)
    }

    @Test func aSoundCacheHasNone() throws {
        let (_, cache) = try Self.open()
        let verification = try cache.verify(isRepairing: false)
        #expect(verification.isClean && verification.entries == 3)
        #expect(try verification.bytes == cache.statistics().bytes)
    }

    @Test func damaged() throws {
        let (folder, cache) = try Self.open()
        var bytes = try folder.bytes(folder.name(of: Self.key))
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes, to: folder.name(of: Self.key))
        try Self.expect([.damaged], left: 2, folder, cache)
        #expect(try cache.removalRecord(of: Self.key)?.reason == .damaged)
        #expect(try cache.statistics().damaged == 1)
    }

    @Test func anotherEntrysFile() throws {
        let (folder, cache) = try Self.open()
        try folder.write(folder.bytes(folder.name(of: TestImage(2).key)), to: folder.name(of: Self.key))
        try Self.expect([.damaged], left: 2, folder, cache)
    }

    @Test func unlisted() throws {
        let (folder, cache) = try Self.open()
        try folder.write(TestImage(7).entryFile(contacts: ["bo"]), to: folder.name(of: TestImage(7).key))
        try folder.setMode(0o600, of: folder.name(of: TestImage(7).key))
        try Self.expect([.unlisted], left: 4, folder, cache)
        #expect(try cache.entry(TestImage(7).key)?.contacts == ["bo"])
    }

    @Test func missing() throws {
        let (folder, cache) = try Self.open()
        try folder.remove(folder.name(of: Self.key))
        try Self.expect([.missing], left: 2, folder, cache)
    }

    @Test func missingWithItsWholeFolder() throws {
        let (folder, cache) = try Self.open()
        try folder.remove("objects/\(ObjectStore.name(ofShard: Self.key.shard))")
        try Self.expect([.missing], left: 2, folder, cache)
    }

    @Test func differing() throws {
        let (folder, cache) = try Self.open()
        cache.close()
        try folder.tamper("UPDATE entries SET size = size + 1 WHERE id = 1")
        try Self.expect([.differing], left: 3, folder, cache)
    }

    @Test(arguments: ["notes.txt", ".hidden", "\u{E9}", "a b\n", "\(TestImage(2).key).png", "folder/file"])
    func foreignInAFolderOfEntries(name: String) throws {
        let (folder, cache) = try Self.open()
        try folder.write([1], to: "objects/\(ObjectStore.name(ofShard: Self.key.shard))/\(name)")
        try Self.expect([.foreign], left: 3, folder, cache)
    }

    @Test(arguments: ["xyz/file", "AB"])
    func foreignAmongTheFolders(name: String) throws {
        let (folder, cache) = try Self.open()
        try folder.write([1], to: "objects/\(name)")
        try Self.expect([.foreign], left: 3, folder, cache)
    }

    @Test(arguments: ["objects/00/", "objects/", "tmp/", "failures/"])
    func namesThatAreNoText(place: String) throws {
        let (folder, cache) = try Self.open()
        try folder.makeFolder(place)
        let bytes = Array((folder.path.string + "/" + place).utf8) + [0xFF, 0xFE, 0x0A]
        let path = FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
        try FileDescriptor.open(path, .writeOnly, options: .create, permissions: .ownerReadWrite).close()
        let problems = try cache.verify(isRepairing: true).problems
        #expect(problems.count == 1 && problems.allSatisfy(\.isRepaired))
        #expect(try cache.verify(isRepairing: false).problems == [])
    }

    @Test(arguments: ["0123456789abcdef-1", "misplaced-0123456789abcdef/a/b", ".y"])
    func stray(name: String) throws {
        let (folder, cache) = try Self.open()
        try folder.write([1], to: "tmp/\(name)")
        try Self.expect([.stray], left: 3, folder, cache)
    }

    @Test(arguments: ["x", "\(key)"])
    func failure(name: String) throws {
        let (folder, cache) = try Self.open()
        try folder.write([1], to: "failures/\(name)")
        try Self.expect([.failure], left: 3, folder, cache)
    }

    @Test(arguments: [0o604, 0o660] as [mode_t])
    func exposed(mode: mode_t) throws {
        let (folder, cache) = try Self.open()
        try folder.setMode(mode, of: folder.name(of: Self.key))
        try Self.expect([.exposed], left: 3, folder, cache)
        #expect(try folder.state(folder.name(of: Self.key)).mode == 0o600)
    }

    @Test func allAtOnce() throws {
        let (folder, cache) = try Self.open()
        try folder.write([1], to: folder.name(of: TestImage(0).key))
        try folder.remove(folder.name(of: TestImage(1).key))
        try folder.setMode(0o644, of: folder.name(of: TestImage(2).key))
        try folder.write(TestImage(3).entryFile(), to: folder.name(of: TestImage(3).key))
        try folder.setMode(0o600, of: folder.name(of: TestImage(3).key))
        try folder.write([1], to: "objects/notes.txt")
        try folder.write([1], to: "tmp/left")
        try folder.write([1], to: "failures/left")
        try Self.expect(
            [.damaged, .exposed, .failure, .foreign, .missing, .stray, .unlisted], left: 2, folder, cache)
    }

    @Test func linksAreNeverFollowed() throws {
        let (folder, cache) = try Self.open()
        let victim = try folder.outside("victim")
        try Data([1]).write(to: victim)
        for name in ["objects/link", "objects/00/link", "tmp/link", "failures/link", "tmp/folder/link"] {
            try folder.makeLink(name, to: folder.outside("").path)
            try folder.makeLink(name + "-file", to: victim.path)
        }
        #expect(try cache.verify(isRepairing: true).problems.allSatisfy(\.isRepaired))
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(try Data(contentsOf: victim) == Data([1]))
    }

    @Test func theFilesOfALivingCacheAreLeftAlone() throws {
        let (folder, cache) = try Self.open()
        let other = try folder.open()
        let session = try other.storage.files.journal.session()
        let name = "tmp/\(session.newName())"
        try folder.write([1], to: name)
        try other.store(TestImage(8))
        #expect(try cache.verify(isRepairing: true).problems == [])
        #expect(folder.exists(name))
        #expect(try other.verify(isRepairing: true).problems == [])
        #expect(folder.exists(name))
    }

    @Test func itsProgressEndsWithAllAndComesOneAtATime() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for number in 0..<150 { try cache.store(TestImage(number)) }
        let reported = Recorder()
        _ = try cache.verify(isRepairing: false, progress: { done, total in reported.add(done, total) })
        #expect(reported.all.allSatisfy { $0.done <= $0.total && $0.total == 150 })
        #expect(reported.all.map(\.done) == reported.all.map(\.done).sorted())
    }

    @Test func stoppedItTellsWhatItFoundSoFar() throws {
        let (_, cache) = try Self.open()
        #expect(try cache.verify(isRepairing: true, isStopped: { true }).entries == 0)
        #expect(try cache.statistics().entries == 3)
    }
}

/// The calls of a progress closure.
private final class Recorder: @unchecked Sendable {
    // Right because a verification promises one call at a time, and the test reads after its end.
    private(set) var all: [(done: Int, total: Int)] = []

    func add(_ done: Int, _ total: Int) { all.append((done, total)) }
}
