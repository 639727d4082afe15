import Testing

@testable import TondoContacts

/// What went wrong with photos in cards of other programs.
@Suite struct CardPhotoTests {
    private static let jpeg = CardPhotoFixtureTests.picture(60)
    private static let now = 1_800_000_000

    private func card(_ lines: [String], version: String = "3.0", end: String = "\r\n") -> String {
        (["BEGIN:VCARD", "VERSION:\(version)", "UID:x", "FN:X"] + lines + ["END:VCARD", ""]).joined(separator: end)
    }

    private func set(
        _ card: String, bytes: [UInt8] = Self.jpeg, crop: PhotoCrop? = nil
    ) throws -> String {
        let new = CardPhoto.Replacement(bytes: bytes, crop: crop)
        return String(
            decoding: try CardPhoto.replaced(in: Array(card.utf8), by: new, now: Self.now), as: UTF8.self)
    }

    private func remove(_ card: String) throws -> String {
        String(decoding: try CardPhoto.replaced(in: Array(card.utf8), by: nil, now: Self.now), as: UTF8.self)
    }

    /// The lines of a photo, unfolded.
    private func value(_ card: String) throws -> String {
        let start = try #require(card.firstRange(of: "PHOTO"))
        return String(card[start.lowerBound...].replacing("\r\n ", with: "").prefix { $0 != "\r\n" })
    }

    @Test func `Of several photos, an empty one among them, one is left where the first was`() throws {
        let photo = "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ"
        let text = card([photo, "NOTE:n", "PHOTO;VALUE=URI:", photo, "PHOTO;VALUE=URI:", "TEL:1"])
        let changed = try set(text)
        #expect(changed.matches(of: /PHOTO/).count == 1)
        #expect(
            try #require(changed.firstRange(of: "PHOTO")).lowerBound
                < #require(changed.firstRange(of: "NOTE")).lowerBound)
        #expect(try remove(text) == card(["NOTE:n", "TEL:1"]))
    }

    @Test func `An empty photo goes, too, and no line is left for readers that take it`() throws {
        #expect(try remove(card(["PHOTO;VALUE=URI:", "PHOTO:", "TEL:1"])) == card(["TEL:1"]))
    }

    @Test(arguments: ["3.0", "4.0"]) func `No empty line follows a photo, which would end the card for readers`(
        _ version: String
    ) throws {
        #expect(try !set(card([], version: version)).contains("\r\n\r\n"))
    }

    @Test func `In vCard 2.1 one empty line ends the photo, however often it is set`() throws {
        let once = try set(card(["TEL:1"], version: "2.1"))
        #expect(once.contains("PHOTO;ENCODING=BASE64;TYPE=JPEG:"))
        #expect(once.matches(of: /\r\n\r\n/).count == 1)
        #expect(try set(once) == once)
        #expect(try remove(once) == card(["TEL:1"], version: "2.1"))
    }

    @Test func `Lines of base64 without a blank, which look like properties, go with the photo`() throws {
        let lines = ["PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQ", "N", "TEL", "EMAIL/AAAA=", "", "TEL:1"]
        #expect(try remove(card(lines, version: "2.1")) == card(["TEL:1"], version: "2.1"))
        let changed = try set(card(lines, version: "2.1"), bytes: CardPhotoFixtureTests.picture(2_000))
        let photo = changed.split(separator: "\r\n").drop { !$0.hasPrefix("PHOTO") }.dropFirst().prefix {
            $0 != "TEL:1"
        }
        #expect(photo.dropLast().allSatisfy { $0.hasPrefix(" ") && $0.utf8.count <= 75 })
    }

    @Test func `In vCard 4.0 the photo is a data URI without escapes and encoding`() throws {
        let changed = try value(set(card(["PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ"], version: "4.0")))
        #expect(changed.hasPrefix("PHOTO:data:image/jpeg;base64,/9j/"))
        #expect(!changed.contains("\\") && !changed.contains("ENCODING"))
    }

    @Test(arguments: [
        "PHOTO;VALUE=URI:https://example.org/a-very-long-name-of-a-picture-that-a-writer-folds\r\n -in-the-middle.jpg?1",
        "PHOTO;VALUE=BINARY:https://example.org/a.jpg", "PHOTO;VALUE=uri:photos/x.jpg",
        "PHOTO;ENCODING=b,b;TYPE=JPEG,jpeg;X-ABCROP-RECTANGLE=abcliprect_1&0&-49&274\r\n &274&ewep1jqzsievlziok4u6oq:/9j/4AAQ",
        "PHOTO;TYPE=image/jpeg:/9j/4AAQSkZJRgABAQ",
        "PHOTO;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&671&671&Nh68TCRv7GErj8P8mk8qCA==;\r\n ENCODING=b;TYPE=JPEG:/9j/4AAQ",
        "photo;encoding=B;type=jpeg:/9j/4AAQSkZJRgABAQAAYABgAAD\r\n ==", "PHOTO;ENCODING=b:/9j/\r\n\t4AAQ",
        "PHOTO:data:image/jpeg\\;base64\\,/9j/4AAQSkZJRgABAQAAYABgAAD",
    ]) func `Nothing of the former photo is left, neither its parameters nor its folds`(_ photo: String) throws {
        let changed = try set(card([photo, "TEL:1"]))
        #expect(changed == (try set(card(["PHOTO:", "TEL:1"]))))
        #expect(try remove(card([photo, "TEL:1"])) == card(["TEL:1"]))
    }

    @Test(arguments: 0..<12) func `Base64 is padded to whole groups, and no line but the last ends in a padding`(
        _ more: Int
    ) throws {
        let bytes = CardPhotoFixtureTests.picture(50 + more)
        let changed = try set(card(["TEL:1"]), bytes: bytes)
        let base64 = try value(changed).drop { $0 != ":" }.dropFirst()
        #expect(base64.utf8.count % 4 == 0)
        let lines = changed.split(separator: "\r\n").drop { !$0.hasPrefix("PHOTO") }.prefix { $0 != "END:VCARD" }
        #expect(lines.dropLast().allSatisfy { !$0.hasSuffix("=") && $0.utf8.count <= 75 })
    }

    @Test func `A photo keeps the name of its group, and the label beside it`() throws {
        let text = card(["item1.PHOTO;ENCODING=b:/9j/4AAQ", "item1.X-ABLabel:Portrait", "item2.TEL:1"])
        let changed = try set(text)
        #expect(changed.contains("\r\nitem1.PHOTO;ENCODING=b;TYPE=JPEG:"))
        #expect(changed.contains("\r\nitem1.X-ABLabel:Portrait\r\nitem2.TEL:1\r\n"))
    }

    @Test(arguments: [
        ("REV:2020-01-02T03:04:05Z", "REV:2027-01-15T08:00:00Z"), ("REV:20200102T030405Z", "REV:20270115T080000Z"),
        ("REV;VALUE=DATE-AND-OR-TIME:20210614T081943Z", "REV;VALUE=DATE-AND-OR-TIME:20270115T080000Z"),
        ("REV:2021-05-02T21:03:37.622Z", "REV:2027-01-15T08:00:00Z"), ("REV:2012-04-05", "REV:2027-01-15"),
        ("REV:20120405", "REV:20270115"), ("REV:12", "REV:2027-01-15T08:00:00Z"),
        ("REV:2020-01-02T03:\r\n 04:05Z", "REV:2027-01-15T08:00:00Z"), ("rev:", "rev:2027-01-15T08:00:00Z"),
    ]) func `The date of the change is set in the notation of the card`(_ former: String, _ new: String) throws {
        #expect(try set(card(["TEL:1", former])).contains("\r\nTEL:1\r\n\(new)\r\n"))
        #expect(try remove(card([former, "PHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD", "TEL:1"])) == card([new, "TEL:1"]))
    }

    @Test func `A card without a date gets none`() throws {
        #expect(try !set(card(["TEL:1"])).contains("REV"))
    }

    @Test func `A removal that finds no photo changes nothing, the date included`() throws {
        let text = card(["REV:20200102T030405Z", "TEL:1"])
        #expect(try remove(text) == text)
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\r\r\n"]) func `Line ends are those of the card`(_ end: String) throws {
        for version in ["2.1", "3.0", "4.0"] {
            let text = card(
                ["TEL:1", "PHOTO;ENCODING=BASE64:/9j/4AAQSkZJRgABAQ", "", "NOTE:n"], version: version, end: end)
            let changed = try set(text)
            #expect(changed.replacing(end, with: "").allSatisfy { !$0.isNewline })
            #expect(changed.hasSuffix("NOTE:n\(end)END:VCARD\(end)"))
        }
    }

    @Test func `A soft line break before the photo makes no part of the text of it`() throws {
        let text = card(
            ["NOTE;ENCODING=QUOTED-PRINTABLE:caf=C3=A9=", "PHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD", "TEL:1"], version: "2.1")
        #expect(try set(text).contains("caf=C3=A9=\r\nPHOTO;ENCODING=BASE64"))
        #expect(try remove(text) == card(["NOTE;ENCODING=QUOTED-PRINTABLE:caf=C3=A9=", "TEL:1"], version: "2.1"))
    }

    @Test func `Where the next line would become a part of a text, nothing is changed`() throws {
        let text = card(["NOTE:a note", "PHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD", "and what; looks like its rest", "TEL:1"])
        #expect(throws: ContactsError.self) { try remove(text) }
        #expect(try set(text).contains("\r\nand what; looks like its rest\r\n"))
    }

    @Test func `A logo stays, and is no photo that can be removed`() throws {
        let text = card(["ORG:Acme", "X-ABShowAs:COMPANY", "LOGO;ENCODING=b:/9j/4AAQSkZJRgABAQAAYABgAAD"])
        let changed = try set(text)
        #expect(changed.contains("\r\nX-ABShowAs:COMPANY\r\nLOGO;ENCODING=b:/9j/4AAQSkZJRgABAQAAYABgAAD\r\nPHOTO;"))
        #expect(throws: ContactsError.refused("its picture is the LOGO of the card, which is no photo")) {
            try remove(changed)
        }
    }

    @Test func `The photo of a card inside the card stays`() throws {
        let agent = [
            "AGENT:", "BEGIN:VCARD", "VERSION:2.1", "FN:Y", "PHOTO;ENCODING=BASE64:/9j/4AAQ", "", "END:VCARD", "",
        ]
        let text = card(agent + ["TEL:1"], version: "2.1")
        let changed = try set(text)
        #expect(changed.contains(agent.joined(separator: "\r\n") + "\r\nTEL:1\r\nPHOTO;ENCODING=BASE64"))
        #expect(try remove(changed) == text)
    }

    @Test func `A crop comes back from the card, and goes with the next photo`() throws {
        let crop = PhotoCrop(x: 0, y: -49, width: 1_274, height: 1_274)
        let changed = try set(card(["TEL:1"]), crop: crop)
        guard case .inline(_, crop)? = try CardPhotoFixtureTests.contact(Array(changed.utf8)).photo else {
            throw ContactsError.photoChanged
        }
        #expect(try set(changed) == set(card(["TEL:1"])))
    }

    @Test(arguments: [([0x89, 0x50, 0x4E, 0x47], "PNG"), ([0x47, 0x49, 0x46, 0x38], "GIF")] as [([UInt8], String)])
    func `The type is that of the bytes`(_ start: [UInt8], _ type: String) throws {
        let bytes = start + [UInt8](repeating: 7, count: 30)
        #expect(try set(card([]), bytes: bytes).contains("TYPE=\(type):"))
        #expect(try set(card([], version: "4.0"), bytes: bytes).contains("data:image/\(type.lowercased());base64,"))
    }

    @Test func `A card without a line end at its end, and one whose BEGIN lost it, take a photo`() throws {
        let open = String(card(["TEL:1"]).dropLast())
        #expect(try set(open).hasSuffix("\r\nEND:VCARD"))
        let joined = "BEGIN:VCARDPHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD\r\nVERSION:3.0\r\nUID:x\r\nFN:X\r\nEND:VCARD\r\n"
        #expect(try set(joined).hasPrefix("BEGIN:VCARD\r\nPHOTO;ENCODING=b"))
        #expect(try remove(joined) == "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:x\r\nFN:X\r\nEND:VCARD\r\n")
    }

    @Test(arguments: [false, true]) func `In UTF-16 the photo is written in UTF-16`(isBigEndian: Bool) throws {
        let text = card(["NOTE:Ж😀", "PHOTO:/9j/4AAQSkZJRgABAQAAYABgAAD", "ORG:Ł"])
        func wide(_ text: String) -> [UInt8] {
            text.utf16.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
        }
        let new = CardPhoto.Replacement(bytes: Self.jpeg)
        #expect(try CardPhoto.replaced(in: wide(text), by: new, now: 0) == wide(set(text)))
        #expect(try CardPhoto.replaced(in: wide(text), by: nil, now: 0) == wide(remove(text)))
    }
}
