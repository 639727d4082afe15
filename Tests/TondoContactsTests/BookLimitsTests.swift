import SystemPackage
import Testing
import TondoText

@testable import TondoContacts

/// What is larger than allowed is refused by itself, and says where and by how much.
@Suite struct BookLimitsTests {
    private func read(_ text: String, _ change: (inout BookLimits) -> Void) throws -> BookContents {
        var limits = BookLimits()
        change(&limits)
        let file = Array(text.utf8)
        guard case .book(let format) = BookFormat.recognise(file) else {
            Issue.record("no book")
            return BookContents()
        }
        return try format.read(file, name: "book", limits: limits)
    }

    private func card(_ name: String, note: Int = 0) -> String {
        "BEGIN:VCARD\nFN:\(name)\nNOTE:\(String(repeating: "x", count: note))\nEND:VCARD\n"
    }

    private static let books: [(before: String, large: String, after: String)] = [
        (
            "BEGIN:VCARD\nFN:Ada\nEND:VCARD\n", "BEGIN:VCARD\nFN:Bob\nNOTE:LARGE\nEND:VCARD\n",
            "BEGIN:VCARD\nFN:Cleo\nEND:VCARD\n"
        ),
        ("Name,Notes\nAda,\n", "Bob,LARGE\n", "Cleo,\n"),
        ("dn: cn=a\ncn: Ada\n\n", "dn: cn=b\ncn: Bob\ndescription: LARGE\n\n", "dn: cn=c\ncn: Cleo\n"),
        (
            #"{"tondo":1,"contacts":[{"name":{"formatted":"Ada"}},"#,
            #"{"name":{"formatted":"Bob"},"introduction":"LARGE"},"#, #"{"name":{"formatted":"Cleo"}}]}"#
        ),
        (
            "<plist><array><dict><key>friends</key><array><dict><key>name</key><string>Ada</string></dict>",
            "<dict><key>name</key><string>Bob</string><key>intro</key><string>LARGE</string></dict>",
            "<dict><key>name</key><string>Cleo</string></dict></array></dict></array></plist>"
        ),
    ]

    private func book(_ index: Int, filler: Int) -> String {
        let book = Self.books[index]
        let filler = String(repeating: "x", count: filler)
        return book.before + book.large.replacing("LARGE", with: filler) + book.after
    }

    @Test(arguments: 0..<5) func `A card beyond the limit is refused, and the others are read`(kind: Int) throws {
        let contents = try read(book(kind, filler: 900)) { $0.cardBytes = 500 }
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Cleo"])
        guard case .overLimit(.card, let found, 500)? = contents.failures.first?.error else {
            Issue.record("\(contents.failures)")
            return
        }
        #expect(found > 900 && contents.failures.first?.line != nil)
    }

    @Test(arguments: 0..<5) func `A field beyond the limit is refused, and the others are read`(kind: Int) throws {
        let contents = try read(book(kind, filler: 900)) { $0.fieldBytes = 899 }
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Cleo"])
        #expect(contents.failures.map(\.error) == [.overLimit(.field, found: 900, limit: 899)])
    }

    private static let long = String(repeating: "x", count: 2_000)

    @Test(arguments: [
        "NOTE:LONG", "TITLE:LONG", "EMAIL:LONG", "ADR:;;LONG", "ADR;LABEL=LONG:;;1 Street", "BDAY:LONG",
        "URL:https://example.org/LONG", "item1.URL:https://example.org/\nitem1.X-ABLABEL:LONG",
    ])
    func `The limit of a field holds for all of them`(line: String) throws {
        let property = line.replacing("LONG", with: Self.long)
        let large = "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\n\(property)\nEND:VCARD\n"
        let contents = try read(card("Ada") + large + card("Cleo")) { $0.fieldBytes = 1_000 }
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Cleo"])
        guard case .overLimit(.field, let found, 1_000)? = contents.failures.first?.error else {
            Issue.record("\(contents.failures)")
            return
        }
        #expect(found >= 2_000 && contents.failures.count == 1)
    }

    @Test(arguments: 0..<5) func `A card at the limits is read`(kind: Int) throws {
        let contents = try read(book(kind, filler: 900)) { $0.fieldBytes = 900 }
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Bob", "Cleo"])
    }

    @Test(arguments: 0..<5) func `Of a file of too many cards the first ones are read`(kind: Int) throws {
        let contents = try read(book(kind, filler: 1)) { $0.cards = 2 }
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Bob"])
        #expect(contents.failures.map(\.error) == [.overLimit(.cards, found: 3, limit: 2)])
    }

    @Test(arguments: 0..<5) func `A file beyond the limit is refused as a whole`(kind: Int) {
        #expect(throws: ContactsError.self) { try read(book(kind, filler: 900)) { $0.fileBytes = 900 } }
    }

    @Test func `A file of nothing but values ends at their limit`() {
        let nested = "{\"tondo\":1,\"contacts\":[" + String(repeating: "[],", count: 500) + "[]]}"
        #expect(throws: ContactsError.overLimit(.values, found: 101, limit: 100)) {
            try read(nested) { $0.values = 100 }
        }
    }

    @Test func `UTF-16 that has to be converted has a limit of its own`() {
        var table: [UInt8] = [0xFF, 0xFE]
        for byte in "Name,Email\nAda,a@example.org\n".utf8 { table += [byte, 0] }
        var limits = BookLimits()
        limits.wideFileBytes = 40
        #expect(throws: ContactsError.overLimit(.wideFile, found: 60, limit: 40)) {
            try BookFormat.csv.read(table, name: "book", limits: limits)
        }
    }

    @Test func `Of many broken cards the first are named and the others counted`() throws {
        let contents = try read(String(repeating: "BEGIN:VCARD\nFN:A\n", count: 50)) { $0.failures = 3 }
        #expect(contents.failures.map(\.line) == [1, 3, 5, nil])
        #expect(contents.failures.last?.error == .moreFailures(47))
    }

    @Test func `The message says what was found and what is allowed`() {
        let failure = ContactFailure(
            file: "book.vcf", line: 7, error: .overLimit(.card, found: 839_000_000, limit: 67_108_864))
        #expect(failure.description == "book.vcf:7: a contact of 839000000 bytes; the limit is 67108864")
        #expect(failure.error.code == "contact-too-large")
        #expect(ContactsError.overLimit(.file, found: 2, limit: 1).code == "book-too-large")
    }

    /// The scanner gives back what lies behind it, a line of any length included.
    @Test func `What is scanned is given back a piece at a time`() throws {
        let zeros = [UInt8](repeating: 0, count: 5 << 20)
        let file = Array(card("Ada").utf8) + zeros + [0x0A] + card("Bob").utf8
        var given: [Range<Int>] = []
        try file.withUnsafeBytes { bytes in
            let text = try VCardText(bytes) { given.append($0) }
            #expect(Array(text.cards).count == 2)
        }
        #expect(given.count == 5 && given.allSatisfy { $0.count <= 2 << 20 })
        #expect(zip(given, given.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }

    @Test(arguments: 1..<5) func `Other formats give back what they have read`(kind: Int) throws {
        let file = Array(book(kind, filler: 5 << 20).utf8)
        let kept = KeptBytes(file)
        let bytes = FileBytes(kept.bytes, owner: kept) { kept.release($0) }
        guard case .book(let format) = BookFormat.recognise(bytes) else { throw ContactsError.notABook }
        let contents = try format.read(bytes, name: "book")
        #expect(contents.contacts.map(\.displayName) == ["Ada", "Bob", "Cleo"])
        #expect(kept.released >= 4 << 20)
    }
}

/// Memory that counts what is given back.
private final class KeptBytes: @unchecked Sendable {
    // Used by one test on one thread.
    let bytes: UnsafeRawBufferPointer
    private(set) var released = 0

    init(_ file: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 16)
        copy.copyBytes(from: file)
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }

    func release(_ range: Range<Int>) { released += range.count }
}
