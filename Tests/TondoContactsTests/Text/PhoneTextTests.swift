import Testing

@testable import TondoContacts

@Suite struct PhoneTextTests {
    @Test(
        arguments: [
            ("+49 431 5501", ["+49 431 5501"]), ("\u{202A}+49 431\u{FE0F} 5501\u{202C}", ["+49 431 5501"]), ("", []),
            ("\u{200E}", []), ("tel:+1-418-656;ext=102", ["+1-418-656 ext. 102"]), ("tel:", []),
            ("+49 431 550100; 0431 550101", ["+49 431 550100", "0431 550101"]),
            ("0431 550100\n(0431) 550101", ["0431 550100", "(0431) 550101"]),
            ("0431 550100 / 0171 550101", ["0431 550100", "0171 550101"]), ("0431 / 550100", ["0431 / 550100"]),
            ("+49 431 550100;123456#", ["+49 431 550100;123456#"]), ("205246;;,;", ["205246;;,;"]),
            ("+49 431 550100, 0431 550101", ["+49 431 550100", "0431 550101"]),
            ("+49431550100,0123456#", ["+49431550100,0123456#"]),
            ("+49 431 550100, ext. 12", ["+49 431 550100, ext. 12"]),
            ("030/550100-0/1/2", ["030/550100-0/1/2"]), (#"\+49431"#, ["+49431"]), ("%2B49431", ["+49431"]),
            (#"2052\;\,\;"#, ["2052;,;"]),
            ("50%", ["50%"]),
        ] as [(String, [String])])
    func `A field has the numbers that are whole`(_ text: String, _ numbers: [String]) {
        #expect(PhoneText.several(in: text) == numbers)
    }

    @Test func `Equal numbers of a card are one, and its types and labels make others`() throws {
        let contact = try Contact(
            lines: "TEL;TYPE=cell:1", "TEL;TYPE=cell:1", "TEL;TYPE=home:1", "item1.TEL;TYPE=cell:1",
            "item1.X-ABLabel:Boot",
            "TEL;TYPE=\"_$!<Work>!$_\":2", "EMAIL:a@example.org", "EMAIL:a@example.org")
        #expect(contact.phones.map(\.types) == [["cell"], ["home"], ["cell"], ["work"]])
        #expect(contact.emails.map(\.value) == ["a@example.org"])
    }

    @Test func `A telephone dials digits of any script`() {
        #expect(DialledNumber("٠٤٣١ ٥٥٠١٠٠")?.uri == "tel:0431550100")
        #expect(DialledNumber("（０４３１）５５－０１")?.digits == "04315501")
        #expect(DialledNumber("+९१ ९८७६५")?.digits == "+9198765")
    }
}
