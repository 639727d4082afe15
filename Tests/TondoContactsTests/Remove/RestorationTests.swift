import Foundation
import SystemPackage
import Testing

@testable import TondoContacts

/// Bringing a contact back into a file that another program changed since.
@Suite struct RestorationTests {
    /// How a file's text is written.
    struct Spelling: Sendable, CustomTestStringConvertible {
        let encoding: String.Encoding
        let mark: [UInt8]
        let lineEnd: String

        func file(_ text: String) -> [UInt8] {
            mark + [UInt8](text.replacing("\n", with: lineEnd).data(using: encoding) ?? Data())
        }

        func text(_ file: [UInt8]) -> String? {
            guard file.starts(with: mark) else { return nil }
            return String(data: Data(file.dropFirst(mark.count)), encoding: encoding)?.replacing(lineEnd, with: "\n")
        }

        var testDescription: String { "\(encoding), \(mark.count) bytes of mark, \(lineEnd.utf8.map { $0 })" }

        static let all = [
            Spelling(encoding: .utf8, mark: [], lineEnd: "\n"), Spelling(encoding: .utf8, mark: [], lineEnd: "\r\n"),
            Spelling(encoding: .utf8, mark: [], lineEnd: "\r"),
            Spelling(encoding: .utf8, mark: [0xEF, 0xBB, 0xBF], lineEnd: "\r\n"),
            Spelling(encoding: .isoLatin1, mark: [], lineEnd: "\n"),
            Spelling(encoding: .utf16LittleEndian, mark: [0xFF, 0xFE], lineEnd: "\r\n"),
            Spelling(encoding: .utf16BigEndian, mark: [0xFE, 0xFF], lineEnd: "\n"),
            Spelling(encoding: .utf16LittleEndian, mark: [], lineEnd: "\r\n"),
        ]
    }

    private static func card(_ name: String) -> String { "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\nEND:VCARD\n" }

    private func contacts(_ file: [UInt8]) throws -> [Contact] {
        guard case .book(let format) = BookFormat.recognise(file) else { return [] }
        return try format.read(file, name: "book").contacts
    }

    private func names(_ file: [UInt8]) throws -> [String] { try contacts(file).map(\.displayName) }

    private func remove(_ index: Int, from file: [UInt8]) throws -> (record: TrashRecord, remaining: [UInt8]) {
        let contact = try contacts(file)[index]
        let removal = try FileEdit(removing: contact, from: file)
        return (TrashRecord(cut: removal.cut, of: contact, file: "/book", removedAt: 5), removal.remaining)
    }

    @Test(arguments: Spelling.all) func `A card comes back in its file's encoding and with its line ends`(
        spelling: Spelling
    ) throws {
        let cards = ["Ada", "Bjørn", "Zoë", "Dora"].map(Self.card)
        let (record, _) = try remove(1, from: spelling.file(cards[0] + cards[1] + cards[2]))
        // Others wrote the file again, without its neighbours.
        let restored = try record.restored(into: spelling.file(cards[3]))
        #expect(spelling.text(restored) == cards[3] + cards[1])
    }

    @Test(arguments: Spelling.all, Spelling.all) func `A card comes back into a file that is written otherwise now`(
        old: Spelling, new: Spelling
    ) throws {
        let (record, _) = try remove(1, from: old.file(Self.card("Ada") + Self.card("Bjørn")))
        let file = new.file(Self.card("Dora"))
        let restored = try record.restored(into: file)
        #expect(restored.starts(with: file))
        #expect(try names(restored) == ["Dora", "Bjørn"])
    }

    @Test(arguments: Spelling.all) func `The byte-order mark stays with the file when its first card goes`(
        spelling: Spelling
    ) throws {
        let file = spelling.file(Self.card("Ada") + Self.card("Bo"))
        let (record, remaining) = try remove(0, from: file)
        #expect(remaining == spelling.file(Self.card("Bo")))
        #expect(try record.restored(into: remaining) == file)
        #expect(
            try names(record.restored(into: remaining + spelling.file(Self.card("C")).dropFirst(spelling.mark.count)))
                == ["Ada", "Bo", "C"])
        let (last, nothing) = try remove(0, from: remaining)
        #expect(nothing == spelling.mark)
        for left in [nothing, []] { #expect(try last.restored(into: left) == spelling.file(Self.card("Bo"))) }
    }

    @Test(
        arguments: [
            ("vCard", "BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD", "BEGIN:VCARD\nFN:C\nEND:VCARD\n"),
            ("CSV", "First Name,Last Name,Notes\nA,Example,\nB,Example,", "C,Example,\n"),
            ("LDIF", "dn: cn=A\ncn: A\n\ndn: cn=B\ncn: B", "\ndn: cn=C\ncn: C\n"),
        ], ["\n", "\r\n"]) func `The last one without a line end is not glued to what was added behind it`(
            _ example: (String, file: String, added: String), lineEnd: String
        ) throws
    {
        func bytes(_ text: String) -> [UInt8] { Array(text.replacing("\n", with: lineEnd).utf8) }
        let (record, remaining) = try remove(1, from: bytes(example.file))
        let restored = try record.restored(into: remaining + bytes(example.added))
        #expect(try names(restored).map { $0.prefix(1) }.sorted() == ["A", "B", "C"])
        #expect(String(decoding: restored, as: UTF8.self).replacing(lineEnd, with: "").utf8.allSatisfy { $0 > 0x0D })
    }

    @Test(arguments: Spelling.all)
    func `A card that another program brought back is there, and a changed one is refused`(
        spelling: Spelling
    ) throws {
        let (ada, bo) = (Self.card("Ada").replacing("FN", with: "UID:a\nFN"), Self.card("Bo"))
        let (record, _) = try remove(0, from: spelling.file(ada + bo))
        for file in [bo + ada, ada + bo + bo] {
            #expect(try record.isPresent(in: spelling.file(file)))
            #expect(try TrashRecord.restored([record, record], into: spelling.file(file)).present == [0, 1])
        }
        #expect(try !record.isPresent(in: spelling.file(bo + bo)))
        let changed = spelling.file(bo + ada.replacing("Ada", with: "Eva"))
        #expect(throws: ContactsError.self) { try record.isPresent(in: changed) }
        #expect(throws: ContactsError.self) { try TrashRecord.restored([record, record], into: changed) }
    }

    @Test func `A card comes back behind one that has no line end`() throws {
        let (record, _) = try remove(1, from: Array((Self.card("Ada") + Self.card("Bo")).utf8))
        let restored = try record.restored(into: Array(Self.card("Dora").utf8.dropLast()))
        #expect(try names(restored) == ["Dora", "Bo"])
    }

    @Test(arguments: [
        ("BEGIN:VCARD\nFN:A\nEND:VCARD\n", 0, "dn: cn=a\ncn: A\n"), ("dn: cn=a\ncn: A\n", 0, "[]"),
        ("[{\"first_name\":\"A\"}]", 0, "{\"contacts\":"), ("BEGIN:VCARD\nFN:A\nEND:VCARD\n", 0, "something else"),
    ]) func `What could not be read again is refused`(file: String, index: Int, now: String) throws {
        let (record, _) = try remove(index, from: Array(file.utf8))
        #expect(throws: ContactsError.self) { try record.restored(into: Array(now.utf8)) }
    }

    @Test func `An element comes back into JSON of two bytes a character`() throws {
        let utf16 = Spelling(encoding: .utf16LittleEndian, mark: [0xFF, 0xFE], lineEnd: "\n")
        let (record, _) = try remove(0, from: Array(#"[{"first_name":"Bjørn"}]"#.utf8))
        let restored = try record.restored(into: utf16.file(#"[ {"first_name":"A"} ]"#))
        #expect(try names(restored) == ["A", "Bjørn"])
    }

    @Test func `A friend comes back between its neighbours, and nowhere else`() throws {
        func list(_ names: String...) -> [UInt8] {
            let friends = names.map { "\t<dict>\n\t\t<key>name</key>\n\t\t<string>\($0)</string>\n\t</dict>\n" }
                .joined()
            return Array(
                """
                <plist version="1.0"><array><dict><key>name</key><string>Work</string><key>friends</key><array>
                \(friends)</array></dict></array></plist>

                """.utf8)
        }
        let (record, remaining) = try remove(1, from: list("Ada", "Bo", "Cyrus, who has a long name"))
        #expect(remaining == list("Ada", "Cyrus, who has a long name"))
        #expect(
            try record.restored(into: list("Ada", "Cyrus, who has a long name", "Dora"))
                == list("Ada", "Bo", "Cyrus, who has a long name", "Dora"))
        #expect(throws: ContactsError.contactMoved) { try record.restored(into: list("Dora")) }
    }

    @Test func `A removal by which others could not be read any more is refused`() throws {
        // Without the first element, the others are no people.
        let file = Array(#"[{"first_name":"A"},{"title":"B"}]"#.utf8)
        #expect(throws: ContactsError.self) { try FileEdit(removing: contacts(file)[0], from: file) }
    }

    @Test func `A record of an earlier version comes back, too`() throws {
        let file = Array((Self.card("Ada") + Self.card("Bo")).utf8)
        var (record, _) = try remove(1, from: file)
        (record.encoding, record.content) = (nil, nil)
        #expect(try TrashRecord(decoding: record.encoded()) == record)
        #expect(try names(record.restored(into: Array(Self.card("Dora").utf8))) == ["Dora", "Bo"])
        record.name = "Somebody else"
        #expect(throws: ContactsError.self) { try record.restored(into: Array(Self.card("Dora").utf8)) }
    }
}
