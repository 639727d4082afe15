import SystemPackage
import Testing
import TondoContacts
import TondoSync

@Suite struct CardPhotosTests {
    private func card(_ photo: String) -> [UInt8] {
        Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\n\(photo)\r\nNOTE:x\r\nEND:VCARD\r\n".utf8)
    }

    private func photo(_ card: [UInt8]) throws -> ContactPhoto? {
        try BookFormat.vCard.read(card, name: "a.vcf").contacts.first?.photo
    }

    @Test(arguments: [
        "PHOTO;VALUE=uri:https://example.org/a.jpg", "PHOTO:https://example.org/a.jpg",
        "photo;value=URI:https://example.org/a.jpg", "item1.PHOTO;VALUE=URI;TYPE=JPEG:https://example.org/a.jpg",
        "PHOTO;VALUE=uri:https\\://example.org/a.jpg", "PHOTO;VALUE=uri:https://example\r\n .org/a.jpg",
        "PHOTO;VALUE=uri;X-TONDO-URL=\"https://example.org/a.jpg\":photos/1.jpg",
    ])
    func `Finds the URL of a photo`(_ line: String) {
        #expect(CardPhotos.urls(in: card(line)) == ["https://example.org/a.jpg"])
    }

    @Test(arguments: [
        "PHOTO;ENCODING=b:/9j/4AAQ", "PHOTO:data:image/jpeg;base64,/9j/", "PHOTO;VALUE=uri:file:///etc/passwd",
        "PHOTO;VALUE=uri:photos/a.jpg", "X-PHOTO:https://example.org/a.jpg", "PHOTOS:https://example.org/a.jpg",
        "PHOTO;VALUE=uri:ftp://example.org/a.jpg", "PHOTO;VALUE=uri:https://example.org/\u{E9}.jpg", "PHOTO",
        "PHOTO;VALUE=uri",
    ])
    func `Leaves other lines`(_ line: String) {
        #expect(CardPhotos.urls(in: card(line)) == [])
        #expect(CardPhotos.rewritten(card(line)) { _ in "photos/1.jpg" } == card(line))
    }

    @Test func `Names the file, and keeps the rest`() throws {
        let original = card(
            "PHOTO;TYPE=JPEG;PREF=1;VALUE=uri:https://example.org/a;b,c.jpg?x=\(String(repeating: "1", count: 90))")
        let prepared = CardPhotos.rewritten(original) { _ in "photos/0123.jpg" }
        guard case .file(let path, _)? = try photo(prepared) else {
            Issue.record("no file: \(String(decoding: prepared, as: UTF8.self))")
            return
        }
        #expect(path == "photos/0123.jpg")
        let text = String(decoding: prepared, as: UTF8.self)
        #expect(text.hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nPHOTO;TYPE=JPEG;PREF=1"))
        #expect(text.hasSuffix("\r\nNOTE:x\r\nEND:VCARD\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        #expect(CardPhotos.urls(in: prepared) == CardPhotos.urls(in: original))
    }

    @Test(arguments: 50..<62) func `Cuts no character of a parameter in two`(_ width: Int) throws {
        let label = String(repeating: "x", count: width) + "äöü漢字😀" + String(repeating: "é", count: 40)
        let original = card("PHOTO;VALUE=uri;X-LABEL=\"\(label)\":https://example.org/a.jpg")
        let prepared = CardPhotos.rewritten(original) { _ in "photos/0123.jpg" }
        let lines = prepared.split(separator: 0x0A)
        #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil && $0.count <= 76 })
        let text = String(decoding: prepared, as: UTF8.self).replacing("\r\n ", with: "")
        #expect(text.contains("X-LABEL=\"\(label)\""))
    }

    /// A card of the source, and the one that was made of it, give the same card.
    @Test func `Is the same from the source and from the mirror`() {
        let original = card("item1.PHOTO;VALUE=uri;TYPE=png:https://example.org/a.jpg")
        let first = CardPhotos.rewritten(original) { _ in "photos/1.jpg" }
        #expect(CardPhotos.rewritten(first) { _ in "photos/1.jpg" } == first)
        let second = CardPhotos.rewritten(original) { _ in "photos/2.jpg" }
        #expect(CardPhotos.rewritten(first) { _ in "photos/2.jpg" } == second)
        #expect(first != second)
    }

    @Test func `Gives the URL back without a photo`() throws {
        let original = card("PHOTO;VALUE=uri:https://example.org/a.jpg")
        #expect(CardPhotos.rewritten(original) { _ in nil } == original)
        let prepared = CardPhotos.rewritten(original) { _ in "photos/1.jpg" }
        #expect(CardPhotos.rewritten(prepared) { _ in nil } == original)
    }

    @Test func `Survives any bytes`() {
        for text in [
            "", "\n", "PHOTO", "PHOTO:", "PHOTO;", "PHOTO;\"", "PHOTO:\n ", "PHOTO:https://", "\nPHOTO\n\n PHOTO:",
        ] {
            let bytes = Array(text.utf8)
            #expect(CardPhotos.rewritten(bytes) { _ in nil } == bytes)
        }
    }
}
