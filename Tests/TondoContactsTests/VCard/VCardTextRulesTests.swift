import Testing

@testable import TondoContacts

/// Texts as writers break and encode them.
@Suite struct VCardTextRulesTests {
    @Test func `A blank behind a soft break is a fold only if the card shows it`() throws {
        let cut = "FN;ENCODING=QUOTED-PRINTABLE:M=C3=\r\n =BCl=\r\n ler"
        #expect(try Contact(lines: cut, version: "2.1").name.formatted == "Müller")
        let words = "FN;ENCODING=QUOTED-PRINTABLE:Ada=\r\n Example"
        #expect(try Contact(lines: words, version: "2.1").name.formatted == "Ada Example")
        #expect(try Contact(lines: words, version: "3.0").name.formatted == "AdaExample")
        // Another line of the card is broken without a fold: its writer does not fold.
        let mixed = "NOTE;ENCODING=QUOTED-PRINTABLE:x=\r\ny"
        #expect(try Contact(lines: mixed, words, version: "3.0").name.formatted == "Ada Example")
    }

    @Test func `A line that can be no property is the rest of the text before`() throws {
        let contact = try Contact(
            lines: "FN:Elek\r\n\r\nNagy", "ORG:Kiss\r\nand Sons", "NOTE:one\r\ntwo: three\r\n\r\nfour",
            "TEL:1\r\nno number",
            "X-OTHER:a\r\nno name")
        #expect(contact.name.formatted == "Elek Nagy" && contact.organisation == ["Kiss and Sons"])
        #expect(contact.introduction == "one\ntwo: three\n\nfour" && contact.phones.map(\.value) == ["1"])
    }

    @Test(arguments: [
        "PRODID:-//X//Y", "X-FOO;a=b:c", "item1.X-ABDATE:20110101", "GENDER:F", "tz:x", "SOUND;X-IRMC-N:;;;;",
        "PHO\r\n TO:a.jpg",
    ])
    func `Any property ends the text before`(_ line: String) throws {
        #expect(try Contact(lines: "FN:Ada", line).name.formatted == "Ada")
    }

    @Test func `An empty line ends base64 unless base64 goes on`() throws {
        let photo = "/9j/4AAQSkZJRgABAQEBAgMEBQYHCAkKCwwNDg8Q"
        for lines in ["PHOTO;ENCODING=BASE64:\r\n\r\n\(photo)", "PHOTO;ENCODING=BASE64:\(photo)\r\n\r\n\(photo)"] {
            let card = ["BEGIN:VCARD", "VERSION:2.1", "FN:Ada", lines, "", "TEL:1", "END:VCARD", ""].joined(
                separator: "\r\n")
            let contact = try Reading(card).contacts[0]
            #expect(contact.phones.map(\.value) == ["1"])
            guard case .inline(.encoded(let text), _)? = contact.photo else {
                Issue.record("no photo")
                continue
            }
            let bytes = Array(card.utf8)
            let decoded = try bytes.withUnsafeBytes {
                try text.decoded(from: UnsafeRawBufferPointer(rebasing: $0[text.bytes]))
            }
            #expect(decoded.count >= 30 * (lines.components(of: photo)))
        }
    }

    @Test func `Quoted-printable without its declaration is found, and nothing else`() throws {
        #expect(try Contact(lines: "FN:=E5=B1=B1=E7=94=B0").name.formatted == "山田")
        for text in ["a=b", "x =E5 y", "=41=42", "1+1=20", "=E5=B1", "Zoë =E5=B1=B1"] {
            #expect(try Contact(lines: "FN:\(text)").name.formatted == text)
        }
        #expect(try Contact(lines: "FN:M=C3=BCller").name.formatted == "Müller")
        for note in ["see https://example.org/?q=C3=A9", "q=C3=A9", "http://a.example/=E5=B1=B1=E7=94=B0"] {
            #expect(try Contact(lines: "FN:A", "NOTE:\(note)").introduction == note)
        }
        for note in ["=E5=B1=B1", "one two =C3=\r\n=A9"] {
            #expect(try Contact(lines: "FN:A", "NOTE:\(note)").introduction?.contains("=") == false)
        }
        #expect(try Contact(lines: "FN:A", "URL:https://example.org/?q=D0=B8").websites[0].value.hasSuffix("=D0=B8"))
    }

    @Test func `Commas and semicolons that were escaped twice are text`() throws {
        let contact = try Contact(lines: #"NOTE:a\\\, b\\\; c\\n\, C:\\d"#, #"ORG:A\\\;B;C"#)
        #expect(contact.introduction == #"a, b; c\n, C:\d"# && contact.organisation == ["A;B", "C"])
    }

    @Test func `A text of nothing but escapes is quoted-printable`() throws {
        let contact = try Contact(lines: "N:=45=6B;=42=6F=62;;;", "FN:=42=6F=62", "ORG:a=20=31=32", version: "2.1")
        #expect(
            contact.name.family == "Ek" && contact.name.formatted == "Bob" && contact.organisation == ["a=20=31=32"])
    }

    @Test func `A label is read wherever phones write it`() throws {
        let contact = try Contact(
            lines: "FN:A", "TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=48=C3=BC=\r\n=74=74=65):1",
            "TEL;X-CUSTOM(Boat):2", "TEL;X-Summer house:3", "item1.TEL;CELL:4", "item1.X-ABLabel:_$!<Mobile>!$_",
            "TEL;HOME:5",
            version: "2.1")
        #expect(contact.phones.map(\.label) == ["Hütte", "Boat", "Summer house", "Mobile", nil])
        #expect(contact.phones.map(\.value) == ["1", "2", "3", "4", "5"])
    }

    @Test func `A program's own mark is no label`() throws {
        let contact = try Contact(
            lines: "FN:A", "EMAIL;TYPE=X-EVOLUTION-UI-SLOT:a@b.c", "TEL;TYPE=\"home,X-Slot\":1", "TEL;HOME;X-Attic:2")
        #expect(contact.emails.map(\.label) == [nil] && contact.phones.map(\.label) == [nil, "Attic"])
    }

    @Test func `Empty lines by the thousand and raw lines cost one pass`() throws {
        let empty = String(repeating: "\r\n", count: 300_000)
        let raw = String(repeating: "word\r\n", count: 100_000)
        let photo = "PHOTO;ENCODING=b:/9j/4AAQ\r\n" + String(repeating: "\r\n4AAQ", count: 100_000)
        for text in ["NOTE:a\r\n\(empty)b", "NOTE:\(raw)", photo, "NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\n\(empty)b"] {
            let card = "BEGIN:VCARD\r\nFN:Ada\r\n\(text)\r\nTEL:1\r\nEND:VCARD\r\n"
            #expect(try Reading(card).contacts[0].phones.count == 1)
        }
    }
}

extension String {
    /// How often `part` is in the text.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
