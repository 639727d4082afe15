import SystemPackage
import Testing
import TondoCache
import TondoImage
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

/// Which part of the photo a result names, without a detector: what one found is in a file.
@Suite struct ConvertedCropTests {
    private let photos: CachedPhotos
    private let photo: FilePath

    init() throws {
        photos = try CachedPhotos()
        photo = try photos.folder.write(SmallPhoto.bytes, to: "ada.jpg")
    }

    /// `hasFaceModel`: of workers that draw nothing.
    private func convert(_ crop: Style.Crop, hasFaceModel: Bool = false) throws -> ConversionResult {
        var style = Style(size: 16)
        style.crop = crop
        let input = ConversionInput(source: .file(photo), stem: "ada")
        let folder = ConversionPlan.Target.folder(photos.folder.path.appending("out"))
        let plan = try ConversionPlan(inputs: [input], styles: [style], target: folder)
        var options = RenderWorkers.Options(program: "none")
        options.faceModel = "none"
        return Converter(
            styles: [style], limits: Limits(), force: false, cache: photos.cache,
            workers: hasFaceModel ? RenderWorkers(options: options) : nil
        ).result(of: plan.items[0])
    }

    /// An avatar of the photo as one that finds faces would draw it.
    private func avatar() throws -> (recipe: AvatarRecipe, bytes: [UInt8]) {
        let source = CachingRenderer(styles: [Style(size: 16)], limits: Limits(), hasFaceModel: true)
        let recipe = try source.recipes(for: ReadPhoto(SmallPhoto.bytes, in: photos).subject)[0]
        return (recipe, try SampleCrop.avatar(recipe.text))
    }

    @Test(arguments: [Style.Crop.face, .centre, .top])
    func `A drawn avatar shows the part that was asked for, and the centre without a face model`(
        _ crop: Style.Crop
    ) throws {
        let result = try convert(crop)
        #expect(result.status == .done)
        #expect(result.crop?.by == (crop == .top ? .top : .centre))
        #expect(result.crop?.side == 41 && result.crop?.faces == nil)
        // It is the same for one that is there already.
        #expect(try convert(crop).crop == result.crop)
    }

    @Test func `An avatar of the cache says what was found when it was drawn`() throws {
        let avatar = try avatar()
        try photos.cache.store(avatar.bytes, key: avatar.recipe.key, cost: 1)
        let result = try convert(.face, hasFaceModel: true)
        #expect(result.outputs.map(\.source) == [.cache])
        #expect(result.crop == CropReport(SampleCrop.face))
    }

    @Test func `A file that is there says what was found when it was drawn`() throws {
        try photos.folder.write(avatar().bytes, to: "out/ada.png")
        let result = try convert(.face, hasFaceModel: true)
        #expect(result.status == .skipped)
        #expect(result.crop == CropReport(SampleCrop.face))
    }

    /// With a picture that explains the crop.
    private func explain(force: Bool = false) throws -> ConversionResult {
        let input = ConversionInput(source: .file(photo), stem: "ada")
        let style = Style(size: 16)
        let folder = ConversionPlan.Target.folder(photos.folder.path.appending("out"))
        let plan = try ConversionPlan(inputs: [input], styles: [style], target: folder, explainsCrops: true)
        return Converter(styles: [style], limits: Limits(), force: force).result(of: plan.items[0])
    }

    @Test func `The picture that explains a crop shows the whole photo, and is written again`() throws {
        for status in [ConversionResult.Status.done, .skipped] {
            #expect(try explain().status == status)
            let picture = try photos.folder.bytes("out/ada.crop.png")
            let header = try picture.withUnsafeBytes { try ImageHeader(probing: $0) }
            #expect(header.width == 41 && header.height == 41)
            #expect(try photos.folder.names(in: "out").sorted() == ["ada.crop.png", "ada.png"])
        }
    }

    @Test func `A file of another program in its place is kept without force`() throws {
        try photos.folder.write(SmallPhoto.bytes, to: "out/ada.crop.png")
        let result = try explain()
        #expect(result.status == .failed && result.failure?.code == "file-foreign")
        #expect(result.outputs.map(\.isWritten) == [true])
        #expect(try photos.folder.bytes("out/ada.crop.png") == SmallPhoto.bytes)
        #expect(try explain(force: true).status == .done)
    }

    @Test func `Two photos do not write one file, the picture of one and the avatar of the other`() throws {
        let inputs = ["ada", "ada.crop"].map { stem in
            ConversionInput(source: .file(photo), stem: FilePath(stem))
        }
        let folder = ConversionPlan.Target.folder("out")
        #expect(throws: ConversionPlan.Problem.self) {
            try ConversionPlan(inputs: inputs, styles: [Style(size: 16)], target: folder, explainsCrops: true)
        }
        #expect(try ConversionPlan(inputs: inputs, styles: [Style(size: 16)], target: folder).items.count == 2)
    }

    @Test func `A photo that gives no avatar has no part that is shown`() throws {
        try photos.folder.write(CutPhoto.bytes, to: "ada.jpg")
        let result = try convert(.centre)
        #expect(result.status == .failed && result.crop == nil)
    }
}

extension SampleCrop {
    /// A PNG with this recipe and `face`.
    static func avatar(_ recipe: String) throws -> [UInt8] {
        let canvas = Canvas(side: 16, bytes: [UInt8](repeating: 255, count: 16 * 16 * 4))
        return try AvatarFormat.png.encode(
            canvas, texts: [(AvatarRecipe.keyword, recipe), (CropRecord.keyword, face.text)])
    }
}
