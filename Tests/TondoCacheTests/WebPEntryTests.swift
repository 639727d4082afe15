import Foundation
import SystemPackage
import Testing

@testable import TondoCache

/// Entries that are WebP files, beside those that are PNGs.
@Suite struct WebPEntryTests {
    private static let image = TestImage(1).asWebP

    private static func path(_ image: TestImage, _ ending: String = "webp") -> String {
        "objects/\(image.key.hexadecimal.prefix(2))/\(image.key).\(ending)"
    }

    private static func damage(_ file: [UInt8]) -> EntryTrailer.Damage? {
        file.withUnsafeBytes { file in
            do throws(EntryTrailer.Damage) { _ = try EntryTrailer.check(file, key: image.key) } catch { return error }
            return nil
        }
    }

    @Test func `An avatar comes back as it was stored, from a file with its ending`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image, contacts: ["ada"])
        #expect(try cache.find(Self.image.key) == Self.image.file)
        #expect(try folder.files(below: "objects") == [String(Self.path(Self.image).dropFirst(8))])
        #expect(cache.file(of: Self.image.key).string.hasSuffix(".webp"))
        #expect(cache.contains(Self.image.key))
    }

    @Test(arguments: ["", "a", "ab", "abc"]) func `A file with a trailer is one of WebP, of an even length`(
        _ contact: String
    ) throws {
        let file = try Self.image.entryFile(contacts: [contact])
        #expect(Self.damage(file) == nil && file.count & 1 == 0)
        let size = file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == file.count - 8)
        let avatar = try StoredAvatar(entryFile: file, key: Self.image.key)
        #expect(avatar.bytes == Self.image.file && avatar.format == .webp)
    }

    @Test func `An avatar in another format than its recipe names is not stored`() throws {
        let cache = try TemporaryCache().open()
        let image = TestImage(2)
        let canvas = try #require(image.asWebP.file.isEmpty ? nil : image.asWebP)
        #expect(throws: CacheError.self) { try cache.store(canvas.file, key: image.key, cost: 1) }
        #expect(!cache.contains(image.key))
    }

    @Test func `Both formats of a photo are entries of their own`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        for image in [TestImage(1), Self.image] { try cache.store(image, contacts: ["ada"]) }
        #expect(try cache.find(TestImage(1).key) == TestImage(1).png)
        #expect(try cache.find(Self.image.key) == Self.image.file)
        let statistics = try cache.statistics()
        #expect(statistics.styles.map(\.format).sorted() == ["png", "webp"] && statistics.entries == 2)
        for format in EntryFormat.allCases {
            var query = EntryQuery()
            query.format = format
            #expect(try cache.entries(query).map(\.format) == [format])
        }
    }

    @Test func `Further contacts, removal, verification and a new index work as for PNGs`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image, contacts: ["ada"])
        try cache.add(contacts: ["bo"], to: Self.image.key)
        #expect(try cache.entry(Self.image.key)?.contacts == ["ada", "bo"])
        #expect(try cache.verify(isRepairing: false).isClean)
        #expect(try cache.rebuildIndex() == 1)
        #expect(try cache.entry(Self.image.key)?.format == .webp)
        #expect(try cache.remove(Self.image.key))
        #expect(try folder.files(below: "objects") == [])
    }

    @Test func `A damaged file is a miss, and is removed`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(Self.image)
        var bytes = try folder.bytes(Self.path(Self.image))
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes, to: Self.path(Self.image))
        #expect(try cache.find(Self.image.key) == nil)
        #expect(try folder.files(below: "objects") == [])
    }

    @Test func `A file with the ending of the other format is no second entry`() throws {
        let folder = try TemporaryCache()
        let cache = try folder.open()
        try cache.store(TestImage(1))
        try folder.write([1, 2, 3], to: Self.path(TestImage(1)))
        let found = try cache.verify(isRepairing: true)
        #expect(found.problems.map(\.kind) == [.foreign] && found.problems.allSatisfy(\.isRepaired))
        #expect(try cache.find(TestImage(1).key) == TestImage(1).png)
    }

    @Test func `The recipe of a cut file is read from what is there, or not at all`() throws {
        let file = Self.image.file
        let end = try #require(file.firstRange(of: Array("VP8 ".utf8)) ?? file.firstRange(of: Array("VP8L".utf8)))
        for count in 0...file.count {
            let recipe = Array(file[..<count]).withUnsafeBytes { RecipeReader.recipe(in: $0) }
            if count >= end.lowerBound { #expect(recipe?.text == Self.image.recipe, "\(count) bytes") }
        }
    }

    @Test(arguments: [("webp", true), ("png", true), ("jpg", false), ("", false)])
    func `The ending of an entry's file is that of a format`(ending: String, isKnown: Bool) {
        let name = FilePath("ab/\(Self.image.key).\(ending)")
        #expect(AvatarCache.key(ofFile: name) == (isKnown ? Self.image.key : nil))
    }
}
