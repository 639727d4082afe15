import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct PackedContactTests {
    /// Has something in every field.
    private let ada: Contact = {
        var contact = Contact(id: "ada")
        contact.kind = .organisation
        contact.name.given = "Ada"
        contact.name.family = "Lovelace"
        contact.name.additional = "King"
        contact.name.prefix = "Lady"
        contact.name.suffix = "FRS"
        contact.name.formatted = "Ada Lovelace, 伯爵夫人 👩‍🚀"
        contact.name.nicknames = ["Addie", ""]
        contact.organisation = ["Analytical Engines", "Programs"]
        contact.title = "Countess"
        contact.role = ""
        contact.introduction = String(repeating: "Notes on the engine. ", count: 40)
        contact.phones = [ContactPoint("+44 20", types: ["home", "cell"], label: "Summer house")]
        contact.emails = [ContactPoint("ada@example.org"), ContactPoint("", types: ["work"])]
        contact.addresses = [ContactPoint("1 Road\nTown", types: ["home"])]
        contact.websites = [ContactPoint("https://example.org", label: "Page")]
        contact.birthday = "1815-12-10"
        contact.anniversary = "--07-08"
        contact.social = [ContactPoint("https://social.example/@ada", types: ["mastodon"])]
        contact.related = [ContactPoint("William King", types: ["spouse"])]
        contact.messengers = [.telegram: "ada", .threema: ""]
        contact.groups = [ContactGroup("Club"), ContactGroup("Club", id: "club-2", online: -3)]
        contact.isOnline = false
        contact.isVIP = true
        contact.chatLog = ["Hello", "World"]
        contact.revision = "18521127T000000Z"
        contact.members = ["bo", "cy"]
        contact.place = ContactLocation(file: "people/ada.vcf", line: 300, bytes: 128..<70_000)
        return contact
    }()

    private static let photos: [ContactPhoto?] = [
        nil, .remote(url: "https://example.org/ada.png"), .file(path: "ada.png", crop: nil),
        .file(path: "", crop: PhotoCrop(x: -4, y: 0, width: 9_000, height: .max)),
        .inline(.bytes([0xFF, 0xD8, 0xFF]), crop: PhotoCrop(x: 1, y: 2, width: 3, height: .min)),
        .inline(.encoded(text(at: 40)), crop: nil),
        .inline(.encoded(text(at: 40)), crop: PhotoCrop(x: 1, y: 1, width: 1, height: 1)),
    ]

    private static func text(at place: Int, fingerprint: UInt64 = .max) -> EncodedPhoto {
        EncodedPhoto(
            bytes: place..<place + 100_000, encoding: .quotedPrintable, characterWidth: 2, fingerprint: fingerprint)
    }

    @Test(arguments: photos) func `A contact comes out as it went in`(_ photo: ContactPhoto?) {
        var contact = ada
        contact.photo = photo
        let packed = PackedContact(contact)
        #expect(packed.contact == contact && packed.contact.place == contact.place && packed.id == "ada")
        if case .inline(.encoded(let before), _) = photo {
            guard case .inline(.encoded(let after), _) = packed.contact.photo else { return #expect(Bool(false)) }
            #expect(after.bytes == before.bytes && after.characterWidth == before.characterWidth)
        }
    }

    @Test func `A contact that says nothing comes out as it went in`() {
        #expect(PackedContact(Contact(id: "")).contact == Contact(id: ""))
        #expect(PackedContact(Contact(id: "x")).contact.place == nil)
    }

    @Test func `A file whose name is no text is named as before`() {
        var contact = Contact(id: "x")
        let name = [CChar](arrayLiteral: 0x61, CChar(bitPattern: 0xFF), 0)
        contact.place = ContactLocation(file: FilePath(platformString: name), line: 1, bytes: 0..<1)
        #expect(PackedContact(contact).contact.place == contact.place)
    }

    @Test func `What a contact says has a fingerprint, whatever its id and photo are and wherever it lies`() {
        var (same, other) = (ada, ada)
        same.id = "somebody-else"
        same.place = nil
        same.photo = .remote(url: "https://example.org")
        other.chatLog.append("!")
        #expect(PackedContact(same).wordsFingerprint == PackedContact(ada).wordsFingerprint)
        #expect(PackedContact(other).wordsFingerprint != PackedContact(ada).wordsFingerprint)
    }

    @Test func `Another id and further groups cost no copy of the bytes`() {
        let packed = PackedContact(ada)
        var club = Contact(id: "friends")
        club.kind = .group
        club.name.formatted = "Friends"
        club.members = ["ada"]
        var merger = ContactMerger()
        merger.add(group: club)
        _ = merger.add(Contact(id: "ada"))
        let merged = merger.add(packed).renamed("2~ada")
        #expect(Self.address(of: merged) == Self.address(of: packed))
        #expect(Self.address(of: packed) != Self.address(of: PackedContact(ada)))
        var expected = ada
        expected.id = "2~ada"
        expected.groups.append(ContactGroup("Friends"))
        #expect(merged.id == "2~ada" && merged.contact == expected)
        #expect(merged.wordsFingerprint != packed.wordsFingerprint)
        #expect(packed.renamed("x").wordsFingerprint == packed.wordsFingerprint)
    }

    private static func address(of packed: PackedContact) -> UnsafeRawPointer? {
        packed.bytes.withUnsafeBytes(\.baseAddress)
    }

    @Test func `Equal photos have equal fingerprints, and others do not`() {
        func fingerprint(_ photo: ContactPhoto?) -> UInt64 {
            var contact = Contact(id: "x")
            contact.photo = photo
            return PackedContact(contact).photoFingerprint
        }
        #expect(Set(Self.photos.map(fingerprint)).count == Self.photos.count)
        let moved = ContactPhoto.inline(.encoded(Self.text(at: 7)), crop: nil)
        #expect(fingerprint(moved) == fingerprint(.inline(.encoded(Self.text(at: 40)), crop: nil)))
        #expect(fingerprint(.inline(.bytes([1]), crop: nil)) != fingerprint(.inline(.bytes([2]), crop: nil)))
        let changed = Self.text(at: 40, fingerprint: 1)
        #expect(fingerprint(.inline(.encoded(changed), crop: nil)) != fingerprint(moved))
    }

    @Test func `It knows whether the photo is a file`() {
        for photo in Self.photos {
            var contact = ada
            contact.photo = photo
            let isFile = if case .file = photo { true } else { false }
            #expect(PackedContact(contact).namesPhotoFile == isFile)
        }
    }
}
