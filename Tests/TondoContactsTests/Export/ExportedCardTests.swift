import Foundation
import SystemPackage
import Testing
import TondoText

@testable import TondoContacts

/// Each vCard that comes in goes out with all of its properties.
@Suite struct ExportedCardTests {
    private func contacts(_ file: [UInt8]) throws -> [Contact] {
        guard case .book(let format) = BookFormat.recognise(file) else { return [] }
        return try format.read(file, name: "book").contacts
    }

    private func source(_ contact: Contact, _ file: [UInt8]) throws -> SourceCard {
        try SourceCard(Array(file[try #require(contact.place).bytes]), of: contact)
    }

    /// All properties, also those with a field.
    private func properties(_ card: [UInt8]) throws -> [CardProperty] {
        try SourceCard.text(card).withUnsafeBytes { bytes in
            let text = try VCardText(bytes)
            var cards = text.cards
            let next = cards.next()
            let span = try #require(next)
            let part = UnsafeRawBufferPointer(rebasing: bytes[span.bytes])
            return CardWalk(card: part, span: span).properties
        }
    }

    /// Every vCard of the fixtures.
    private static let cards: [RecordedBook] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/contacts")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects ?? []
        return files.compactMap { $0 as? URL }.sorted { $0.path < $1.path }.map { RecordedBook(file: $0) }.filter {
            guard let bytes = try? $0.bytes, case .book(.vCard) = BookFormat.recognise(bytes) else { return false }
            return true
        }
    }()

    @Test func `There are fixtures`() { #expect(Self.cards.count > 50) }

    @Test(arguments: cards) func `Parsed, exported and parsed, a card has equal properties`(book: RecordedBook) throws {
        let file = try book.bytes
        guard let contacts = try? contacts(file) else { return }
        for contact in contacts {
            let place = try #require(contact.place).bytes
            let card = try #require(try source(contact, file).card)
            #expect(try properties(card) == properties(Array(file[place])))
            let again = try #require(try self.contacts(card).first)
            #expect(again.withoutPhoto.hasSameContent(as: contact.withoutPhoto))
            #expect((again.photo == nil) == (contact.photo == nil))
            #expect(card.withUnsafeBytes { UTF8Text.defect($0) } == nil)
        }
    }

    /// Independent of how lines are understood: every character is there, in its order.
    @Test(arguments: cards) func `Except for white space, a card in UTF-8 goes out as it came`(book: RecordedBook)
        throws
    {
        let file = try book.bytes
        guard TextLayout(file).encoding == .bytes, file.withUnsafeBytes({ UTF8Text.defect($0) }) == nil,
            let contacts = try? contacts(file)
        else { return }
        // A line end that a writer did not encode goes out as an escape.
        func visible(_ text: [UInt8]) -> String {
            String(decoding: SourceCard.text(text).filter { $0 > 0x20 }, as: UTF8.self).replacing("\\n", with: "")
        }
        for contact in contacts {
            let came = Array(file[try #require(contact.place).bytes])
            let card = try #require(try source(contact, file).card)
            // Declared character sets are replaced.
            if String(decoding: came, as: UTF8.self).lowercased().contains("charset") { continue }
            #expect(visible(card) == visible(came))
        }
    }

    /// As programs write them, beside the rules.
    private static let odd = [
        "BEGIN:VCARD\rFN:Ada\rNOTE:a\r b\rEND:VCARD\r",
        "  BEGIN:VCARD\n  FN:Ada\n  NOTE:one\n   two\n  END:VCARD\n",
        "BEGIN:VCARD\nFN:Ada\nNOTE:one\ntwo\n\nthree\nTEL:1\nEND:VCARD\n",
        "BEGIN:VCARDVERSION:3.0\nFN:Ada\nTEL:1\nEND:VCARD\n",
        "BEGIN:VCARD\nFN:Ada\n\nNOTE:one\n\n two\n\nTEL:1\n\nEND:VCARD\n",
        "BEGIN:VCARD\nVERSION:2.1\nFN:Ada\nTEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=48=C3=BC=\n=74=74=65=20=48=C3=BC=74=74=65):1\nEND:VCARD\n",
        "BEGIN:VCARD\nFN:Ada\nLOGO;ENCODING=b:iVBORw0KGgoAAAAA\nX-PHOTO:iVBORw0KGgoB\nBBBB\nEND:VCARD\n",
        "BEGIN:VCARD\nVERSION:2.1\nFN:Ada\nX-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Addie;1;;\nEND:VCARD\n",
        "BEGIN:VCARD\nFN:Ada\nAGENT:\nBEGIN:VCARD\nTEL:1\nEND:VCARD\n",
        "BEGIN:VCARD\nFN;ENCODING=b:QWRhIExvdmVsYWNl\nTITLE;ENCODING=QUOTED:=41=\n=42\nEND:VCARD\n",
        "BEGIN:VCARD\nFN:Ada\nPHOTO;ENCODING=QUOTED-PRINTABLE;TYPE=PNG:=89PNG=0D=0A=1A=0A=\n=00=00 =00\nPHOTO:cid:1\nEND:VCARD\n",
    ]

    @Test(arguments: odd) func `A card beside the rules has equal properties, too`(text: String) throws {
        let file = Array(text.utf8)
        let contact = try #require(try contacts(file).first)
        let source = try source(contact, file)
        let card = try #require(source.card)
        #expect(try properties(card) == properties(file))
        let again = try #require(try contacts(card).first)
        #expect(again.withoutPhoto.hasSameContent(as: contact.withoutPhoto))
        #expect((again.photo == nil) == (contact.photo == nil))
        // From JSON, with its properties.
        let written = VCardWriter.card(contact, photo: [0x89, 0x50, 0x4E, 0x47], properties: source.properties)
        let back = try #require(try contacts(written).first)
        #expect(back.withoutPhoto.hasSameContent(as: contact.withoutPhoto))
    }

    private static let rich = """
        BEGIN:VCARD
        VERSION:3.0
        PRODID:-//Invented//EN
        UID:ada-1
        N;SORT-AS=Lovelace:Lovelace;Ada;;;
        FN:Ada Lovelace
        FN;LANGUAGE=fr:Ada de Lovelace
        ORG:Engines;Notes
        ORG:Second Society
        TITLE:Analyst
        TITLE:Countess
        ANNIVERSARY:18350708
        GENDER:F
        RELATED;TYPE=spouse:urn:uuid:1
        IMPP:xmpp:ada@example.org
        X-SKYPE;TYPE=home:live:ada
        X-SOCIALPROFILE;TYPE=mastodon:https://social.example/@ada
        item1.X-ABDATE:1835-07-08
        item1.X-ABLABEL:Wedding
        item2.TEL:123
        item2.X-ABLABEL:Desk
        item3.ADR:;;1 Street;London;;;
        item3.X-ABADR:gb
        PHOTO;ENCODING=b:iVBORw0KGgoAAAAA
        PHOTO;ENCODING=b:iVBORw0KGgoBBBBB
        X-CUSTOM;X-P="a;b":x\\, y
         and more
        AGENT:
        BEGIN:VCARD
        FN:Charles
        END:VCARD
        NOTE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo
        X-QUOTED;ENCODING=QUOTED-PRINTABLE:a=3Db=
        c
        END:VCARD

        """

    @Test func `What has no field is a property`() throws {
        let file = Array(Self.rich.utf8)
        let contact = try contacts(file)[0]
        let found = try source(contact, file).properties
        #expect(
            found.map(\.name) == [
                "PRODID", "N", "FN", "ORG", "TITLE", "GENDER", "IMPP", "X-SKYPE", "X-SOCIALPROFILE",
                "X-ABDATE", "X-ABLABEL", "ADR", "X-ABADR", "PHOTO", "X-CUSTOM", "AGENT", "BEGIN", "X-QUOTED",
            ])
        #expect(found.filter { ["ORG", "TITLE"].contains($0.name) }.map(\.value) == ["Second Society", "Countess"])
        let photo = try #require(found.first { $0.name == "PHOTO" })
        #expect(photo == CardProperty(name: "PHOTO", parameters: ["ENCODING=b"], value: "iVBORw0KGgoBBBBB"))
        let custom = try #require(found.first { $0.name == "X-CUSTOM" })
        #expect(custom == CardProperty(name: "X-CUSTOM", parameters: [#"X-P="a;b""#], value: #"x\, yand more"#))
        #expect(found.first { $0.name == "X-QUOTED" } == CardProperty(name: "X-QUOTED", value: "a=bc"))
        #expect(found.first { $0.name == "X-ABDATE" }?.group == "item1")
        #expect(found.first { $0.name == "BEGIN" }?.value == "VCARD\nFN:Charles\nEND:VCARD")
    }

    @Test func `From a vCard to JSON, to JSON and to a vCard nothing is lost`() throws {
        let file = Array(Self.rich.utf8)
        let contact = try contacts(file)[0]
        let kept = try source(contact, file).properties
        func json(_ contact: Contact, _ properties: [CardProperty]) -> [UInt8] {
            Array(
                (TondoSchema.head()
                    + String(
                        decoding: TondoSchema.line(
                            contact, photo: [1, 2, 3], properties: properties), as: UTF8.self) + TondoSchema.tail).utf8)
        }
        let first = json(contact, kept)
        let read = try contacts(first)[0]
        let again = try source(read, first).properties
        #expect(again == kept)
        #expect(json(read, again) == first)
        let card = VCardWriter.card(read, photo: nil, properties: again)
        let back = try contacts(card)[0]
        let own = try properties(card)
        for property in kept {
            #expect(own.contains(property), "\(property.name)")
        }
        #expect(back.withoutPhoto.hasSameContent(as: contact.withoutPhoto))
    }

    @Test func `A contact of another format is a card of version 4`() throws {
        var contact = Contact(id: "a,b")
        contact.name.given = "Zoë; the \"first\""
        contact.name.family = "O\\Neil"
        contact.organisation = ["A; B", "C"]
        contact.title = "x\ny"
        contact.phones = [ContactPoint("+1 2", types: ["home", "cell"], label: "Attic, left")]
        contact.addresses = [ContactPoint("1 \"High\" Street\nTown", types: ["work"])]
        contact.websites = [ContactPoint("https://example.org/?a=1;b=2,3")]
        contact.emails = [ContactPoint("a@example.org")]
        contact.birthday = "--04-15"
        contact.messengers = [.telegram: "zoe", .signal: ""]
        contact.groups = [ContactGroup("Friends, old")]
        contact.introduction = String(repeating: "Überlänge ", count: 30).trimmed
        let card = VCardWriter.card(contact, photo: nil)
        let lines = String(decoding: card, as: UTF8.self).split(separator: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.prefix(2) == ["BEGIN:VCARD", "VERSION:4.0"])
        var read = try contacts(card)[0]
        #expect(read.name.formatted == contact.displayName)
        read.name.formatted = ""
        #expect(read.groups == contact.groups)
        #expect(read.hasSameContent(as: contact))
        #expect(read.id == contact.id)
    }

    @Test func `Days, profiles and related people go out and come back`() throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada"
        contact.anniversary = "--07-08"
        contact.social = [
            ContactPoint("https://social.example/@ada", types: ["mastodon"]),
            ContactPoint("ada", types: ["skype", "work"]),
        ]
        contact.related = [
            ContactPoint("King, William", types: ["spouse"]), ContactPoint("urn:uuid:1", types: ["child"]),
            ContactPoint("Charles", label: "Builder of engines"),
        ]
        let read = try contacts(VCardWriter.card(contact, photo: nil))[0]
        #expect(read.anniversary == contact.anniversary)
        #expect(read.social == contact.social && read.related == contact.related)
    }

    @Test func `What only Tondo has goes out and comes back`() throws {
        var ada = Contact(id: "a")
        (ada.name.formatted, ada.isVIP, ada.isOnline, ada.chatLog) = ("Ada", true, false, ["Hi; there", "Bye"])
        let back = try #require(try contacts(VCardWriter.card(ada, photo: nil)).first)
        #expect(back.isVIP && back.isOnline == false && back.chatLog == ada.chatLog)
    }

    @Test func `A profile that a card has in its own way goes out once`() throws {
        let file = Array(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nX-SOCIALPROFILE;TYPE=twitter;X-USER=ada:x-apple:ada\r\nEND:VCARD\r\n"
                .utf8)
        let contact = try contacts(file)[0]
        let card = VCardWriter.card(contact, photo: nil, properties: try source(contact, file).properties)
        #expect(try contacts(card)[0].social == [ContactPoint("ada", types: ["twitter"])])
    }

    @Test func `A value of JSON does not become another property`() throws {
        let file = Array(
            #"{"tondo":1,"contacts":[{"id":"a","name":{"given":"A"},"properties":[{"name":"X-A","value":"1\nTEL:2"},{"name":"X:B","value":"1"},{"name":"X-C","parameters":["a\nTEL:3"],"value":"1"}]}]}"#
                .utf8)
        let contact = try contacts(file)[0]
        let found = try source(contact, file).properties
        #expect(found.map(\.name) == ["X-A"])
        #expect(try contacts(VCardWriter.card(contact, photo: nil, properties: found))[0].phones.isEmpty)
    }

    private static let injections: [[CardProperty]] = [
        [.init(name: "END", value: "VCARD"), .init(name: "BEGIN", value: "VCARD\nFN:Bo\nEND:VCARD")],
        [.init(name: "BEGIN", value: "VCARD\nEND:VCARD\nEND:VCARD\nBEGIN:VCARD\nFN:Bo")],
        [.init(name: "BEGIN", value: "VCARD\rEND:VCARD\rEND:VCARD\rBEGIN:VCARD\rFN:Bo")],
        [.init(name: "BEGIN", value: "VCARD")], [.init(name: "BEGIN", value: "VCARD\nFN:Bo\nEN\n D:VCARD\nFN:Cy")],
        [.init(name: "BEGIN", value: "VCARD\nFN:Bo\n\u{FEFF}END:VCARD\nEND:VCARD\nBEGIN:VCARD\nFN:Bo")],
        [.init(name: "BEGIN", value: "VNOTE\nEND:VCARD\nBEGIN:VCARD\nFN:Bo\nEND:VNOTE")],
        [.init(name: "AGENT", value: "x\nEND:VCARD\nBEGIN:VCARD\nFN:Bo")],
        [.init(name: "AGENT", value: "x\nFN:Bo")], [.init(name: "AGENT", value: "BEGIN:VCARD")],
        [.init(name: "AGENT", value: "\nBEGIN:VCARD\nFN:Bo\nend:vcard\nTEL:1")],
        [.init(group: "a", name: "BEGIN", value: "VCARD\nFN:Bo\nEND:VCARD")],
        [
            .init(name: "BEGIN", value: "VCARD\nFN:Bo\nEND:VCARD"),
            .init(name: "BEGIN", value: "VCARD\nFN:Cy\nEND:VCARD"),
        ],
        [.init(name: "VERSION", value: "2.1")],
    ]

    @Test(arguments: injections) func `No property of JSON ends its card, or begins another one`(
        properties: [CardProperty]
    ) throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada"
        let line = TondoSchema.line(
            contact, photo: nil, properties: properties + [CardProperty(name: "X-OK", value: "1")])
        let file = Array((TondoSchema.head() + String(decoding: line, as: UTF8.self) + TondoSchema.tail).utf8)
        let read = try contacts(file)[0]
        let card = VCardWriter.card(read, photo: nil, properties: try source(read, file).properties)
        let back = try BookFormat.vCard.read(card + card, name: "book.vcf")
        #expect(back.contacts.map(\.name.formatted) == ["Ada", "Ada"] && back.failures.isEmpty)
        #expect(back.contacts.allSatisfy { $0.phones.isEmpty })
        let text = String(decoding: card, as: UTF8.self)
        #expect(text.contains("X-OK:1\r\n") && text.contains("VERSION:4.0\r\n") && !text.contains("2.1"))
    }

    @Test(arguments: [
        CardProperty(name: "AGENT", value: "BEGIN:VCARD\nFN:Bo\nNOTE:a\n b\nEND:VCARD"),
        CardProperty(name: "AGENT", value: "mailto:bo@example.org"),
        CardProperty(name: "AGENT", value: #"BEGIN:VCARD\nFN:Bo\nEND:VCARD\n"#),
        CardProperty(name: "BEGIN", value: "VNOTE\nBODY:a\nEND:VNOTE"),
    ]) func `A whole object of JSON goes out as it came`(property: CardProperty) throws {
        #expect(InnerObject.allowed([property]) == [property])
    }

    /// Read and compared with each other, they would take hours.
    @Test func `As many numbers as properties are read once each`() throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada"
        contact.phones = (0..<3_000).map { ContactPoint("+1 555 \($0)") }
        let properties = (0..<3_000).reversed().map {
            CardProperty(name: "TEL", parameters: ["X-A=1", "TYPE=home"], value: "+1 555 \($0)\\,")
        }
        let card = VCardWriter.card(contact, photo: nil, properties: properties)
        #expect(String(decoding: card, as: UTF8.self).split(separator: "\r\n").count { $0.hasPrefix("TEL") } == 6_000)
        let equal = properties.map {
            CardProperty(
                name: "TEL", parameters: $0.parameters, value: "+1 555 " + $0.value.filter(\.isNumber).dropFirst(4))
        }
        let replaced = String(decoding: VCardWriter.card(contact, photo: nil, properties: equal), as: UTF8.self)
        #expect(replaced.split(separator: "\r\n").count { $0.hasPrefix("TEL;X-A=1") } == 3_000)
        #expect(replaced.split(separator: "\r\n").count { $0.hasPrefix("TEL") } == 3_000)
    }

    @Test func `Two lines with one number keep their own properties`() throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada"
        contact.phones = [ContactPoint("1", label: "Boat"), ContactPoint("1", types: ["work"])]
        let properties = ["X-A=1", "X-A=2"].map { CardProperty(name: "TEL", parameters: [$0], value: "1") }
        let card = String(decoding: VCardWriter.card(contact, photo: nil, properties: properties), as: UTF8.self)
        #expect(card.contains("TEL;X-A=1:1\r\nTEL;X-A=2:1\r\n") && !card.contains("X-ABLABEL"))
    }

    /// The beginning of a HEIC or AVIF file, with another box behind it.
    private static func file(_ brands: [String]) -> [UInt8] {
        var file: [UInt8] = [0, 0, 0, UInt8(8 + 4 * brands.count)]
        file += "ftyp".utf8
        for brand in brands { file += brand.utf8 }
        file += [0, 0, 0, 8]
        file += "avif".utf8
        return file
    }

    private static let typed: [(photo: [UInt8], type: String)] = [
        (file(["avif", "\0\0\0\0", "mif1", "avif"]), "image/avif"),
        (file(["mif1", "\0\0\0\0", "mif1", "avif", "miaf"]), "image/avif"),
        (file(["avis", "\0\0\0\0"]), "image/avif"),
        (file(["heic", "\0\0\0\0", "mif1", "heic"]), "image/heic"),
        (file(["mif1", "avif", "heic"]), "image/heic"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
        (Array("BM\0\0".utf8), "image/bmp"), (Array("II*\0".utf8), "image/tiff"),
        (Array("MM\0*".utf8), "image/tiff"), ([0, 0, 0, 1], "image/heic"),
    ]

    @Test(arguments: typed)
    func `An exported photo has the type of its bytes`(photo: [UInt8], type: String) throws {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada"
        contact.photo = .inline(.bytes(photo), crop: nil)
        let card = String(decoding: VCardWriter.card(contact, photo: photo), as: UTF8.self)
        #expect(card.replacing("\r\n ", with: "").contains("PHOTO:data:\(type);base64,"))
    }

    @Test func `Readings go out, those of a card as they came`() throws {
        var contact = Contact(id: "a")
        contact.name.family = "山田"
        contact.name.sortFamily = "やまだ"
        contact.name.sortGiven = "たろう"
        let card = String(decoding: VCardWriter.card(contact, photo: nil), as: UTF8.self)
        #expect(card.contains("N;SORT-AS=\"やまだ,たろう\":山田;;;;\r\n"))
        let own = CardProperty(name: "X-PHONETIC-LAST-NAME", value: "やまだ")
        let other = String(decoding: VCardWriter.card(contact, photo: nil, properties: [own]), as: UTF8.self)
        #expect(!other.contains("SORT-AS") && other.contains("X-PHONETIC-LAST-NAME:やまだ\r\n"))
    }

    @Test func `A card that another program changed is not exported as the one that was read`() throws {
        let file = Array(Self.rich.utf8)
        let contact = try contacts(file)[0]
        let changed = Array(Self.rich.replacing("TEL:123", with: "TEL:124").utf8)
        #expect(throws: ContactsError.contactMoved) { try SourceCard(changed, of: contact) }
    }
}

extension Contact {
    fileprivate var withoutPhoto: Contact {
        var contact = self
        contact.photo = nil
        return contact
    }
}
