import SystemPackage
import Testing
import TondoCache
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

    /// The value of the word `crop`.
    private func crop(_ crop: Style.Crop, of contact: CropRectangle? = nil) -> String? {
        let recipe = AvatarRecipe(
            photo: photo, crop: contact, style: changed { $0.crop = crop }, decodeDenominator: 1)
        return Recipe(recipe.text)?["crop"]
    }

    @Test func `The crop of the style is part of the recipe, and that of the contact comes first`() {
        #expect(Style.Crop.allCases.map { crop($0) } == ["face/2", "none", "top"])
        let contact = CropRectangle(x: 1, y: 2, width: 3, height: 4)
        for style in Style.Crop.allCases { #expect(crop(style, of: contact) == "1,2,3,4") }
    }

    @Test func `A failed decode is that of all crops that are drawn together`() {
        func subject(_ crops: Style.Crop...) -> String {
            AvatarRecipe.decoding(
                photo, styles: crops.map { crop in changed { $0.crop = crop } }, decodeDenominator: 2)
        }
        #expect(subject(.face).hasSuffix(" crop=face/2 decode=1/2 renderer=\(AvatarRecipe.rendererVersion)"))
        #expect(subject(.centre, .face) == subject(.face, .centre, .face))
        #expect(subject(.centre, .face).contains(" crop=face/2+none "))
    }

    @Test func `A picture of all of a photo has the same recipe with every crop of the style`() {
        let texts = Style.Crop.allCases.flatMap { crop in
            [false, true].map { hasFaceModel in
                let style = changed { style in
                    style.shape = .whole
                    style.crop = crop
                }
                return AvatarRecipe(
                    photo: photo, style: style.drawn(hasFaceModel: hasFaceModel), decodeDenominator: 1
                ).text
            }
        }
        #expect(Set(texts).count == 1 && texts[0].contains(" crop=none side=96 inset=0 shape=whole "))
    }

    @Test func `A failed decode of all of a photo is none of a part of it`() {
        func subject(_ shape: Style.Shape, of contact: CropRectangle? = nil) -> String {
            let style = changed { style in
                style.shape = shape
                style.crop = .centre
            }
            return AvatarRecipe.decoding(photo, crop: contact, styles: [style], decodeDenominator: 1)
        }
        #expect(subject(.whole) != subject(.circle) && subject(.square) == subject(.circle))
        #expect(subject(.whole, of: CropRectangle(x: 1, y: 2, width: 3, height: 4)) == subject(.whole))
    }

    @Test func `An avatar shows a style only with its crop, unless the crop is not of the style`() throws {
        func parsed(_ crop: Style.Crop, of contact: CropRectangle? = nil, letters: String? = nil) throws -> Recipe {
            let style = changed { $0.crop = crop }
            let recipe = AvatarRecipe(photo: photo, crop: contact, letters: letters, style: style, decodeDenominator: 1)
            return try #require(Recipe(recipe.text))
        }
        for (one, other) in [(Style.Crop.face, Style.Crop.top), (.top, .centre), (.centre, .face), (.top, .top)] {
            #expect(try parsed(one).shows(changed { $0.crop = other }) == (one == other))
            #expect(try parsed(one, letters: "AL").shows(changed { $0.crop = other }))
            let crop = CropRectangle(x: 1, y: 2, width: 3, height: 4)
            #expect(try parsed(one, of: crop).shows(changed { $0.crop = other }))
        }
        #expect(try !parsed(.face).shows(Style(size: 97)))
    }

    @Test func `The face was the centre before there was a face model, and may follow an older rule`() throws {
        func showed(_ crop: String, in style: Style.Crop) throws -> Bool {
            let style = changed { $0.crop = style }
            let text = "photo=sha256:1f crop=\(crop) \(style.canonicalText) decode=1/1 format=png renderer=2"
            return try #require(Recipe(text)).showed(style)
        }
        #expect(try showed("none", in: .face) && showed("face/0", in: .face) && showed("top", in: .top))
        #expect(try showed("1,2,3,4", in: .top))
        #expect(try !showed("none", in: .top) && !showed("top", in: .face) && !showed("face/2", in: .centre))
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
