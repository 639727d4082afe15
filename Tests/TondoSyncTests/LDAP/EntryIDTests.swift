import Testing
import TondoSync

@Suite struct EntryIDTests {
    private func entry(_ values: [String: [UInt8]]) -> LDAPEntry {
        var entry = LDAPEntry(name: "cn=Ada,dc=example")
        for (name, value) in values { entry.add(name, values: [value]) }
        return entry
    }

    @Test func `Reads the identifiers of servers`() {
        let text = "00112233-4455-6677-8899-aabbccddeeff"
        let guid: [UInt8] = [
            0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
        ]
        #expect(EntryID(of: entry(["entryUUID": Array(text.utf8)])).description == text)
        #expect(EntryID(of: entry(["objectGUID": guid])).description == text)
        #expect(
            EntryID(of: entry(["nsUniqueId": Array("00112233-44556677-8899aabb-ccddeeff".utf8)])).description == text)
        // eDirectory's, in bytes or as text.
        let bytes = (0..<16).map { UInt8($0 * 0x11) }
        #expect(EntryID(of: entry(["GUID": bytes])).description == text)
        #expect(EntryID(of: entry(["guid": Array(text.utf8)])).description == text)
    }

    @Test func `Takes the name without an identifier`() {
        let one = EntryID(of: LDAPEntry(name: "cn=Ada,dc=example"))
        #expect(one == EntryID(of: LDAPEntry(name: "CN=Ada,DC=example")))
        #expect(one != EntryID(of: LDAPEntry(name: "cn=Bob,dc=example")))
        // Not of the right length.
        #expect(one == EntryID(of: entry(["entryUUID": Array("0011".utf8)])))
    }

    @Test func `Is read from its own text`() {
        let id = EntryID(of: LDAPEntry(name: "cn=Ada"))
        #expect(EntryID(id.description) == id)
        #expect(EntryID("photo:0011") == nil)
    }
}
