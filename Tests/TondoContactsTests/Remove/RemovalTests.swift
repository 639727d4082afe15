import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct RemovalTests {
    /// Removes each contact of each book in turn: the others stay what they are, and bringing it back makes the file what
    /// it was, byte for byte.
    @Test(arguments: RecordedBook.all) func `Taking a contact out leaves the others, and it can come back`(
        fixture: RecordedBook
    ) throws {
        let file = try fixture.bytes
        guard case .book(let format) = BookFormat.recognise(file),
            let contents = try? format.read(file, name: fixture.name)
        else { return }
        for (index, contact) in contents.contacts.enumerated() {
            let removal: FileEdit
            do { removal = try FileEdit(removing: contact, from: file) } catch {
                // In a damaged book others can appear, or vanish, with the one that goes.
                guard case .refused = error, fixture.testDescription.contains("-one-is-broken/") else { throw error }
                continue
            }
            #expect(removal.cut.removed[removal.cut.contact] == file[try #require(contact.place).bytes])
            expectOthers(of: contents, without: index, in: removal, fixture)
            let record = TrashRecord(cut: removal.cut, of: contact, file: "/book", removedAt: 5)
            #expect(try record.restored(into: removal.remaining) == file)
            #expect(try TrashRecord(decoding: record.encoded()) == record)
        }
    }

    private func expectOthers(
        of contents: BookContents, without index: Int, in removal: FileEdit, _ fixture: RecordedBook
    ) {
        var others = contents.contacts
        others.remove(at: index)
        let left = try? removal.cut.format.read(removal.remaining, name: fixture.name).contacts
        if removal.cut.format == .ldif || others.isEmpty {
            // Members of a removed group no longer refer to it, and an LDIF file without contacts is empty.
            #expect((left ?? []).map(\.name) == others.map(\.name))
        } else {
            #expect(left.map { $0.map(\.withoutGroups) } == others.map(\.withoutGroups))
        }
    }

    @Test(arguments: [
        (#"[{"first_name":"A"}]"#, 0, "[]"),
        (#"[{"first_name":"A"}, {"first_name":"B"}]"#, 0, #"[{"first_name":"B"}]"#),
        (#"[{"first_name":"A"} , {"first_name":"B"} ]"#, 1, #"[{"first_name":"A"}  ]"#),
        (
            "[\n  {\"first_name\":\"A\"},\n  {\"first_name\":\"B\"},\n  {\"first_name\":\"C\"}\n]", 1,
            "[\n  {\"first_name\":\"A\"},\n  {\"first_name\":\"C\"}\n]"
        ),
        ("First Name,Last Name\r\nA,\"x\r\ny\"\r\nB,z\r\n", 0, "First Name,Last Name\r\nB,z\r\n"),
        ("dn: cn=a\ncn: A\n\ndn: cn=b\ncn: B\n\n\ndn: cn=c\ncn: C\n", 1, "dn: cn=a\ncn: A\n\ndn: cn=c\ncn: C\n"),
        ("dn: cn=a\ncn: A\n\ndn: cn=b\ncn: B\n", 1, "dn: cn=a\ncn: A\n"),
        ("BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n", 0, "BEGIN:VCARD\nFN:B\nEND:VCARD\n"),
    ]) func `Only the contact and its separator go`(file: String, index: Int, left: String) throws {
        let bytes = Array(file.utf8)
        let removal = try FileEdit(removing: contacts(bytes)[index], from: bytes)
        #expect(String(decoding: removal.remaining, as: UTF8.self) == left)
        let record = TrashRecord(cut: removal.cut, of: try contacts(bytes)[index], file: "/book", removedAt: 5)
        #expect(try record.restored(into: removal.remaining) == bytes)
    }

    @Test func `A file that changed at that place is left alone`() throws {
        let file = Array("[{\"first_name\":\"A\"},{\"first_name\":\"B\"}]".utf8)
        let contact = try contacts(file)[1]
        for changed in ["[{\"first_name\":\"A\"},{\"first_name\":\"C\"}]", "[]"] {
            #expect(throws: ContactsError.contactMoved) { try FileEdit(removing: contact, from: Array(changed.utf8)) }
        }
        var nowhere = contact
        nowhere.place = nil
        #expect(throws: ContactsError.contactMoved) { try FileEdit(removing: nowhere, from: file) }
    }

    @Test func `A contact is found where it is by now`() throws {
        let file = Array("[{\"first_name\":\"A\"},{\"first_name\":\"B\"}]".utf8)
        let removal = try FileEdit(removing: try contacts(file)[1], from: Array("[{\"first_name\":\"B\"}]".utf8))
        #expect(removal.remaining == Array("[]".utf8))
    }

    @Test func `Equal contacts with other ids do not stand for each other`() throws {
        let one = "BEGIN:VCARD\nUID:1\nFN:A\nEND:VCARD\n"
        let other = "BEGIN:VCARD\nUID:2\nFN:A\nEND:VCARD\n"
        let known = try contacts(Array((one + other).utf8))
        for changed in [other, other + one] {
            #expect(throws: ContactsError.contactMoved) {
                try FileEdit.applied(to: Array(changed.utf8), contacts: [known[0]], known: known) { _, _ in }
            }
        }
    }

    /// Which of them has the id is decided by the order of the whole book.
    @Test func `A contact whose id another card claims by now is not found in its file alone`() throws {
        let card = { (id: String, name: String) in "BEGIN:VCARD\nUID:\(id)\nFN:\(name)\nEND:VCARD\n" }
        let known = try contacts(Array((card("u", "A") + card("v", "C")).utf8))
        for changed in [card("u", "A") + card("u", "B"), card("u", "B") + card("u", "A")] {
            #expect(throws: ContactsError.contactMoved) {
                try FileEdit.applied(to: Array(changed.utf8), contacts: [known[0]], known: known) { _, _ in }
            }
        }
        let twice = Array((card("u", "A") + card("u", "B")).utf8)
        let rest = try FileEdit.applied(
            to: twice, contacts: [try contacts(twice)[0]], known: try contacts(twice)
        ) { _, _ in }
        #expect(String(decoding: rest, as: UTF8.self) == card("u", "B"))
    }

    @Test(arguments: [
        "BEGIN:VCARD\nFN:%\nEND:VCARD\n", "%,Example,a note of some length so that places differ\n",
        "dn: cn=%\ncn: %\n\n", "{\"first_name\":\"%\",\"introduction\":\"words\"},\n",
    ]) func `Contacts come back in any order, though the file changed in between`(piece: String) throws {
        let (head, tail) =
            piece.hasPrefix("{") ? ("[", "]") : piece.hasPrefix("%") ? ("First Name,Last Name,Notes\n", "") : ("", "")
        let file = Array((head + "ABCDEF".map { piece.replacing("%", with: String($0)) }.joined() + tail).utf8)
        var rest = file
        var records: [TrashRecord] = []
        for name in ["C", "D", "F", "A"] {
            let contact = try #require(try contacts(rest).first { $0.displayName.hasPrefix(name) })
            let removal = try FileEdit(removing: contact, from: rest)
            records.append(TrashRecord(cut: removal.cut, of: contact, file: "/book", removedAt: 5))
            rest = removal.remaining
        }
        for record in records { rest = try record.restored(into: rest) }
        #expect(
            try contacts(rest).map { $0.displayName.prefix(1) }.map(String.init).sorted() == "ABCDEF".map { String($0) }
        )
    }

    @Test func `Between its old neighbours a contact returns to its old place`() throws {
        let cards = "ABCD".map { "BEGIN:VCARD\nVERSION:3.0\nFN:Somebody called \($0)\nEND:VCARD\n" }
        let file = Array(cards.joined().utf8)
        let removal = try FileEdit(removing: contacts(file)[1], from: file)
        let record = TrashRecord(cut: removal.cut, of: try contacts(file)[1], file: "/book", removedAt: 5)
        let longer = removal.remaining + Array(cards[0].utf8)
        #expect(try record.restored(into: longer) == file + Array(cards[0].utf8))
    }

    @Test(arguments: ["", "{}", "{\"tondoTrash\":1}", "[]"]) func `What is no trash record is refused`(text: String) {
        #expect(throws: ContactsError.malformed("not a trash record")) { try TrashRecord(decoding: Array(text.utf8)) }
    }

    @Test func `A trash record of a newer version is refused`() {
        #expect(throws: ContactsError.newerVersion(9)) { try TrashRecord(decoding: Array("{\"tondoTrash\":9}".utf8)) }
    }

    private func contacts(_ file: [UInt8]) throws -> [Contact] {
        guard case .book(let format) = BookFormat.recognise(file) else { return [] }
        return try format.read(file, name: "book").contacts
    }
}

extension Contact {
    fileprivate var withoutGroups: Contact {
        var contact = self
        contact.groups = []
        return contact
    }
}
