import Testing

@testable import TondoContacts

/// Examples that the other projects publish in their tests, and examples worked from their rules.
@Suite struct OtherInitialsTests {
    @Test(arguments: [
        ("Ada Okafor", "AO"), ("Ada Mary Okafor", "AO"), ("ada", "A"), ("Ada\tOkafor", "A"), (" Ada ", "A"),
        ("ßa", "S"),
        ("e\u{301}va", "É"), ("Ada (Work)", "A("), ("\u{A0}Ada", "\u{A0}"), ("🌻 Ada", "🌻A"), ("", ""), (" ", ""),
    ])
    func `Adwaita takes the first code point and that behind the last blank`(_ name: String, _ expected: String) {
        #expect(AdwaitaInitials.letters(of: name) == expected)
    }

    @Test(arguments: [
        ("", "?"), ("matchish", "M"), ("Firstname Lastname", "FL"), ("Firstname Lastname Rest", "FL"), ("0", "?"),
        ("Ada  Okafor", "A "), (" Ada", "A"), ("e\u{301}va", "E"), ("ß", "SS"),
    ])
    func `Nextcloud takes the first code points around the first blank`(_ name: String, _ expected: String) {
        #expect(NextcloudInitials.letters(of: name) == expected)
    }

    @Test(arguments: [
        ("Nate Martin", "NM"), ("Kalanoka", "K"),
        ("Why would anyone use such a long not name in the field of the Name", "WN"), ("Live-CD User", "LU"),
        ("北里 柴三郎", "北"), ("小野田 寛郎", "小"), ("蔣經國", "蔣"), ("Нейт Мартин", "НМ"), ("Каланока", "К"),
        ("Лайв-СИДИ Пользователь", "ЛП"),
    ])
    func `Kirigami's own examples are kept`(_ name: String, _ expected: String) {
        #expect(KirigamiInitials.letters(of: name) == expected)
    }

    @Test(arguments: [
        ("@ada okafor", "AO"), ("Ada Okafor (Work)", "A"), ("Ada(Work)", "A"), ("Éva", "E"), ("강유미", "\u{1100}"),
        ("🌻 Ada", "🌻A"), ("", ""), ("#", ""), ("(", ""),
    ])
    func `Kirigami takes the first units of the decomposed name`(_ name: String, _ expected: String) {
        #expect(KirigamiInitials.letters(of: name) == expected)
    }

    @Test func `Each rule gives its letters of the shown name`() {
        var contact = Contact(id: "a")
        contact.name.formatted = "Ada Mary de Okafor (Work)"
        #expect(InitialsRule.allCases.map { contact.initials(by: $0) } == ["AO", "A(", "AM", "A", nil])
    }

    @Test func `A contact without a name has no initials by any rule`() {
        #expect(InitialsRule.allCases.allSatisfy { Contact(id: "ada").initials(by: $0) == nil })
        #expect(InitialsRule.allCases.allSatisfy { $0.letters(of: " \u{200B}\u{2028}") == nil })
    }
}
