import SystemPackage
import Testing
import TondoCache
import TondoFiles
import TondoImage
import TondoRender
import TondoTestSupport

@testable import TondoAvatars

@Suite struct CachingRendererTests {
    private let photos: CachedPhotos
    private let photo: ReadPhoto
    private let styles = [Style(size: 16), Style(size: 20)]

    init() throws {
        photos = try CachedPhotos()
        photo = try ReadPhoto(SmallPhoto.bytes, in: photos)
    }

    private func source(_ styles: [Style]? = nil, limits: Limits = Limits(), hasCache: Bool = true) -> CachingRenderer {
        CachingRenderer(styles: styles ?? self.styles, limits: limits, cache: hasCache ? photos.cache : nil)
    }

    private func keys(of photo: ReadPhoto) throws -> [CacheKey] {
        source().recipes(for: try photo.subject).map(\.key)
    }

    private func decoding(of photo: ReadPhoto) throws -> String {
        let subject = try photo.subject
        let denominator = source().renderer.decodeDenominator(for: subject.geometry, crop: nil)
        return AvatarRecipe.decoding(subject.digest, styles: source().styles, decodeDenominator: denominator)
    }

    private func source(_ crop: Style.Crop, hasFaceModel: Bool) -> CachingRenderer {
        var style = Style(size: 16)
        style.crop = crop
        return CachingRenderer(styles: [style], limits: Limits(), hasFaceModel: hasFaceModel)
    }

    private func recipes(_ crop: Style.Crop, hasFaceModel: Bool) throws -> [AvatarRecipe] {
        source(crop, hasFaceModel: hasFaceModel).recipes(for: try photo.subject)
    }

    @Test func `Without a face model, the face is the centre`() throws {
        let centre = try recipes(.centre, hasFaceModel: false)
        #expect(try recipes(.face, hasFaceModel: false) == centre)
        #expect(try recipes(.centre, hasFaceModel: true) == centre)
        #expect(try recipes(.face, hasFaceModel: true) != centre)
        #expect(try recipes(.top, hasFaceModel: true) == recipes(.top, hasFaceModel: false))
    }

    @Test func `A contact's crop that shows nothing of the photo leaves that of the style in the recipe`() throws {
        let known = try photo.subject
        let far = CropRectangle(x: 1 << 20, y: 0, width: 8, height: 8)
        let subject = CachingRenderer.Subject(digest: known.digest, geometry: known.geometry, crop: far)
        let crops: [Style.Crop] = [.centre, .top, .face]
        let found = crops.map { source($0, hasFaceModel: true).recipes(for: subject) }
        #expect(try found == crops.map { try recipes($0, hasFaceModel: true) })
        #expect(Set(found).count == 3)
    }

    @Test func `The negative entry of a photo names the crop that is drawn`() throws {
        let subject = try photo.subject
        #expect(source(.face, hasFaceModel: true).decoding(subject).contains(" crop=face/2 "))
        #expect(source(.face, hasFaceModel: false).decoding(subject).contains(" crop=none "))
    }

    @Test(arguments: Style.Crop.allCases)
    func `Initials and the silhouette are shown whole, a photo is not`(_ crop: Style.Crop) throws {
        let source = source(crop, hasFaceModel: true)
        var subject = try photo.subject
        #expect(source.setup(of: subject).styles.map(\.crop) == [crop])
        subject.isGenerated = true
        #expect(source.setup(of: subject).styles.map(\.crop) == [.centre])
        #expect(try source.recipes(for: subject) == recipes(.centre, hasFaceModel: true))
        #expect(source.decoding(subject).contains(" crop=none "))
    }

    @Test func `What is generated is known by its source`() {
        #expect(PhotoSource.silhouette.isGenerated)
        let (ink, fonts) = (RGBA.selection, [UInt8](repeating: 0, count: 32))
        let drawing = InitialsDrawing(text: "A", background: ink, foreground: ink, fonts: fonts)
        #expect(PhotoSource.initials(drawing).isGenerated)
        #expect(!PhotoSource.file("a.jpg").isGenerated)
        #expect(!PhotoSource.bytes(PhotoFile(copying: Silhouette.photo)).isGenerated)
    }

    @Test func `What was drawn comes out of the cache byte for byte`() throws {
        let drawn = try source().images(of: photo)
        let stored = try source().images(of: photo)
        #expect(drawn.log == ["drawn 0", "drawn 1"])
        #expect(stored.log == ["cache 0", "cache 1"])
        #expect(stored.pngs == drawn.pngs)
        #expect(try source(hasCache: false).images(of: photo).pngs == drawn.pngs)
    }

    @Test func `Only what is missing is drawn, after what is there`() throws {
        _ = try source().images(of: photo)
        try photos.cache.remove(keys(of: photo)[0])
        #expect(try source().images(of: photo).log == ["cache 1", "drawn 0"])
    }

    @Test func `A photo of equal bytes is a hit for another contact, which is noted`() throws {
        _ = try source().images(of: photo)
        let other = try ReadPhoto(SmallPhoto.bytes, contact: "bo", in: photos)
        #expect(try source().images(of: other).log == ["cache 0", "cache 1"])
        #expect(try photos.cache.entry(keys(of: photo)[0])?.contacts == ["ada", "bo"])
    }

    @Test func `Fresh pictures are drawn and stored anew`() throws {
        _ = try source().images(of: photo)
        photos.wait(seconds: 60)
        #expect(try source().images(of: photo, isFresh: true).log == ["drawn 0", "drawn 1"])
        let entry = try #require(try photos.cache.entry(keys(of: photo)[0]))
        #expect(try photos.cache.entries(EntryQuery()).count == 2)
        #expect(entry.created == entry.used)
    }

    @Test func `A damaged entry is drawn again`() throws {
        let drawn = try source().images(of: photo)
        try photos.damage(keys(of: photo)[1])
        let again = try source().images(of: photo)
        #expect(again.log == ["cache 0", "drawn 1"])
        #expect(again.pngs == drawn.pngs)
    }

    @Test func `A photo that cannot be decoded is not tried again`() throws {
        let cut = try ReadPhoto(CutPhoto.bytes, in: photos)
        #expect(throws: RenderError.self) { try source().images(of: cut) }
        #expect(throws: NegativeEntryError.self) { try source().images(of: cut) }
        #expect(try photos.cache.failures().map(\.attempts) == [1])
    }

    @Test func `A negative entry has the same message as the failure`() throws {
        let cut = try ReadPhoto(CutPhoto.bytes, in: photos)
        let error = #expect(throws: RenderError.self) { try source().images(of: cut) }
        let negativeEntry = #expect(throws: NegativeEntryError.self) { try source().images(of: cut) }
        #expect(negativeEntry?.description == error?.description)
    }

    @Test func `Other bytes are tried although the photo failed before`() throws {
        let cut = try ReadPhoto(CutPhoto.bytes, in: photos)
        #expect(throws: RenderError.self) { try source().images(of: cut) }
        #expect(try source().images(of: photo).log.count == 2)
    }

    @Test func `A photo that a process died of is not drawn at once by the next`() throws {
        let (folder, cache) = (photos.folder, photos.cache)
        cache.startDrawingJournal()
        let subject = try photo.subject
        _ = try source().make([0], of: subject, recipes: source().recipes(for: subject), photo: photo.read) { _, _ in
            // What would be left if it ended here: the note, without its lock.
            let name = try #require(try folder.names(in: "cache").first { $0.hasPrefix("drawing-") })
            try folder.write(folder.bytes("cache/" + name), to: "cache/drawing-dead")
        }
        cache.startDrawingJournal()
        #expect { try source().images(of: photo, styles: [1]) } throws: {
            ($0 as? NegativeEntryError)?.failure.code == "decoder-crashed" && AvatarFailure($0).retry == .later
        }
        photos.wait(seconds: 61)
        #expect(try source().images(of: photo, styles: [1]).log == ["drawn 1"])
        #expect(try cache.failures().isEmpty)
    }

    @Test func `A failure in the header gets no negative entry`() throws {
        let text = try ReadPhoto(Array("no picture".utf8), in: photos)
        #expect(throws: RenderError.self) { try source().images(of: text) }
        #expect(try photos.cache.failures() == [])
    }

    @Test func `Fresh pictures are tried although the photo failed before`() throws {
        let cut = try ReadPhoto(CutPhoto.bytes, in: photos)
        for _ in 0..<2 { #expect(throws: RenderError.self) { try source().images(of: cut, isFresh: true) } }
        #expect(try photos.cache.failures().map(\.attempts) == [2])
    }

    @Test func `A failure is forgotten once the photo could be drawn`() throws {
        let subject = try decoding(of: photo)
        try photos.cache.note(failureOf: subject, stage: "decode", code: "corrupt", reason: "corrupt")
        _ = try source().images(of: photo, isFresh: true)
        #expect(try photos.cache.failures() == [])
    }

    @Test func `A failure for want of memory is remembered as long as there is no more`() throws {
        var limits = Limits()
        limits.maxMemory = 5000
        #expect(throws: RenderError.self) { try source(limits: limits).images(of: photo) }
        #expect(throws: NegativeEntryError.self) { try source(limits: limits).images(of: photo) }
        #expect(try source().images(of: photo).log == ["drawn 0", "drawn 1"])
    }

    @Test func `A transient failure is tried again after a minute`() throws {
        let subject = try decoding(of: photo)
        try photos.cache.note(
            failureOf: subject, stage: "decode", code: "outOfMemory", reason: "no memory", isTransient: true)
        #expect(throws: NegativeEntryError.self) { try source().images(of: photo) }
        photos.wait(seconds: 61)
        #expect(try source().images(of: photo).log == ["drawn 0", "drawn 1"])
    }

    @Test func `An error of the receiver of an avatar is passed on and gets no negative entry`() throws {
        struct Unwanted: Error {}
        let subject = try photo.subject
        let source = source()
        #expect(throws: Unwanted.self) {
            try source.make([0], of: subject, recipes: source.recipes(for: subject), photo: photo.read) { _, _ in
                throw Unwanted()
            }
        }
        #expect(try photos.cache.failures() == [])
    }

    @Test func `A larger companion may change the decode, and then it is another picture`() throws {
        let large = try ReadPhoto(Sample.bytes, in: photos)
        let alone = try source([Style(size: 32)]).recipes(for: large.subject)
        let together = try source([Style(size: 32), Style(size: 512)]).recipes(for: large.subject)
        #expect(alone[0] != together[0])
        _ = try source([Style(size: 32)]).images(of: large)
        #expect(try source([Style(size: 32), Style(size: 512)]).images(of: large).log == ["drawn 0", "drawn 1"])
    }
}
