import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct GapFileTests {
    @Test func `The hash of parts is that of the whole`() {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 * $0) }
        let whole = JoinedHash(bytes[...])
        for cut in [0, 1, 77, 499, 500] {
            let (start, end) = (JoinedHash(bytes[..<cut]), JoinedHash(bytes[cut...]))
            #expect(start.joined(end) == whole)
            #expect(whole.dropping(start: start) == end)
            #expect(whole.dropping(end: end) == start)
        }
        #expect(JoinedHash([0]) != JoinedHash([0, 0]))
    }

    @Test func `Bytes go and come at the gap, wherever it was`() {
        var file = GapFile(Array("abcdefgh".utf8))
        for place in [6, 2, 5] {
            file.moveGap(to: place)
            #expect(file.takeOut(before: 1, behind: 0).count == 1)
        }
        #expect(file.whole == Array("acdeh".utf8))
        for place in [5, 0, 3] {
            file.moveGap(to: place)
            file.putIn(Array("xyz".utf8))
        }
        #expect(file.whole == Array("xyzxyzacdehxyz".utf8))
        #expect(file.hash == JoinedHash(file.whole[...]).text)
    }

    /// Each byte is moved and hashed a few times, however many contacts go.
    @Test(arguments: [100, 400]) func `Cuts and returns cost one pass over the file`(count: Int) throws {
        let card = Array("BEGIN:VCARD\nVERSION:3.0\nFN:A name\nEND:VCARD\n".utf8)
        let file = Array(repeatElement(card, count: count).joined())
        var shrinking = ShrinkingFile(bytes: file, format: .vCard)
        var cuts: [Cut] = []
        for index in (0..<count).reversed() where index % 2 == 0 {
            cuts.append(try shrinking.cut(index * card.count..<(index + 1) * card.count))
        }
        #expect(shrinking.remaining.count == file.count / 2)
        #expect(shrinking.work <= 4 * file.count)
        let records = cuts.reversed().map { TrashRecord(cut: $0, of: Contact(id: "a"), file: "/book", removedAt: 5) }
        var growing = GrowingFile(bytes: shrinking.remaining, records: records)
        try growing.restoreAll()
        #expect(growing.bytes == file)
        #expect(growing.work <= 4 * file.count)
    }

    /// Shorter ones and a longer one.
    @Test(arguments: [100, 400])
    func `Other cards in the place of many cost one pass over the file`(count: Int) throws {
        let card = Array("BEGIN:VCARD\nVERSION:3.0\nFN:A name\nEND:VCARD\n".utf8)
        let file = Array(repeatElement(card, count: count).joined())
        var shrinking = ShrinkingFile(bytes: file, format: .vCard)
        for index in (0..<count).reversed() {
            let name = Array("FN:\(index == 7 ? "A longer name" : "B")\n".utf8)
            _ = try shrinking.cut(index * card.count..<(index + 1) * card.count) { card throws(ContactsError) in
                Array(card[..<24] + name + card[34...])
            }
        }
        #expect(shrinking.remaining.count == file.count - 5 * (count - 1) + 7)
        #expect(shrinking.work <= 5 * file.count)
    }

    @Test func `Cuts from the end are those of one after the other`() throws {
        let head = "[\n"
        let tail = "]\n"
        let elements = (0..<6).map { #"  {"first_name": "N\#($0)"}"# }
        let file = Array((head + elements.joined(separator: ",\n") + "\n" + tail).utf8)
        guard case .book(let format) = BookFormat.recognise(file) else { return }
        let contacts = try format.read(file, name: "book").contacts
        for gone in [[5, 4], [0, 1, 2, 3, 4, 5], [1, 3, 5], [0, 5]] {
            var (one, cuts) = (file, [Cut]())
            for index in gone.sorted(by: >) {
                let contact = try #require(
                    try format.read(one, name: "book").contacts.first {
                        $0.displayName == contacts[index].displayName
                    })
                let removal = try FileEdit(removing: contact, from: one)
                (one, cuts) = (removal.remaining, cuts + [removal.cut])
            }
            var all: [Cut] = []
            let rest = try FileEdit.applied(to: file, contacts: gone.map { contacts[$0] }) { all.append($1) }
            #expect(rest == one)
            #expect(all == cuts)
        }
    }
}
