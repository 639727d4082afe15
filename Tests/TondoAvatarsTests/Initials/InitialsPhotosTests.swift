import Synchronization
import Testing
import TondoCache
import TondoContacts
import TondoDigest
import TondoImage

@testable import TondoAvatars

@Suite struct InitialsPhotosTests {
    private static let fonts = [UInt8](repeating: 7, count: InitialsDrawing.fontBytes)

    private func contact(_ id: String, _ name: String) -> Contact {
        var contact = Contact(id: id)
        contact.name.formatted = name
        return contact
    }

    private func shown(_ source: PhotoSource?) -> InitialsDrawing? {
        if case .initials(let drawing) = source { drawing } else { nil }
    }

    @Test func `A drawing has the letters, the colours and the fonts`() throws {
        let photos = InitialsPhotos(rule: .adwaita, fonts: Self.fonts)
        let drawing = try #require(shown(photos.photo(of: contact("a", "Ada Okafor"))))
        #expect(drawing.text == "AO" && drawing.fonts == Self.fonts && drawing.isBold)
        let colors = InitialsColors.adwaita[5]
        #expect(drawing.foreground == colors.letters && drawing.background == colors.background)
        #expect(drawing.bottom == colors.bottom)
    }

    @Test func `Equal letters in one colour are one photo for all contacts`() throws {
        let photos = InitialsPhotos(rule: .tondo, fonts: Self.fonts)
        #expect(photos.photo(of: contact("a", "Ada Okafor")) == photos.photo(of: contact("a", "Abe Orr")))
        #expect(photos.photo(of: contact("a", "Ada Okafor")) != photos.photo(of: contact("a", "Bo Orr")))
    }

    @Test func `Named letters have no rule, and the colour of their identity`() throws {
        let photos = InitialsPhotos(rule: .tondo, fonts: Self.fonts)
        let drawing = try #require(shown(photos.photo(letters: "X2", identity: "id")))
        #expect(
            drawing.text == "X2"
                && drawing.background == InitialsColors(rule: .tondo, identity: "id", name: "").background)
        #expect(InitialsPhotos.none.photo(letters: "X", identity: "id") == nil)
    }

    @Test func `A missing program pauses initials for a minute and is reported once, a fault of one drawing is not`() {
        nonisolated(unsafe) var reasons: [String] = []  // Called on this thread alone.
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let photos = InitialsPhotos(rule: .tondo, fonts: Self.fonts) {
            reasons.append($0)
        } now: {
            start + passed.withLock { $0 }
        }
        photos.note(AvatarFailure(RenderError(stage: .decode, error: .decoderCrashed("signal 11"))))
        #expect(photos.photo(of: contact("a", "Ada")) != nil)
        for _ in 0..<2 {
            photos.note(AvatarFailure(RenderError(stage: .probe, error: .unsupported("no fonts"))))
            passed.withLock { $0 += InitialsPhotos.pause - .seconds(1) }
            #expect(photos.photo(of: contact("a", "Ada")) == nil)
            passed.withLock { $0 += .seconds(1) }
            #expect(photos.photo(of: contact("a", "Ada")) != nil)
        }
        #expect(reasons == ["unsupported: no fonts"])
    }

    @Test func `What is missing is looked for again after a minute`() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let searches = Mutex(0)
        let make: InitialsPhotos.Make = { _, _ throws(AvatarFailure) in
            searches.withLock { $0 += 1 }
            throw AvatarFailure(RenderError(stage: .probe, error: .unsupported("no program")))
        }
        let photos = InitialsPhotos(rule: .tondo, now: { start + passed.withLock { $0 } }, make: make)
        for _ in 0..<100 { #expect(photos.photo(of: contact("a", "Ada")) == nil) }
        #expect(searches.withLock { $0 } == 1)
        passed.withLock { $0 = InitialsPhotos.pause }
        #expect(photos.photo(of: contact("a", "Ada")) == nil && searches.withLock { $0 } == 2)
    }

    @Test func `A process that cannot be started is reported once, and the next contact asks for one again`() {
        nonisolated(unsafe) var reasons: [String] = []  // Called on this thread alone.
        let photos = InitialsPhotos(rule: .tondo, fonts: Self.fonts) { reasons.append($0) }
        for reason in ["no process", "no memory", "no process"] {
            photos.note(AvatarFailure(RenderError(stage: .decode, error: .noDecoder(reason))))
        }
        #expect(photos.photo(of: contact("a", "Ada")) != nil && reasons == ["no sandboxed decoder: no process"])
    }

    @Test func `Without processes that draw, the reason is reported with the first contact`() {
        let reasons = Mutex<[String]>([])
        let photos = InitialsRule.tondo.photos(by: nil) { reason in reasons.withLock { $0.append(reason) } }
        #expect(photos.photo(of: contact("a", "")) == nil && reasons.withLock { $0 } == [])
        for _ in 0..<2 { #expect(photos.photo(of: contact("a", "Ada")) == nil) }
        #expect(reasons.withLock { $0 } == ["letters are drawn in confined processes only"])
    }

    @Test func `A recipe of initials has their letters, and that of a photo stays as it is`() throws {
        let digest = SHA256Digest(PhotoFile(copying: [1]))
        let photo = AvatarRecipe(photo: digest, style: Style(size: 16), decodeDenominator: 1)
        #expect(!photo.text.contains("initials"))
        let recipe = AvatarRecipe(photo: digest, letters: "Å 李", style: Style(size: 16), decodeDenominator: 1)
        let parsed = try #require(Recipe(recipe.text))
        #expect(parsed.letters == "Å 李" && parsed.style == Recipe(photo.text)?.style && recipe.key != photo.key)
    }
}
