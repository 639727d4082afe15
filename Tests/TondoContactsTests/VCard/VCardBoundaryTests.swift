import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoContacts

/// Where cards begin and end in files that were joined, edited and damaged.
@Suite struct VCardBoundaryTests {
    private func card(_ name: String, end: String = "\r\n") -> String {
        ["BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "N:\(name);;;;", "FN:\(name)", "TEL:\(name)", "END:VCARD", ""]
            .joined(separator: end)
    }

    private func names(_ reading: Reading) -> [String] { reading.contacts.map(\.name.formatted) }

    @Test(arguments: [
        " ", "\t", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{1A}", "\u{0}", "\u{2060}", "\u{AD}", "\u{3000}", "\u{85}",
        "\u{FFFD}",
        "ï»¿", "  \u{200E}\t",
    ])
    func `Invisible characters around the first and last line mean nothing`(_ hidden: String) throws {
        let first = card("Ada").replacing("BEGIN:VCARD", with: hidden + "BEGIN:VCARD" + hidden)
            .replacing("END:VCARD", with: hidden + "END:VCARD" + hidden)
        for text in [first + card("Bo"), card("Bo") + first, first + first] {
            let reading = try Reading(text)
            #expect(reading.contacts.count == 2 && reading.failures.isEmpty && reading.counted == 2)
            #expect(reading.contacts.allSatisfy { $0.phones.map(\.value) == [$0.name.formatted] })
        }
    }

    @Test(arguments: ["\r\n", ""], [false, true])
    func `Text in another encoding behind a card is reported`(end: String, isBigEndian: Bool) throws {
        func wide(_ text: String, _ isBigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap { unit in
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                return isBigEndian ? [high, low] : [low, high]
            }
        }
        let ada = wide("\u{FEFF}" + card("Ada").dropLast() + end, isBigEndian)
        for bo in [
            Array(card("Bo").utf8), Array(("\u{FEFF}" + card("Bo")).utf8), wide("\u{FEFF}" + card("Bo"), !isBigEndian),
        ] {
            let reading = try Reading(ada + bo)
            #expect(names(reading) == ["Ada"] && reading.failures.map(\.line) == [end.isEmpty ? 7 : 8])
        }
    }

    @Test(arguments: [
        "Name,Email\nBo,d@e.f\n", "dn: cn=Bo,dc=x\ncn: Bo\nmail: d@e.f\n",
    ]) func `A book of another format around the cards is reported`(other: String) throws {
        for text in [other + card("Ada"), card("Ada") + other, card("Ada") + other + card("Cy")] {
            let reading = try Reading(text)
            #expect(names(reading) == ["Ada", "Cy"].filter { text.contains("FN:\($0)") })
            #expect(reading.failures.map(\.line) == [text.hasPrefix("BEGIN") ? 8 : 1])
        }
        #expect(try Reading("Dear all,\nhere is my card, as you asked.\n" + card("Ada")).failures.isEmpty)
    }

    @Test(arguments: ["", " ", "\u{FEFF}", "\u{1A}", " \u{FEFF}\u{1A}\t", "\u{FEFF}\u{FEFF}", "\u{A0}\u{200B}"])
    func `Cards joined on one line come back where they were, in any order`(_ between: String) throws {
        let parts = ["Ada", "Bo", "Cy"].map { String(card($0).dropLast()) }
        let text = parts.joined(separator: between) + "\r\n"
        for bytes in [Array(text.utf8), text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }] {
            for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
                var (left, records) = (bytes, [TrashRecord]())
                for index in order {
                    let contacts = try BookFormat.vCard.read(left, name: "book.vcf").contacts
                    let contact = try #require(contacts.first { $0.name.formatted == ["Ada", "Bo", "Cy"][index] })
                    let removal = try FileEdit(removing: contact, from: left)
                    // Only the bytes of the contact are gone.
                    let place = try #require(contact.place?.bytes)
                    #expect(removal.remaining == Array(left[..<place.lowerBound] + left[place.upperBound...]))
                    records.append(TrashRecord(cut: removal.cut, of: contact, file: "/book.vcf", removedAt: 0))
                    left = removal.remaining
                    if records.count == 2 { break }
                }
                for record in records.reversed() { left = try record.restored(into: left) }
                #expect(left == bytes)
            }
        }
    }

    @Test(arguments: ["", " ", "\u{FEFF}", "\u{1A}"])
    func `Two cards on one line are two, each with its own bytes`(_ between: String) throws {
        let text = String(card("Ada").dropLast()) + between + card("Bo")
        let reading = try Reading(text)
        #expect(names(reading) == ["Ada", "Bo"] && reading.failures.isEmpty)
        #expect(reading.contacts.map { $0.place?.line } == [1, 7])
        let bytes = Array(text.utf8)
        for contact in reading.contacts {
            let removal = try FileEdit(removing: contact, from: bytes)
            let left = try BookFormat.vCard.read(removal.remaining, name: "book.vcf")
            #expect(left.contacts.count == 1 && left.failures.isEmpty)
            #expect(left.contacts[0].name.formatted != contact.name.formatted)
            let record = TrashRecord(cut: removal.cut, of: contact, file: "/book.vcf", removedAt: 0)
            #expect(try record.restored(into: removal.remaining) == bytes)
        }
    }

    @Test(arguments: ["VERSION:3.0", "FN:Ada", "TEL;TYPE=home:1", "item1.X-OWN:1"])
    func `A property on the line of BEGIN is one of the card`(first: String) throws {
        let text = "BEGIN:VCARD\(first)\nFN:Ada\nTEL;TYPE=home:1\nEND:VCARD\n"
        for text in [text, card("Bo") + text, String(card("Bo").dropLast()) + text] {
            let reading = try Reading(text)
            #expect(names(reading).last == "Ada" && reading.failures.isEmpty)
            #expect(reading.contacts.last?.phones.last?.value == "1")
        }
        #expect(names(try Reading("BEGIN:VCARDFN:Ada\nTITLE:X\nEND:VCARD\n")) == ["Ada"])
    }

    @Test func `A file joined inside a line of another one is no part of its last contact`() throws {
        for joint in ["FN:Ada", "FN:Ada\nTEL:1", "FN:Ada\nTE", "FN:Ada\nTEL:1\nNOTE;ENCODING=QUOTED-PRINTABLE:a="] {
            let text = "BEGIN:VCARD\nVERSION:3.0\n\(joint)BEGIN:VCARD\nFN:Bo\nEND:VCARD\n"
            let reading = try Reading(text)
            #expect(reading.contacts.isEmpty && reading.failures.count == 1)
        }
        // An agent's card inside of a line is none, and neither are other names of one person.
        let agent = #"AGENT:BEGIN:VCARD\nFN:Charles\nEND:VCARD\n"#
        let text = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\n\(agent)\nFN:Ada King\nEND:VCARD\n"
        #expect(names(try Reading(text)) == ["Ada"])
    }

    @Test func `Each card has line ends of its own`() throws {
        let kinds = ["\r\n", "\n", "\r", "\r\r\n"]
        for first in kinds {
            for second in kinds {
                let text = card("Ada", end: first) + card("Bo", end: second) + card("Cy", end: first)
                let reading = try Reading(text)
                #expect(names(reading) == ["Ada", "Bo", "Cy"], "\(first.debugDescription), \(second.debugDescription)")
                #expect(reading.contacts.allSatisfy { $0.phones.count == 1 } && reading.failures.isEmpty)
                #expect(reading.contacts.map { $0.place?.line } == [1, 8, 15])
            }
        }
    }

    @Test func `An indented card keeps its folds`() throws {
        let text = "  BEGIN:VCARD\n  VERSION:3.0\n  FN:Ada\n  NOTE:a fol\n   ded note\n  TEL:1\n  END:VCARD\n"
        let contact = try Reading(text + text).contacts[0]
        #expect(contact.introduction == "a folded note" && contact.phones.map(\.value) == ["1"])
        #expect(try Reading(text + text).contacts.count == 2)
    }

    @Test func `The words of a card in a folded note end nothing`() throws {
        let reading = try Reading("BEGIN:VCARD\nFN:Ada\nNOTE:write\n END:VCARD\nTEL:1\nEND:VCARD\n" + card("Bo"))
        #expect(names(reading) == ["Ada", "Bo"] && reading.failures.isEmpty)
        #expect(reading.contacts[0].phones.count == 1)
    }

    @Test(arguments: ["EGIN:VCARD", "BEGIN:VCRD", "BEGIN VCARD", "xBEGIN:VCARD"])
    func `Lines of a card without its beginning are reported once, with their line`(_ begin: String) throws {
        let damaged = card("Cy").replacing("BEGIN:VCARD", with: begin)
        let reading = try Reading(card("Ada") + damaged + card("Bo") + damaged)
        #expect(names(reading) == ["Ada", "Bo"] && reading.counted == 4)
        #expect(
            reading.failures.map(\.line).count == 2
                && reading.failures.allSatisfy { $0.error.code == "contact-malformed" })
        #expect(reading.failures.allSatisfy { 8...26 ~= $0.line ?? 0 })
    }

    @Test func `Text and calendars between cards are no part of one`() throws {
        let other = "Dear Ada,\r\nBEGIN:VCALENDAR\r\nVERSION:2.0\r\nUID:1\r\nEND:VCALENDAR\r\n"
        let reading = try Reading(card("Ada") + other + card("Bo") + other)
        #expect(names(reading) == ["Ada", "Bo"] && reading.failures.isEmpty)
    }

    @Test(arguments: [
        "Hello,\n\nEMAIL: ada@example.org sent you this card\n\n", "Tel: 1\n", "END:VCARD\n", "\nEND:VCARD\n",
        "Version: 2.0 of this list\n",
    ]) func `A line of a letter around the cards is no contact`(text: String) throws {
        let reading = try Reading(card("Ada") + text + card("Bo") + text)
        #expect(names(reading) == ["Ada", "Bo"] && reading.failures.isEmpty && reading.counted == 2)
    }

    @Test(arguments: ["FN:Cy\nTEL:1\n", "N:Cy;;;;\nUID:1\nEMAIL:c@d.e\n", "VERSION:3.0\nUID:1\n", "x;;;\nEND:VCARD\n"])
    func `The rest of a card is reported`(text: String) throws {
        let reading = try Reading(card("Ada") + text + card("Bo"))
        #expect(names(reading) == ["Ada", "Bo"] && reading.failures.count == 1)
    }

    @Test func `Two people without a border are an error, not one person`() throws {
        let whole = card("Ada") + card("Bo")
        for gone in ["END:VCARD\r\nBEGIN:VCARD\r\n", "END:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\n"] {
            let reading = try Reading(whole.replacing(gone, with: ""))
            #expect(reading.contacts.isEmpty && reading.failures.count == 1)
            #expect("\(reading.failures[0].error)".contains("in line 7,"))
        }
        for line in ["FN:Bo", "UID:2\nFN:Ada", "UID:2\nN:Moe;Ada;;;\nFN:Ada"] {
            let one = "BEGIN:VCARD\nVERSION:3.0\nFN:Ada\nUID:1\nTEL:1\n\(line)\nTEL:2\nEND:VCARD\n"
            #expect(try Reading(one).failures.count == 1)
        }
        // Two companies, of which only the second one has a name.
        let companies = "BEGIN:VCARD\nUID:1\nORG:A\nTEL:1\nUID:2\nORG:B\nFN:Bo\nEND:VCARD\n"
        #expect(try Reading(companies).failures.count == 1)
    }

    @Test(arguments: ["FN:Bo Moe", "FN:Adam", "FN:Bo", "FN:Ada Lie\nNICKNAME:A"])
    func `A name that does not fit is that of another person`(line: String) throws {
        let text = "BEGIN:VCARD\nVERSION:3.0\nN:Moe;Ada;;;\nFN:Ada Moe\nTEL:1\n\(line)\nTEL:2\nEND:VCARD\n"
        #expect(try Reading(text).failures.count == 1)
    }

    @Test(arguments: [
        ["FN:Ada", "FN:Ada M.", "TEL:1"], ["FN:Ada", "TEL:1", "FN:Ada", "TEL:2"],
        ["UID:1", "FN:Ada", "TEL:1", "UID:2"], ["UID:1", "FN:Ada", "TEL:1", "UID:2", "NOTE:x"],
        ["UID:1", "N:Moe;Ada;;;", "FN:Ada Moe", "TEL:1", "UID:2", "EMAIL:a@b.c"],
        ["FN:Ada Moe", "N:Moe;Ada;;;", "TEL:1", "FN:ADA", "TEL:2"],
        ["FN:Moe\\, Ada", "TEL:1", "FN:Ada M. Moe", "TEL:2"], ["FN:Zoë", "TEL:1", "FN:Zoe Moe", "TEL:2"],
        ["FN:Ada King", "N:King;Ada;Moe;Dr.;", "TEL:1", "FN:Dr. Moe", "TEL:2"],
        ["FN:Ada King", "TEL:1", "FN:Dr. Moe", "TEL:2", "N:King;Ada;Moe;Dr.;"],
        ["FN;LANGUAGE=en:Ada", "TEL:1", "FN;LANGUAGE=ja:A", "TEL:2"], ["FN:Ada", "TEL:1", "VERSION:3.0", "TEL:2"],
        ["N:;;;;", "FN:Ada", "N:Moe;Ada;;;", "TEL:1"], ["FN:Ada", "TEL:1", "item1.FN:Bo", "TEL:2"],
        ["FN:Ada", "N;ALTID=1:Moe;Ada;;;", "N;ALTID=1:Mo;A;;;", "TEL:1"],
    ])
    func `What programs write twice of one person is one person`(_ lines: [String]) throws {
        let text = (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
        let reading = try Reading(text)
        #expect(reading.contacts.count == 1 && reading.failures.isEmpty)
    }

    /// The border between two cards is cut, or a byte of it changed, at random.
    @Test func `No value of one contact shows in another, however the border is damaged`() throws {
        var random = SplitMix64(7)
        let people = ["Ada", "Bo", "Cy"]
        let whole = Array(people.map { card($0) }.joined().utf8)
        let borders = whole.indices.filter {
            whole[$0...].starts(with: Array("END:VCARD\r\nBEGIN:VCARD\r\nVERSION:3.0\r\n".utf8))
        }
        for _ in 0..<2_000 {
            var text = whole
            let start = borders[Int.random(in: 0..<borders.count, using: &random)]
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text[start + Int.random(in: 0..<24, using: &random)] = UInt8.random(in: 0...255, using: &random)
            case 1:
                text.insert(
                    UInt8.random(in: 0...255, using: &random), at: start + Int.random(in: 0..<24, using: &random))
            default:
                let from = start + Int.random(in: 0..<24, using: &random)
                text.removeSubrange(from..<min(from + Int.random(in: 1..<24, using: &random), start + 37))
            }
            for contact in try Reading(text).contacts {
                let values = [contact.id, contact.name.formatted, contact.name.family] + contact.phones.map(\.value)
                let owners = people.filter { name in values.contains { $0.contains(name) } }
                #expect(owners.count <= 1, "\(String(decoding: text, as: UTF8.self).debugDescription)")
            }
        }
    }
}
