import Foundation
import SystemPackage
import Testing
import TondoFiles

@testable import TondoCache

@Suite struct ObjectStoreTests {
    private static let image = TestImage(1)
    private static let key = image.key

    private static func open() throws -> (TemporaryCache, ObjectStore) {
        let folder = try TemporaryCache()
        return (folder, ObjectStore(folder: try CacheFolder(path: folder.path, isMaking: true)))
    }

    @Test func aFileIsPutUnderItsKeysName() throws {
        let (folder, objects) = try Self.open()
        try folder.write([1, 2, 3], to: "tmp/new")
        try objects.install("new", as: Self.key, format: .png)
        #expect(try folder.bytes("objects/\(Self.key.hexadecimal.prefix(2))/\(Self.key).png") == [1, 2, 3])
        #expect(try folder.files(below: "tmp") == [])
        #expect(try objects.keys(inShard: Self.key.shard) == [Self.key])
    }

    @Test func aFileIsPutWhereNothingIsAndLeavesWhateverIsThere() throws {
        let (folder, objects) = try Self.open()
        try folder.write([1], to: "tmp/first")
        #expect(try objects.installNoReplace("first", as: Self.key, format: .png))
        try folder.write([2], to: "tmp/second")
        #expect(try !objects.installNoReplace("second", as: Self.key, format: .png))
        #expect(try folder.bytes(folder.name(of: Self.key)) == [1])
        #expect(try folder.files(below: "tmp") == ["second"])
    }

    @Test func aPlacedFileStandsUntilItsFolderIsALinkOrItselfIsAnother() throws {
        let (folder, objects) = try Self.open()
        try folder.write([1], to: "tmp/new")
        try objects.install("new", as: Self.key, format: .png)
        let placed = try folder.state(folder.name(of: Self.key))
        #expect(objects.stands(placed, for: Self.key))
        let shard = "objects/\(ObjectStore.name(ofShard: Self.key.shard))"
        try FileManager.default.moveItem(at: folder.url(shard), to: try folder.outside("moved"))
        #expect(!objects.stands(placed, for: Self.key))
        try folder.makeLink(shard, to: try folder.outside("moved").path)
        #expect(!objects.stands(placed, for: Self.key))
        try folder.remove(shard)
        try folder.write([1], to: folder.name(of: Self.key))
        #expect(!objects.stands(placed, for: Self.key))
    }

    @Test func aFolderOfManyFilesTellsEachOfThemOnce() throws {
        let (folder, objects) = try Self.open()
        try folder.makeFolder("objects/07")
        let keys = (0..<1200).map { number in
            let digits = String(number, radix: 16)
            return "07" + String(repeating: "0", count: 62 - digits.count) + digits
        }
        for key in keys { try folder.write([], to: "objects/07/\(key).png") }
        #expect(try objects.keys(inShard: 7).map(\.hexadecimal).sorted() == keys)
    }

    @Test func removingTellsWhetherThereWasSomething() throws {
        let (folder, objects) = try Self.open()
        #expect(try !objects.remove(Self.key))
        try folder.write([1], to: folder.name(of: Self.key))
        #expect(try objects.remove(Self.key))
        #expect(try !objects.remove(Self.key))
    }

    @Test func removingACertainFileLeavesAnotherInItsPlace() throws {
        let (folder, objects) = try Self.open()
        try folder.write([1], to: folder.name(of: Self.key))
        let inode = try folder.state(folder.name(of: Self.key)).inode
        try folder.write([2], to: "tmp/new")
        try objects.install("new", as: Self.key, format: .png)
        #expect(try !objects.remove(Self.key, inode: inode))
        #expect(try folder.bytes(folder.name(of: Self.key)) == [2])
    }

    @Test func removingWaitsForWhoeverIsPuttingAFileThere() throws {
        let (folder, _) = try Self.open()
        try folder.write([1], to: folder.name(of: Self.key))
        let shard = folder.path.appending("objects").appending(ObjectStore.name(ofShard: Self.key.shard))
        let other = try Folder(shard)
        try other.lock(.shared)
        let mine = try Folder(shard)
        #expect(!LockKind.exclusive.tryLock(mine.descriptor))
        #expect(LockKind.shared.tryLock(mine.descriptor))
        withExtendedLifetime(other) {}
    }

    @Test func onlyNamesThatAreKeysInTheirOwnFolderAreKeys() throws {
        let (folder, objects) = try Self.open()
        let shard = ObjectStore.name(ofShard: Self.key.shard)
        try folder.write([], to: folder.name(of: Self.key))
        for name in ["a.png", "\(Self.key).jpg", "\(Self.key)", ".\(Self.key).png", "\(TestImage(2).key).png"] {
            try folder.write([], to: "objects/\(shard)/\(name)")
        }
        #expect(try objects.keys(inShard: Self.key.shard) == [Self.key])
        #expect(try objects.shard(Self.key.shard)?.content().others.count == 5)
    }

    @Test func aFolderThatIsNotThereHasNoKeys() throws {
        let (_, objects) = try Self.open()
        #expect(try objects.keys(inShard: 7) == [])
    }
}
