import Foundation
import Testing
import TondoTestSupport

@testable import TondoCache

@Suite struct EntryTrailerTests {
    private static let image = TestImage(1, side: 2)

    private static func image(_ format: EntryFormat) -> TestImage { format == .webp ? image.asWebP : image }

    private static func damage(_ file: [UInt8], key: CacheKey = image.key) -> EntryTrailer.Damage? {
        file.withUnsafeBytes { file in
            do throws(EntryTrailer.Damage) { _ = try EntryTrailer.check(file, key: key) } catch { return error }
            return nil
        }
    }

    @Test func aSealedPictureIsWholeAndComesBackAsItWas() throws {
        let file = try Self.image.entryFile(contacts: ["ada"])
        #expect(Self.damage(file) == nil)
        #expect(try StoredAvatar(entryFile: file, key: Self.image.key).bytes == Self.image.png)
    }

    @Test(arguments: EntryFormat.allCases) func everyFlippedBitIsFound(format: EntryFormat) throws {
        let image = Self.image(format)
        let file = try image.entryFile(contacts: ["ada"])
        for place in file.indices {
            for bit in 0..<8 {
                var other = file
                other[place] ^= 1 << bit
                let found = Self.damage(other, key: image.key)
                #expect(found != nil, "bit \(bit) of byte \(place) of \(file.count)")
            }
        }
    }

    @Test(arguments: EntryFormat.allCases) func everyTruncationIsFound(format: EntryFormat) throws {
        let image = Self.image(format)
        let file = try image.entryFile(contacts: ["ada"])
        for count in 0..<file.count {
            #expect(Self.damage(Array(file[..<count]), key: image.key) != nil, "\(count) of \(file.count) bytes")
        }
    }

    @Test(arguments: EntryFormat.allCases) func everyMissingAndEveryAddedByteIsFound(format: EntryFormat) throws {
        let image = Self.image(format)
        let file = try image.entryFile(contacts: ["ada"])
        for place in 0...file.count {
            var longer = file
            longer.insert(0, at: place)
            #expect(Self.damage(longer, key: image.key) != nil, "one more at \(place)")
            if place == file.count { break }
            var shorter = file
            shorter.remove(at: place)
            #expect(Self.damage(shorter, key: image.key) != nil, "one less at \(place)")
        }
    }

    @Test func blocksOfZeroesAsAPowerCutLeavesThemAreFound() throws {
        let image = TestImage(1, bytes: 9000)
        let file = try image.entryFile()
        for start in stride(from: 0, to: file.count, by: 512) {
            var other = file
            for place in start..<min(start + 512, file.count) { other[place] = 0 }
            #expect(Self.damage(other, key: image.key) != nil)
        }
    }

    @Test func anEntryUnderAnothersNameIsDamaged() throws {
        let file = try Self.image.entryFile()
        #expect(Self.damage(file, key: TestImage(2).key) == .checksum)
    }

    @Test func aPictureWithoutASealIsDamaged() { #expect(Self.damage(Self.image.png) != nil) }

    @Test func noiseIsDamaged() {
        var random = SplitMix64(3)
        for _ in 0..<500 {
            let count = Int.random(in: 0...200, using: &random)
            let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(Self.damage(noise) != nil && Self.damage(noise + EntryFormat.end) != nil)
        }
    }

    @Test(arguments: [[], [1, 2, 3], Array(image.png.dropLast()), Array(image.png.dropFirst()), EntryFormat.end])
    func whatIsNoPNGIsNotSealed(bytes: [UInt8]) {
        let trailer = EntryTrailer(created: Date(milliseconds: 1), cost: 1, contacts: [])
        #expect(bytes.withUnsafeBytes { trailer.file(appendedTo: $0, key: Self.image.key) } == nil)
    }

    @Test func itStaysAPNGForEverybody() throws {
        let file = try Self.image.entryFile(contacts: ["ada"])
        var (offset, types) = (8, [String]())
        while offset < file.count {
            let size = Int(file[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            types.append(String(decoding: file[offset + 4..<offset + 8], as: UTF8.self))
            let sum = file[(offset + 8 + size)..<(offset + 12 + size)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(sum == Self.crc(file[offset + 4..<offset + 8 + size]))
            offset += size + 12
        }
        #expect(types.suffix(3) == ["IDAT", "seAL", "IEND"])
    }

    @Test(arguments: [0, -1, 1_763_750_000_000, Int64.max, .min])
    func whatItRecordsComesBack(created: Int64) throws {
        let trailer = EntryTrailer(
            created: Date(milliseconds: created), cost: 0.1 + 0.2, contacts: ["b o\n", "%=", "\u{E9}"])
        let image = Self.image
        let file = try #require(image.png.withUnsafeBytes { trailer.file(appendedTo: $0, key: image.key) })
        #expect(file.withUnsafeBytes { EntryTrailer($0) } == trailer)
    }

    /// PNG third edition, annex D, a bit at a time.
    private static func crc(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
