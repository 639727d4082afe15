import Glibc
import SystemPackage
import Testing
import TondoCache
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct CacheExplainerTests {
    private let photos: CachedPhotos
    private let style = Style(size: 16, state: .selected, ring: .suited(to: 16))

    init() throws {
        photos = try CachedPhotos()
        try draw(SmallPhoto.bytes, as: "ada")
    }

    private func draw(_ bytes: [UInt8], as contact: String, styles: [Style]? = nil) throws {
        let photo = try ReadPhoto(bytes, contact: contact, in: photos)
        _ = try CachingRenderer(styles: styles ?? [style], limits: Limits(), cache: photos.cache).images(of: photo)
    }

    private func explain(
        _ bytes: [UInt8] = SmallPhoto.bytes, as name: String = "ada.jpg", _ styles: [Style]? = nil
    ) throws -> [CacheExplainer.Explanation] {
        let path = try photos.folder.write(bytes, to: name)
        return try CacheExplainer(cache: photos.cache, styles: styles ?? [style]).explain(photo: path)
    }

    private func explain(contact: String, _ style: Style? = nil) throws -> CacheExplainer.Explanation {
        try #require(
            try CacheExplainer(cache: photos.cache, styles: [style ?? self.style]).explain(contact: contact).first)
    }

    private func differences(_ explanation: CacheExplainer.Explanation?) -> [String] {
        explanation?.nearest?.differences.map(\.name) ?? []
    }

    @Test func `A photo that was drawn is a hit, with its entry and every ingredient`() throws {
        let explanation = try explain()[0]
        #expect(explanation.isHit)
        #expect(explanation.entry?.contacts == ["ada"])
        #expect(
            explanation.recipe?.words.map(\.name) == [
                "photo", "crop", "side", "inset", "ring", "ring-color", "background", "decode", "format", "renderer",
            ])
    }

    @Test func `The same bytes under another name are a hit`() throws {
        #expect(try explain(as: "sub/renamed.png")[0].isHit)
    }

    @Test func `A changed photo is a miss whose nearest entry has other bytes`() throws {
        let explanation = try explain(SmallPhoto.bytes + [0])[0]
        #expect(explanation.isMiss)
        #expect(differences(explanation) == ["photo"])
    }

    @Test func `An unknown photo has no nearest entry`() throws {
        #expect(try explain(SmallPhoto.bytes + [0], as: "stranger.jpg")[0].nearest == nil)
    }

    @Test func `A changed ring is a miss that names the ring`() throws {
        var wider = style
        wider.ring?.width += 1
        let explanation = try explain(SmallPhoto.bytes, as: "ada.jpg", [wider])[0]
        #expect(explanation.isMiss)
        #expect(differences(explanation) == ["inset", "ring"])
    }

    @Test func `An evicted entry is a miss that knows when and why it went`() throws {
        photos.wait(seconds: 60)
        _ = try photos.cache.prune(maxAge: 30)
        let explanation = try explain()[0]
        #expect(explanation.isMiss)
        #expect(explanation.removalRecord?.reason == .age)
    }

    @Test func `A photo that failed is not drawn, and keeps its key`() throws {
        #expect(throws: RenderError.self) { try draw(CutPhoto.bytes, as: "cut") }
        let explanation = try explain(CutPhoto.bytes)[0]
        guard case .negativeEntry(let failure) = explanation.verdict else {
            return #expect(Bool(false), "\(explanation.verdict)")
        }
        #expect(failure.code == "truncated")
        #expect(explanation.key != nil)
    }

    @Test func `A corrupt photo that was never tried is a miss`() throws {
        #expect(try explain(CutPhoto.bytes, as: "cut.jpg")[0].isMiss)
    }

    @Test func `What is no picture cannot be drawn, whatever the style`() throws {
        let explanations = try explain([], as: "empty.jpg", [style, Style(size: 8)])
        #expect(explanations.count == 2)
        for explanation in explanations {
            guard case .undrawable(let error) = explanation.verdict else { return #expect(Bool(false)) }
            #expect(error.error.code == "empty")
        }
    }

    @Test func `A photo that cannot be read is an error`() throws {
        #expect(throws: FileError.self) {
            try CacheExplainer(cache: photos.cache, styles: [style]).explain(
                photo: photos.folder.path.appending("gone.jpg"))
        }
    }

    @Test func `A damaged entry is reported and left as it is`() throws {
        let key = try #require(try explain()[0].key)
        try photos.damage(key)
        guard case .damaged(let reason) = try explain()[0].verdict else { return #expect(Bool(false)) }
        #expect(reason == "the checksum differs")
        #expect(FileStatus(photos.cache.file(of: key)) != nil)
    }

    @Test func `An entry whose file is gone is a miss, and not its own nearest entry`() throws {
        let explanation = try explain()[0]
        try FileDescriptor.remove(photos.cache.file(of: #require(explanation.key)))
        let after = try explain()[0]
        #expect(after.isMiss)
        #expect(after.entry != nil)
        #expect(after.nearest == nil)
    }

    @Test func `Sizes that are drawn together belong to the question`() throws {
        let small = Style(size: 32)
        try draw(Sample.bytes, as: "sample", styles: [small])
        #expect(try explain(Sample.bytes, as: "sample.jpg", [small])[0].isHit)
        let together = try explain(Sample.bytes, as: "sample.jpg", [small, Style(size: 512)])
        #expect(together[0].isMiss)
        #expect(differences(together[0]) == ["decode"])
    }

    @Test func `A question is neither a hit nor a miss nor a use`() throws {
        let before = try photos.cache.statistics()
        photos.wait(seconds: 60)
        _ = try explain()
        _ = try explain(SmallPhoto.bytes + [0])
        #expect(try photos.cache.statistics() == before)
    }

    @Test func `A contact is answered with its photo that the cache knows`() throws {
        #expect(try explain(contact: "ada").isHit)
    }

    @Test func `An unknown contact is a miss without a key`() throws {
        let explanation = try explain(contact: "nobody")
        #expect(explanation.isMiss)
        #expect(explanation.key == nil)
    }

    @Test func `A contact's entry in another style is the nearest`() throws {
        #expect(
            differences(try explain(contact: "ada", Style(size: 20, state: .selected, ring: style.ring))) == ["side"])
    }

    @Test func `A contact's older photo does not count once there is a newer one`() throws {
        photos.wait(seconds: 60)
        try draw(SmallPhoto.bytes + [0], as: "ada", styles: [Style(size: 8)])
        #expect(try explain(contact: "ada", Style(size: 8)).isHit)
        #expect(try explain(contact: "ada").isMiss)
    }

    @Test func `A contact whose entries have all gone is answered with when and why`() throws {
        _ = try photos.cache.clear()
        #expect(try explain(contact: "ada").removalRecord?.reason == .removed)
    }

    /// The style of the drawn entries with another crop.
    private func cropped(_ crop: Style.Crop) -> Style {
        var style = style
        style.crop = crop
        return style
    }

    @Test func `An avatar with another crop is a miss that names the crop`() throws {
        let explanation = try explain(SmallPhoto.bytes, as: "ada.jpg", [cropped(.top)])[0]
        #expect(explanation.isMiss && explanation.recipe?["crop"] == "top")
        #expect(differences(explanation) == ["crop"])
        #expect(try differences(explain(contact: "ada", cropped(.top))) == ["crop"])
    }

    @Test func `Without a face model the face is a hit where the centre is, with one it is not`() throws {
        #expect(try explain(SmallPhoto.bytes, as: "ada.jpg", [cropped(.centre)])[0].isHit)
        let path = try photos.folder.write(SmallPhoto.bytes, to: "ada.jpg")
        let explainer = CacheExplainer(cache: photos.cache, styles: [style], hasFaceModel: true)
        #expect(try explainer.explain(photo: path)[0].nearest?.differences.map(\.wanted) == ["face/2"])
    }

    @Test func `A hit names the part of the photo that was asked for, a miss none`() throws {
        #expect(try explain()[0].crop?.by == .centre)
        #expect(try explain(SmallPhoto.bytes, as: "ada.jpg", [cropped(.top)])[0].crop == nil)
    }

    @Test func `A hit says what was found when it was drawn`() throws {
        let path = try photos.folder.write(SmallPhoto.bytes, to: "ada.jpg")
        let explainer = CacheExplainer(cache: photos.cache, styles: [style], hasFaceModel: true)
        let recipe = try #require(try explainer.explain(photo: path)[0].recipe)
        let avatar = try SampleCrop.avatar(recipe.text)
        try photos.cache.store(avatar, key: CacheKey(recipe: recipe.text), cost: 1, contacts: ["ada"])
        #expect(try explainer.explain(photo: path)[0].crop == CropReport(SampleCrop.face))
        #expect(try explainer.explain(contact: "ada")[0].crop == CropReport(SampleCrop.face))
    }

    @Test func `A contact's avatars with several crops are of one photo`() throws {
        photos.wait(seconds: 60)
        try draw(SmallPhoto.bytes, as: "ada", styles: [cropped(.top)])
        #expect(try explain(contact: "ada").isHit && explain(contact: "ada", cropped(.top)).isHit)
    }

    @Test func `A contact's entry of an older renderer is no hit`() throws {
        let recipe = try #require(try explain()[0].recipe)
        let older = recipe.text.replacing("renderer=\(AvatarRecipe.rendererVersion)", with: "renderer=0")
        try photos.cache.remove(CacheKey(recipe: recipe.text))
        let png = PNGEncoder.encode(
            pixels: [UInt8](repeating: 0, count: 16 * 16 * 4), width: 16, height: 16,
            text: [(keyword: AvatarRecipe.keyword, value: older)])
        try photos.cache.store(png, key: CacheKey(recipe: older), cost: 1, contacts: ["ada"])
        let explanation = try explain(contact: "ada")
        #expect(explanation.isMiss)
        #expect(differences(explanation) == ["renderer"])
    }
}

extension CacheExplainer.Explanation {
    fileprivate var isHit: Bool { if case .hit = verdict { true } else { false } }
    fileprivate var isMiss: Bool { if case .miss = verdict { true } else { false } }
}

extension FileDescriptor {
    fileprivate static func remove(_ path: FilePath) throws {
        if path.withPlatformString({ unlink($0) }) != 0 { throw Errno(rawValue: errno) }
    }
}
