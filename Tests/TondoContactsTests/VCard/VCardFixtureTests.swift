import Testing

@testable import TondoContacts

/// One test a book of `Tests/Fixtures/contacts`: dropping a book and its JSON in adds a test.
@Suite struct VCardFixtureTests {
    @Test(arguments: [
        ("photo-encoding", 25), ("photo-folds", 14), ("photo-crop", 11), ("photo-choice", 8), ("photo-elsewhere", 10),
        ("version", 7), ("charset-declared", 30), ("charset-guessed", 12), ("charset-of-file", 12),
        ("quoted-printable", 15), ("spelling", 8), ("parameters", 8), ("folds", 9), ("escapes", 8), ("nested", 7),
        ("many-cards", 5), ("organisation", 7), ("addresses", 10), ("messengers", 30), ("names", 16), ("ids", 4),
        ("groups", 11), ("broken", 12),
    ])
    func `Every folder of books is found`(_ folder: String, atLeast: Int) {
        #expect(BookFixture.all(in: folder).count >= atLeast)
    }

    @Test(arguments: BookFixture.all(in: "photo-encoding"))
    func `A picture is read however it is encoded`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "photo-folds"))
    func `A picture is read however its lines are folded`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "photo-crop"))
    func `The crop rectangle is read`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "photo-choice"))
    func `The right one of several pictures is taken`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "photo-elsewhere"))
    func `A picture outside the book is named, not read`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "version"))
    func `The version does not matter`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "charset-declared"))
    func `The declared character set is obeyed, unless it lies`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "charset-guessed"))
    func `The character set is guessed`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "charset-of-file"))
    func `The file may be UTF-16, with a mark or without`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "quoted-printable"))
    func `Quoted-printable is decoded wherever it is cut`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "spelling"))
    func `Names of properties may be spelled in many ways`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "parameters"))
    func `Parameters are read with and without names and quotes`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "folds"))
    func `Folded text is put together`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "escapes"))
    func `Escapes are resolved`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "nested"))
    func `Cards inside of cards are passed over`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "many-cards"))
    func `A file may hold many cards`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "organisation"))
    func `Organisation, title and notes are read`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "addresses"))
    func `Phones and e-mail addresses are read`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "messengers"))
    func `Messengers are found`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "names"))
    func `Every contact has a name to show`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "ids"))
    func `Ids are the book's own, and unique`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "groups"))
    func `Groups are known to their members`(_ book: BookFixture) throws { try compare(book) }

    @Test(arguments: BookFixture.all(in: "broken"))
    func `A broken card is reported and the others are read`(_ book: BookFixture) throws { try compare(book) }

    private func compare(_ book: BookFixture) throws {
        let bytes = try book.bytes
        let expectation = try book.expectation
        let reading = try Reading(bytes)
        #expect(
            reading.failures.map { BookFixture.Failure(line: $0.line ?? 0, code: $0.error.code) }
                == expectation.failures ?? [])
        #expect(reading.counted == reading.contacts.count + reading.failures.count)
        try #require(reading.contacts.count == expectation.contacts.count)
        for (index, person) in expectation.contacts.enumerated() {
            let contact = reading.contacts[index]
            compare(contact, person)
            if try book.saysPhoto[index] { try compare(contact.photo, person.photo, in: bytes) }
        }
    }

    private func compare(_ contact: Contact, _ person: BookFixture.Person) {
        check(contact.id, person.id)
        check(contact.kind.rawValue, person.kind)
        check(contact.displayName, person.name)
        check(contact.name.given, person.given)
        check(contact.name.family, person.family)
        check(contact.name.additional, person.additional)
        check(contact.name.prefix, person.prefix)
        check(contact.name.suffix, person.suffix)
        check(contact.name.nicknames, person.nicknames)
        check(contact.organisation, person.organisation)
        check(contact.title, person.title)
        check(contact.role, person.role)
        check(contact.introduction, person.introduction)
        check(contact.phones.map(\.value), person.phones)
        check(contact.phones.map(\.types), person.types)
        check(contact.phones.map(\.label), person.labels)
        check(contact.emails.map(\.value), person.emails)
        check(contact.emails.map(\.label), person.emailLabels)
        check(contact.addresses.map(\.value), person.addresses)
        check(contact.addresses.map(\.types), person.addressTypes)
        check(contact.addresses.map(\.label), person.addressLabels)
        check(contact.websites.map(\.value), person.websites)
        check(contact.websites.map(\.types), person.websiteTypes)
        check(contact.websites.map(\.label), person.websiteLabels)
        check(contact.birthday, person.birthday)
        check(Dictionary(uniqueKeysWithValues: contact.messengers.map { ($0.rawValue, $1) }), person.messengers)
        check(contact.groups.map(\.name), person.groups)
        check(contact.revision, person.revision)
    }

    /// `wanted`: nil when the fixture does not say.
    private func check<Value: Equatable>(_ found: Value?, _ wanted: Value?) {
        if let wanted { #expect(found == wanted) }
    }

    private func compare(_ photo: ContactPhoto?, _ wanted: BookFixture.Photo?, in book: [UInt8]) throws {
        switch photo {
        case nil: #expect(wanted == nil)
        case .file(let path, let crop):
            #expect(path == wanted?.file)
            #expect(crop.map(numbers) == wanted?.crop)
        case .remote(let url): #expect(url == wanted?.remote)
        case .inline(let inline, let crop):
            #expect(crop.map(numbers) == wanted?.crop)
            guard case .encoded(let text) = inline else { return }
            let bytes = try book.withUnsafeBytes {
                try text.decoded(from: UnsafeRawBufferPointer(rebasing: $0[text.bytes]))
            }
            #expect(bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined() == wanted?.inline)
        }
    }

    private func numbers(_ crop: PhotoCrop) -> [Int] { [crop.x, crop.y, crop.width, crop.height] }
}
