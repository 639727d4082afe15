import Testing
import TondoImage
import TondoSync
import TondoTestSupport

@Suite struct PictureKindTests {
    /// What the renderer draws, a mirror accepts, and nothing else.
    @Test(arguments: ["decodes-like-reference", "unsupported", "broken", "heif"])
    func `Agrees with the renderer about every fixture`(_ folder: String) throws {
        for fixture in Fixture.all(in: folder) {
            let bytes = try fixture.bytes
            let kind = bytes.withUnsafeBytes { ImageKind($0) }
            // Of a JPEG the renderer asks for two bytes only.
            if kind == .jpeg, bytes.count < 3 || bytes[2] != 0xFF { continue }
            #expect((PictureKind(bytes) != nil) == (kind.refusal == nil), "\(fixture.name)")
        }
    }

    @Test func `Knows names and types of files`() {
        #expect(PictureKind.jpeg.fileExtension == "jpg")
        #expect(PictureKind.heif.mediaType == "image/heif")
    }

    @Test(arguments: ["", "GIF", "<html>", "RIFFxxxxWAVE", "\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom"])
    func `Refuses other files`(_ text: String) {
        #expect(PictureKind(Array(text.unicodeScalars.map { UInt8($0.value) })) == nil)
    }
}
