import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct BookScanTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func card(_ lines: String...) -> [UInt8] { card(lines) }

    private func card(_ lines: [String]) -> [UInt8] {
        Array((["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n").utf8)
    }

    @Test func `People are counted, the broken ones included, and groups are not`() throws {
        for number in 0..<200 { try folder.write(card("UID:\(number)", "FN:Somebody"), to: "\(number).vcf") }
        try folder.write(card("KIND:group", "FN:Friends"), to: "group.vcf")
        try folder.write(card("TEL:") + card("FN:Ada"), to: "two.vcf")
        #expect(try AddressBook(folder.path).scan().total == 202)
    }

    @Test func `Other kinds of books are counted with what is broken in them`() throws {
        let file = try folder.write(Array(#"[{"first_name":"A"},{"first_name":7},{"first_name":"B"}]"#.utf8), to: "b")
        let book = try AddressBook(file)
        let contents = try book.contents()
        #expect(try book.scan().total == contents.contacts.count + contents.failures.count)
    }

    @Test func `A group's card names its members wherever they come`() throws {
        try folder.write(card("UID:ada", "FN:Ada"), to: "a.vcf")
        try folder.write(card("UID:bo", "FN:Bo", "EMAIL:bo@example.org"), to: "z.vcf")
        try folder.write(
            card("KIND:group", "FN:Friends", "MEMBER:urn:uuid:ada", "MEMBER:ada", "MEMBER:mailto:bo@example.org"),
            to: "m.vcf")
        let contents = try AddressBook(folder.path).contents()
        #expect(contents.groups == [ContactGroup("Friends")])
        #expect(contents.contacts.map { $0.groups.map(\.name) } == [["Friends"], ["Friends"]])
    }

    @Test func `Groups without members stay`() throws {
        let json = #"{"tondo":1,"groups":[{"name":"Empty","online":3}],"contacts":[]}"#
        let file = try folder.write(Array(json.utf8), to: "b.json")
        #expect(try AddressBook(file).scan().groups == [ContactGroup("Empty", online: 3)])
    }

    /// Of a file that another program replaces after the count, the counted contents are reported, so that the total is
    /// right. A watched book gets the change as an event.
    @Test func `A small file is read once, for the count and for its contacts`() throws {
        try folder.write(card("FN:Ada", "UID:ada") + card("UID:broken", "TEL:") + card("FN:Bo", "UID:bo"), to: "a.vcf")
        let book = try AddressBook(folder.path)
        let scan = try book.scan()
        try folder.write(card("FN:Cy", "UID:cy"), to: "a.vcf")
        let contents = book.contents(scan)
        #expect(scan.total == 3)
        #expect(contents.contacts.map(\.id) == ["ada", "bo"] && contents.failures.map(\.line) == [6])
    }

    @Test func `Only a bounded number of contacts is kept from the count`() throws {
        for number in 0..<300 { try folder.write(card("UID:\(number)", "FN:Somebody"), to: "\(number).vcf") }
        let book = try AddressBook(folder.path)
        let scanned = book.scanned(book.files, keeping: 10)
        let kept = scanned.filter { if case .cards(_, _, _, let people) = $0 { people.areKept } else { false } }
        // One more for each thread.
        #expect((10...100).contains(kept.count) && scanned.count == 300)
        #expect(book.contents(try book.scan()).contacts.count == 300)
    }

    /// The total of a folder need not wait for what its contacts are.
    @Test func `A small text is parsed after the count, and a longer one at once`() throws {
        for number in 0..<3 { try folder.write(card("UID:\(number)", "FN:A"), to: "\(number).vcf") }
        try folder.write(card("UID:3", "FN:A", "NOTE:" + String(repeating: "a", count: 4_096)), to: "3.vcf")
        let book = try AddressBook(folder.path)
        let scan = try book.scan()
        let texts = scan.files.map { if case .cards(_, _, _, .text) = $0 { true } else { false } }
        #expect(texts == [true, true, true, false])
        for packs in [true, false] {
            var ids: [String] = []
            book.readFiles(of: scan, packs: packs) { _, item in
                if case .success(let found) = item { ids.append(found.contact.id) }
                return ids.count < 4
            }
            #expect(ids == ["0", "1", "2", "3"])
        }
    }

    @Test func `One large file is copied once, for the count and for its contacts`() throws {
        let line = "X-A:" + String(repeating: "a", count: 1 << 20)
        try folder.write(card([String](repeating: line, count: 9) + ["FN:Ada", "UID:ada"]), to: "a.vcf")
        let book = try AddressBook(folder.path.appending("a.vcf"))
        let scan = try book.scan()
        try folder.write(card("FN:Cy", "UID:cy"), to: "a.vcf")
        #expect(book.contents(scan).contacts.map(\.id) == ["ada"])
    }

    @Test func `A large file is counted first and read card by card later`() throws {
        let large = card("FN:Ada", "UID:ada", "NOTE:" + String(repeating: "a", count: 1 << 16))
        try folder.write(large, to: "a.vcf")
        let book = try AddressBook(folder.path)
        let scan = try book.scan()
        try folder.write(card("FN:Cy", "UID:cy"), to: "a.vcf")
        #expect(scan.total == 1 && book.contents(scan).contacts.map(\.id) == ["cy"])
    }
}
