import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// A contact keeps the parts of an address that its book has apart, and shows one text.
@Suite struct PostalAddressTests {
    private let kiel: PostalAddress = [.street: "Kai 5", .city: "Kiel", .code: "24103", .country: "DE"]

    private static let pieces = [
        "Kai 5", "Ж", ",", ";", "\\Ost", "\n", " ", "\"", ":", "^n", "a=b", "7", "&", "'",
        String(repeating: "Straße ", count: 40),
        "佐藤", "e\u{301}", "$",
    ]

    /// Parts with all that separates others.
    private static func text(_ numbers: inout SplitMix64) -> String {
        let number = Int.random(in: 1...3, using: &numbers)
        return (0..<number).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined(separator: "x")
    }

    private func read(_ file: [UInt8]) throws -> Contact {
        guard case .book(let format) = BookFormat.recognise(file) else { throw ContactsError.notABook }
        return try #require(try format.read(file, name: "book").contacts.first)
    }

    private func components(_ contact: Contact) -> [[String]?] {
        contact.addresses.map { PostalAddress($0)?.components }
    }

    private func json(_ contact: Contact) -> [UInt8] {
        Array(TondoSchema.head().utf8) + TondoSchema.line(contact, photo: nil) + Array(TondoSchema.tail.utf8)
    }

    @Test func `Parsed, exported and parsed, an address has the same parts and the same text`() throws {
        var numbers = SplitMix64(61)
        var found = 0
        for _ in 0..<400 {
            var contact = Contact(id: "ada")
            contact.name.formatted = "Ada"
            let addresses = (0..<2).map { _ in randomAddress(&numbers, Self.text) }
            contact.addresses = addresses.map { ContactPoint($0, types: ["home"]) }.filter { !$0.value.isEmpty }
            if Set(contact.addresses).count < contact.addresses.count { continue }
            let wanted = components(contact)
            found += wanted.count { $0 != nil }
            for (point, address) in zip(contact.addresses, addresses.filter { !$0.text.isEmpty }) {
                #expect(PostalAddress(point).map { $0.components == address.components } ?? true)
            }
            #expect(PackedContact(contact).contact == contact)
            let card = try read(VCardWriter.card(contact, photo: nil))
            #expect(components(card) == wanted && card.addresses == contact.addresses)
            let stored = try read(json(contact))
            #expect(stored == contact)
            let again = try read(VCardWriter.card(try read(json(card)), photo: nil))
            #expect(components(again) == wanted && again.addresses == contact.addresses)
            let shared = try read(SharedCard(contact).file())
            for (parts, own) in zip(wanted, components(shared)) where parts != nil { #expect(own == parts) }
        }
        #expect(found > 400)
    }

    @Test func `The text is that of the parts, which take seven bytes beside it`() {
        let point = ContactPoint(kiel)
        #expect(point.value == "Kai 5\n24103 Kiel\nDE" && point.parts.count == 7)
        #expect(PostalAddress(point)?.components == ["", "", "Kai 5", "Kiel", "", "24103", "DE"])
    }

    @Test func `A text that was changed has no parts, unless it still has their lines`() {
        var point = ContactPoint(kiel)
        for text in ["", "Kai 6", "Kai 5\n24103 Kiel", "Kai 5\n24103 Kiel\nDE ", "Kai 5 24103 Kiel\nDE"] {
            point.value = text
            #expect(PostalAddress(point) == nil, "\(text)")
        }
        point.value = "Kai 5\n24103 Kiel\nAT"
        #expect(PostalAddress(point)?.components.last == "AT")
    }

    @Test(
        arguments: [
            ([.street: "Kai 5"], nil), ([.box: "7"], nil),
            ([.box: "7", .street: "Kai 5"], ["7", "", "Kai 5", "", "", "", ""]),
            ([.city: "Kiel"], ["", "", "", "Kiel", "", "", ""]), ([.region: "SH"], ["", "", "", "", "SH", "", ""]),
            ([.formatted: "Kai 5\nKiel"], nil), ([.formatted: "Kai 5\nKiel", .city: "Kiel"], nil),
            ([.formatted: "Ada\nKai 5", .street: "Kai 5"], nil),
            ([.formatted: "Ada\nKai 5", .street: "Kai 5", .city: "Kiel"], ["", "", "Kai 5", "Kiel", "", "", ""]),
            ([:], nil),
        ] as [(PostalAddress, [String]?)])
    func `Parts that say less than the text are none`(address: PostalAddress, parts: [String]?) {
        #expect(PostalAddress(ContactPoint(address))?.components == parts)
    }

    @Test func `What people see has no parts, and addresses that look alike are one`() throws {
        let card = try Contact(
            lines: "FN:A", "ADR:;;Kai 5;Kiel;;;", #"ADR:;;Kai 5\nKiel;;;;"#, #"ADR;LABEL="Kai":;;Kai 5;Kiel;;;"#)
        #expect(card.addresses.map(\.value) == ["Kai 5\nKiel", "Kai"])
        #expect(components(card) == Array(repeating: ["", "", "Kai 5", "Kiel", "", "", ""], count: 2))
        for line in [
            TondoSchema.line(card, photo: nil, withParts: false), TondoSchema.listed(card), TondoSchema.summary(card),
        ] {
            #expect(!String(decoding: line, as: UTF8.self).contains("parts"))
        }
        var other = card
        other.addresses[0].parts = []
        #expect(other != card && other.addresses == card.addresses)
    }

    @Test func `JSON may have the parts alone, or other lines beside them`() throws {
        func address(_ members: String) throws -> ContactPoint {
            let text = #"{"tondo":1,"contacts":[{"id":"a","addresses":[{\#(members)}]}]}"#
            return try #require(try read(Array(text.utf8)).addresses.first)
        }
        let parts = #""parts":{"street":"Kai 5","code":24103,"city":"Kiel"}"#
        let own = ["", "", "Kai 5", "Kiel", "", "24103", ""]
        for (members, value) in [
            (parts, "Kai 5\n24103 Kiel"), (#""value":"Hafen",\#(parts)"#, "Hafen"), (#""value":"-",\#(parts)"#, "-"),
        ] {
            let point = try address(members)
            #expect(point.value == value && PostalAddress(point)?.components == own)
        }
        #expect(try address(#""value":"Kai 5","parts":null"#).parts == [])
        let broken = Array(#"{"tondo":1,"contacts":[{"id":"a","addresses":[{"parts":{"code":{}}}]}]}"#.utf8)
        #expect(try BookFormat.json(.tondo).read(broken, name: "a").failures.count == 1)
    }

    @Test func `Parts of a directory are those of the first printed address`() throws {
        let head = "dn: cn=Ada\nobjectClass: person\ncn: Ada\n"
        let parts = "street: Kai 5\nl: Kiel\n"
        let ada = try read(Array((head + parts + "postalAddress: Werft$Kai 5\npostalAddress: Weg 2$Linz\n").utf8))
        #expect(ada.addresses.map(\.value) == ["Werft\nKai 5", "Weg 2\nLinz"])
        #expect(components(ada) == [["", "", "Kai 5", "Kiel", "", "", ""], nil])
        let home = try read(Array((head + parts + "homePostalAddress: Weg 2$Linz\n").utf8))
        #expect(
            home.addresses == [
                ContactPoint("Weg 2\nLinz", types: ["home"]), ContactPoint("Kai 5\nKiel", types: ["work"]),
            ])
    }

    @Test func `Lines that go out are those that the parts do not say`() {
        var contact = Contact(id: "a")
        contact.addresses = [ContactPoint(kiel), ContactPoint(kiel.printed("Hafen")), ContactPoint("Hafen\nKiel")]
        let card = String(decoding: VCardWriter.card(contact, photo: nil), as: UTF8.self)
        #expect(card.contains("ADR:;;Kai 5;Kiel;;24103;DE\r\nADR;LABEL=Hafen:;;Kai 5;Kiel;;24103;DE\r\n"))
        #expect(card.contains("ADR;LABEL=Hafen^nKiel:;;Hafen\\, Kiel;;;;\r\n"))
    }
}
