import Testing

@testable import TondoContacts

/// What would take for ever, or all memory, if each line were compared with each other one.
@Suite struct VCardHostilityTests {
    private func lines(_ count: Int, _ line: (Int) -> String) throws -> Contact {
        let lines = (0..<count).map(line).joined(separator: "\r\n")
        return try Reading("BEGIN:VCARD\r\nFN:Ada\r\n\(lines)\r\nEND:VCARD\r\n").contacts[0]
    }

    @Test func `Addresses, groups and notes without number are cut off`() throws {
        #expect(try lines(20_000) { "TEL;PREF=\($0 % 100):\($0)" }.phones.count == 1000)
        #expect(try lines(20_000) { "CATEGORIES:\($0)" }.groups.count == 1000)
        #expect(try lines(20_000) { "TEL;TYPE=\($0):1" }.phones.count == 1000)
        #expect(
            try lines(1) { _ in "TEL;TYPE=\((0..<20_000).map { "\($0)" }.joined(separator: ",")):1" }.phones.count == 1)
    }

    /// Each of these would take hours if it cost the square of its size.
    @Test func `Blank lines of a quoted value are walked through once`() throws {
        let lines = String(repeating: "\u{1}\r\n", count: 300_000)
        let card = "BEGIN:VCARD\r\nFN:Ada\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\r\n\(lines)END:VCARD\r\n"
        #expect(try Reading(card).contacts.count == 1)
    }

    @Test func `Cards that begin and never end are each looked at once`() throws {
        let begins = String(repeating: "BEGIN:VCARD\nFN:A\n", count: 100_000)
        #expect(
            try begins.utf8.withContiguousStorageIfAvailable { try VCardText(.init($0)).scan().people } == 100_000)
    }

    @Test func `Deep nesting and endless headers end`() throws {
        let agents = String(repeating: "AGENT:\r\nBEGIN:VCARD\r\n", count: 20_000)
        let ends = String(repeating: "END:VCARD\r\n", count: 20_000)
        #expect(try Reading("BEGIN:VCARD\r\nFN:Ada\r\n\(agents)\(ends)END:VCARD\r\n").contacts.count == 1)
        #expect(try Reading("BEGIN:VCARD\r\nFN:Ada\r\n\(agents)\(ends)").contacts.count == 1)
        let header = "NOTE;" + String(repeating: "x=\"\r\n ", count: 100_000)
        #expect(try Reading("BEGIN:VCARD\r\nFN:Ada\r\n\(header):a\r\nEND:VCARD\r\n").contacts.count == 1)
    }

    @Test func `Runs of carriage returns are walked through once`() throws {
        let run = String(repeating: "\r", count: 60_000)
        let card = "BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n"
        let old = "BEGIN:VCARD\rFN:Ada\r\(run)NOTE:a\r\(run)END:VCARD\r"
        for text in [card + run + card, card + run + "\n" + card, old + run + old] {
            let reading = try Reading(text)
            #expect(reading.contacts.count == 2 && reading.failures.isEmpty)
            let wide: [UInt8] = text.utf8.flatMap { (byte: UInt8) -> [UInt8] in [byte, 0] }
            #expect(try Reading([0xFF, 0xFE] + wide).contacts.count == 2)
        }
        #expect(try Reading(card + run + card).contacts[1].place?.line == 60_004)
    }

    @Test func `A long first name is looked at once, however many names follow`() throws {
        let blanks = String(repeating: " ", count: 1_000_000)
        for name in ["FN", "N", "UID"] {
            let others = String(repeating: "\(name):Ada\r\n", count: 5_000)
            let reading = try Reading("BEGIN:VCARD\r\n\(name):\(blanks)Ada\r\nTEL:1\r\n\(others)END:VCARD\r\n")
            #expect(reading.contacts.count == 1)
        }
    }

    @Test func `Folds behind equals signs are joined in one pass`() throws {
        let header = "X-FOO=" + String(repeating: "\n =", count: 20_000) + "\n"
        let headers = String(repeating: header, count: 20)
        #expect(try Reading("BEGIN:VCARD\nFN:Ada\n\(headers)END:VCARD\n").contacts.count == 1)
    }
}
