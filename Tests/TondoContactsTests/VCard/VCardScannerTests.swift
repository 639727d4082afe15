import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct VCardScannerTests {
    private func spans(_ text: String) throws -> [VCardSpan] {
        try Array(text.utf8).withUnsafeBytes { Array(try VCardText($0).cards) }
    }

    private func refusal(_ bytes: [UInt8]) -> ContactsError? {
        bytes.withUnsafeBytes { bytes in
            do throws(ContactsError) {
                _ = try VCardText(bytes)
                return nil
            } catch { return error }
        }
    }

    @Test func `A card reaches from its first to behind its last line`() throws {
        let card = "BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n"
        let spans = try spans("\r\n" + card + "x\r\n" + card)
        #expect(spans.map(\.bytes) == [2..<32, 35..<65])
        #expect(spans.map(\.line) == [2, 6])
        #expect(spans.allSatisfy { $0.isClosed && !$0.isGroup })
    }

    @Test func `A card without end reaches to the next one`() throws {
        let spans = try spans("BEGIN:VCARD\nFN:A\nBEGIN:VCARD\nEND:VCARD\nBEGIN:VCARD\n")
        #expect(spans.map(\.bytes) == [0..<17, 17..<39, 39..<51])
        #expect(spans.map(\.isClosed) == [false, true, false])
    }

    @Test func `Groups are detected without reading their cards`() throws {
        let text = """
            BEGIN:VCARD
            kind;x=y: Group
            END:VCARD
            BEGIN:VCARD
            X-ADDRESSBOOKSERVER-KIND:group
            END:VCARD
            BEGIN:VCARD
            KIND:individual
            NOTE:KIND:group
            END:VCARD
            """
        #expect(try spans(text).map(\.isGroup) == [true, true, false])
    }

    @Test func `A book is detected by its content`() {
        #expect(refusal([]) == .empty)
        for text in [
            "hello", "{\"a\": \"BEGIN:VCARD\"}", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", "xBEGIN:VCARD\r\n", "\u{FEFF}",
        ] {
            #expect(refusal(Array(text.utf8)) == .notABook, "\(text)")
        }
        for text in ["BEGIN:VCARD", "\r\n\r\n begin:vcard\r\nBEGIN:VCARD\r\n", "# a comment\r\nBEGIN:vcard\r\n"] {
            #expect(refusal(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func `Counting ten thousand cards finds each of them`() throws {
        let text = String(repeating: "BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n", count: 10_000)
        #expect(try spans(text).count == 10_000)
        #expect(try spans(text).last?.line == 29_998)
    }

    @Test func `A card that says nothing counts as none`() throws {
        let frame = "BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:x\r\nUID:a\r\nREV:2024\r\n\r\nEND:VCARD\r\n"
        let text =
            frame + "BEGIN:VCARD\nEND:VCARD\nBEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nTEL:\nEND:VCARD\nBEGIN:VCARD\n"
        let bytes = Array(text.utf8)
        let scan = try bytes.withUnsafeBytes { try VCardText($0).scan() }
        #expect(scan.cards == 3 && scan.people == 3)
        let contents = try BookFormat.vCard.read(bytes, name: "a.vcf")
        #expect(contents.contacts.map(\.displayName) == ["A"])
        #expect(contents.failures.map(\.error) == [.nothingInside, .malformed("no END:VCARD")])
    }
}
