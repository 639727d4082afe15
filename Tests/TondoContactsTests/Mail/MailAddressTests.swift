import Testing
import TondoText

@testable import TondoContacts

@Suite struct MailAddressTests {
    @Test(
        arguments: [
            ("ada@example.org", ["ada@example.org"]),
            (" Ada@Example.org\t", ["ada@example.org", "Ada@Example.org"]),
            ("Ada King <ada@example.org>", ["ada@example.org"]),
            ("Ada <mailto:ada@example.org>", ["ada@example.org"]),
            ("MAILTO:ada%2Bwork@example.org?subject=x", ["ada+work@example.org"]),
            ("mailto:ada%2@example.org", ["ada%2@example.org"]),
            ("a\u{200B}da@exam\u{AD}ple.org\u{FEFF}", ["ada@example.org"]),
            ("ada \u{A0}@example.org", ["ada@example.org"]), ("smtp:ada@example.org", ["ada@example.org"]),
            ("ada＠example.org;", ["ada@example.org"]), ("'ada@example.org'", ["ada@example.org"]),
            ("[ada@example.org](mailto:ada@example.org)", ["ada@example.org"]),
            (#"\<ada@example.org\>"#, ["ada@example.org"]),
            (#""ada@example.org""#, ["ada@example.org"]), ("ada@example.org.", ["ada@example.org"]),
            ("(Ada King) ada@example.org", ["ada@example.org"]), ("ada@example.org (Ada (King))", ["ada@example.org"]),
            (#""Ada King" ada@example.org"#, ["ada@example.org"]),
            (#""ada king"@example.org"#, [#""ada king"@example.org"#]),
            ("ada@bücher.example", ["ada@bücher.example", "ada@xn--bcher-kva.example"]),
            ("ada@xn--bcher-kva.example", ["ada@xn--bcher-kva.example", "ada@bücher.example"]),
            ("ada@xn--!.example", ["ada@xn--!.example"]), ("a@b", ["a@b"]),
            ("", []), ("ada", []), ("@example.org", []), ("ada@", []), ("<>", []), ("mailto:", []),
        ] as [(String, [String])])
    func `An address has the forms that clients hash`(_ text: String, _ forms: [String]) {
        #expect(MailAddress(text).forms == forms)
    }

    @Test(
        arguments: [
            ("Ada <a@b.org>; 'c@b.org'", ["a@b.org", "c@b.org"]), ("a/b@c.org; d@c.org", ["a/b@c.org", "d@c.org"]),
            ("a@b.org / c@b.org", ["a@b.org", "c@b.org"]), ("a@b.org,", ["a@b.org"]), ("ada", ["ada"]),
            ("", []), ("none", []), ("-", []), ("a@b.org or c@b.org", ["a@b.org", "c@b.org"]),
            ("/o=Werft/cn=ada", []), ("EX:/o=Werft/cn=ada", []), ("X500:/o=Werft/cn=ada", []), ("SPO:SPO_1@SPO_2", []),
        ] as [(String, [String])])
    func `A field has the addresses alone`(_ text: String, _ addresses: [String]) {
        #expect(MailAddress.several(in: text) == addresses)
    }

    /// The samples of RFC 3492 7.1, as far as they have no capital letters, and of registries.
    @Test(arguments: [
        ("bücher", "xn--bcher-kva"), ("例え", "xn--r8jz45g"), ("テスト", "xn--zckzah"), ("münchen", "xn--mnchen-3ya"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"), ("そのスピードで", "xn--d9juau41awczczp"),
        ("ひとつ屋根の下2", "xn--2-u9tlzr9756bt3uc0v"), ("faß", "xn--fa-hia"),
    ])
    func `Both forms of a domain lead to the other one`(_ unicode: String, _ ascii: String) {
        #expect(DomainName.ascii("a.\(unicode).org") == "a.\(ascii).org")
        #expect(DomainName.unicode("a.\(ascii).org") == "a.\(unicode).org")
    }

    @Test func `What is no Punycode has no other form, however long it is`() {
        for label in ["xn--", "xn--\u{E9}", "xn--99999999", "xn--a-\(String(repeating: "9", count: 200))"] {
            let other = DomainName.unicode(label)
            #expect(other == nil || other == "", "\(label)")
        }
        #expect(DomainName.ascii(String(repeating: "é", count: 1_000)) == nil)
    }

    @Test(
        arguments: [
            ("a@b.c; d@e.f;", ["a@b.c", "d@e.f"]), ("a@b.c,d@e.f", ["a@b.c", "d@e.f"]),
            ("a@b.c d@e.f", ["a@b.c", "d@e.f"]),
            ("Moe, Ada <a@b.c>; d@e.f", ["a@b.c", "d@e.f"]), ("a@b.c\nd@e.f", ["a@b.c", "d@e.f"]),
            ("a@b.c", ["a@b.c"]), ("", []), ("ada", ["ada"]),
            ("Moe, Ada <a@b.c>, Li, Bo <d@e.f>", ["a@b.c", "d@e.f"]),
            ("\"a@b\"@c.d", ["\"a@b\"@c.d"]),
        ] as [(String, [String])])
    func `A text may have several addresses`(_ text: String, _ addresses: [String]) {
        #expect(MailAddress.several(in: text) == addresses)
    }
}
