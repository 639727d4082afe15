import Testing

@testable import TondoContacts

/// Damage to text that can be undone, and text that only looks damaged.
@Suite struct TextRepairTests {
    @Test(arguments: [
        ("MÃ¼ller", "Müller"), ("Ad\0a\0", "Ada"), ("A\u{B}d\u{7}a\u{C}\u{1F}", "A\nda\n"), ("MÃƒÂ¼ller", "Müller"),
        ("Oâ€™Hara", "O’Hara"),
        ("\u{C3}\u{9C}nal", "Ünal"),
        ("Å\u{81}Ã³dÅº", "Łódź"), ("J&uuml;rgen &amp; Bo", "Jürgen & Bo"), ("O&#39;Neill &#x1F600;", "O'Neill 😀"),
        ("&amp;amp; &#55357;&#56832;", "& 😀"), ("=?UTF-8?Q?M=C3=BCller=2C_E.?=", "Müller, E."),
        ("=?utf-8?B?TcO8bGxlcg==?= =?iso-8859-1?q?=D6?= Ek", "MüllerÖ Ek"),
        ("&#55357;&#65;da", "Ada"), ("Kim/=?UTF-8*ko?B?6rmA?=", "Kim/김"),
    ]) func `What a program did to a text is undone`(_ text: String, _ repaired: String) {
        #expect(TextRepair.repaired(text) == repaired)
    }

    @Test(arguments: [
        "Müller", "São Ñandú", "CAFÉ®", "Müller MÃ¼ller", "R&D; AT&T", "a & b;", "&nothing; &#; &#xZZ;", "=?", "2=?x",
        "a\tb\r\nc", "\u{1B}$B", "=?X-NONE?Q?a?=", "=?UTF-8?Z?a?=", "=?UTF-8?Q?a", "山田 太郎", "",
    ]) func `Other text stays as it is`(_ text: String) { #expect(TextRepair.repaired(text) == text) }

    @Test func `What comes to light in a card is text, not a separator`() throws {
        let contact = try Contact(
            lines: "N:O&#39\\;Neill&#44; B&#59;;J&uuml;rgen;;;", "FN:=?UTF-8?Q?Ek=2C_Bo?=", "ORG:A &amp; B;C")
        #expect(contact.name.family == "O'Neill, B;" && contact.name.given == "Jürgen")
        #expect(contact.name.formatted == "Ek, Bo" && contact.organisation == ["A & B", "C"])
    }

    @Test func `Halves of characters are joined, and make no other set of the card`() throws {
        let halves: [UInt8] = [0xED, 0xA0, 0xBD, 0xED, 0xB1, 0xA9]
        let card =
            Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Åse ".utf8) + halves + Array("\r\nORG:Brøl\r\nEND:VCARD\r\n".utf8)
        let contact = try Reading(card).contacts[0]
        #expect(contact.name.formatted == "Åse 👩" && contact.organisation == ["Brøl"])
        let defects = halves.dropLast() + [0x41] + halves
        #expect(String(decoding: defects.withUnsafeBytes(UTF8Text.joiningHalves(in:)), as: UTF8.self).hasSuffix("A👩"))
    }

    @Test func `A word for nothing is nothing, and a name in quotes is a name`() throws {
        let contact = try Contact(
            lines: "N:null;undefined;;;", "FN:null undefined", "TEL:null", "EMAIL:(null)", "ORG:null;Werft", "NOTE:null"
        )
        #expect(contact.displayName == "Werft" && contact.phones.isEmpty && contact.emails.isEmpty)
        #expect(contact.introduction == nil)
        for (name, plain) in [
            ("\"Ada Moe\"", "Ada Moe"), ("'t Hooft", "'t Hooft"), ("Null", "Null"), ("a\tb", "a b"), ("''", "''"),
        ] {
            #expect(name.asName == plain)
        }
    }
}
