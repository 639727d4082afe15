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
}
