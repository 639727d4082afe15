import SystemPackage
import Testing
import TondoDigest
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct AvatarRecipeTests {
    private let folder: TemporaryFolder
    private let photo: SHA256Digest
    private let style = Style(size: 96, ring: .suited(to: 96))

    init() throws {
        folder = try TemporaryFolder()
        photo = try Self.digest(SmallPhoto.bytes, in: folder)
    }

    private static func digest(_ bytes: [UInt8], in folder: TemporaryFolder) throws -> SHA256Digest {
        try SHA256Digest(PhotoFile.open(folder.write(bytes, to: "photo.jpg"), limit: 1 << 30))
    }

    private func changed(_ change: (inout Style) -> Void) -> Style {
        var style = style
        change(&style)
        return style
    }

    @Test func `Equal ingredients make equal recipes, whatever the file is called`() throws {
        try folder.write(SmallPhoto.bytes, to: "other.png")
        let other = try SHA256Digest(PhotoFile.open(folder.path.appending("other.png"), limit: 1 << 30))
        #expect(
            AvatarRecipe(photo: photo, style: style, decodeDenominator: 4)
                == AvatarRecipe(photo: other, style: style, decodeDenominator: 4))
    }

    @Test func `The digest is SHA-256`() throws {
        let digest = try Self.digest(Array("abc".utf8), in: folder)
        #expect(digest.hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `Another photo is another recipe`() throws {
        let other = try Self.digest(SmallPhoto.bytes + [0], in: folder)
        #expect(
            AvatarRecipe(photo: photo, style: style, decodeDenominator: 4)
                != AvatarRecipe(photo: other, style: style, decodeDenominator: 4))
    }

    @Test func `Every part of a style that shows makes another recipe`() {
        let selected = changed { $0.state = .selected }
        let all = [
            style, selected, changed { $0.size = 97 }, changed { $0.scale = 2 }, changed { $0.ring = nil },
            changed { $0.ring?.gap = 1 }, changed { $0.background = .selection },
            Style(size: 96, state: .selected, ring: .suited(to: 96, color: RGBA(red: 1, green: 2, blue: 3))),
        ]
        #expect(Set(all.map { AvatarRecipe(photo: photo, style: $0, decodeDenominator: 4) }).count == all.count)
    }

    @Test func `The crop is part of the recipe`() {
        let crop = CropRectangle(x: 1, y: 2, width: 3, height: 4)
        #expect(
            AvatarRecipe(photo: photo, crop: crop, style: style, decodeDenominator: 4)
                != AvatarRecipe(photo: photo, style: style, decodeDenominator: 4))
    }

    @Test func `The colour of a ring that is not drawn makes no other recipe`() {
        let other = changed { $0.ring?.color = RGBA(red: 1, green: 2, blue: 3) }
        #expect(
            AvatarRecipe(photo: photo, style: other, decodeDenominator: 4)
                == AvatarRecipe(photo: photo, style: style, decodeDenominator: 4))
    }

    @Test func `A recipe is read back from the first kilobyte of its picture`() {
        let recipe = AvatarRecipe(photo: photo, style: style, decodeDenominator: 4)
        let noise = (0..<64 * 64 * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let png = PNGEncoder.encode(
            pixels: noise, width: 64, height: 64, text: [(keyword: AvatarRecipe.keyword, value: recipe.text)])
        #expect(png.prefix(1024).withUnsafeBytes { AvatarRecipe(readingFrom: $0) } == recipe)
    }

    @Test func `A picture without a recipe, and no picture, have none`() {
        let png = PNGEncoder.encode(pixels: [1, 2, 3, 4], width: 1, height: 1, text: [])
        #expect(png.withUnsafeBytes { AvatarRecipe(readingFrom: $0) } == nil)
        #expect(SmallPhoto.bytes.withUnsafeBytes { AvatarRecipe(readingFrom: $0) } == nil)
        #expect([UInt8]().withUnsafeBytes { AvatarRecipe(readingFrom: $0) } == nil)
    }

    @Test func `Another decode is another picture`() throws {
        let recipes = [1, 2, 4, 8].map { AvatarRecipe(photo: photo, style: style, decodeDenominator: $0) }
        #expect(Set(recipes).count == 4)
    }
}
