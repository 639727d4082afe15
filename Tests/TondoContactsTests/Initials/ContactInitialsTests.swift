import Testing

@testable import TondoContacts

@Suite struct ContactInitialsTests {
    private func initials(_ formatted: String) -> String? { InitialsRule.tondo.letters(of: formatted) }

    private func initials(_ given: String, _ family: String, _ formatted: String = "") -> String? {
        var contact = Contact(id: "a")
        (contact.name.given, contact.name.family, contact.name.formatted) = (given, family, formatted)
        return contact.initials
    }

    @Test(arguments: [
        ("Ada Okafor", "AO"), ("ada", "A"), ("Ada Mary Okafor", "AO"), ("  Ada\u{A0}Okafor ", "AO"),
        ("J. R. Smith", "JS"),
        ("Jean-Luc Picard", "JP"), ("Ada Okafor / Acme", "AO"), ("Ёлка яма", "ЁЯ"), ("Ωμέγα Άλφα", "ΩΆ"),
        ("דוד לוי", "דל"),
    ])
    func `The first and the last word give a letter each`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("Dr. Ada Okafor", "AO"), ("Prof. Dr. rer. nat. Ada Okafor", "AO"), ("Dipl.-Ing. Ada Okafor", "AO"),
        ("Frau Okafor", "O"), ("Mr Okafor", "O"), ("Dr.", "D"), ("Ing Tan", "IT"), ("Sir Ada Okafor", "AO"),
        ("Capt. Ada Okafor", "AO"), ("Lt. Col. Bo Berg", "BB"), ("Hptm. Berg", "B"), ("Dkfm. Ada Okafor", "AO"),
        ("MUDr. Jan Novák", "JN"), ("Dr.Ada Okafor", "AO"),
        ("Dr. h. c. Ada Okafor", "AO"), ("Dr.h.c. Ada Okafor", "AO"), ("ד\"ר שרה כהן", "שכ"), ("श्री राम कुमार", "राकु"),
        ("นายสมชาย ใจดี", "สจ"), ("株式会社山田", "山"), ("株式会社", "株"), ("ООО «Ромашка»", "Р"), ("Dr. \"Ada\"", "A"),
    ])
    func `Titles in front of a name are left out`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("H. C. Andersen", "HA"), ("H.C. Andersen", "HA"), ("C. Okafor", "CO"), ("Dr. C. Okafor", "CO"),
        ("Dept. of Parks", "DP"), ("Chr. Møller", "CM"), ("Wolfg. Maier", "WM"), ("Joh. Seb. Bach", "JB"),
        ("Dr. Ludw. Moe", "LM"), ("Stephan. Moe", "SM"), ("Chas. Moe", "CM"), ("Mohd. Ali", "MA"),
        ("Ada. Okafor", "AO"), ("St. John", "SJ"), ("นาย", "น"),
        ("นายิกา ดี", "นดี"), ("คุณากร", "คุ"),
    ])
    func `What only looks like a title is a name`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("Ada Okafor Jr.", "AO"), ("Ada Okafor, PhD", "AO"), ("Ada Okafor, Jr., M.A.", "AO"), ("Ada Okafor III", "AO"),
        ("Jack Ma", "JM"), ("Acme Tools GmbH", "AT"), ("Acme GmbH, Berlin", "A"), ("Bo Berg sen.", "BB"),
        ("Bo Berg 2nd", "BB"), ("Ada Okafor DVM", "AO"), ("Ada Okafor Prof.", "AO"), ("Anna V.", "AV"),
        ("Ada Okafor ada@example.org", "AO"), ("Ada https://example.org", "A"), ("Ada Okafor www.example.org", "AO"),
    ])
    func `What follows a name is left out`(_ name: String, _ expected: String) { #expect(initials(name) == expected) }

    @Test(arguments: [
        ("Ludwig van Beethoven", "LB"), ("van Beethoven", "B"), ("Van Morrison", "VM"), ("ben affleck", "BA"),
        ("Muhammad bin Salman", "MS"), ("Ana de la", "A"), ("d'Angelo", "A"), ("D'Angelo", "D"), ("O'Brien", "O"),
        ("Salim al-Hakim", "SH"),
    ])
    func `Particles are no words of a name`(_ name: String, _ expected: String) { #expect(initials(name) == expected) }

    @Test(arguments: [
        ("Okafor, Ada", "AO"), ("Okafor, Ada, PhD", "AO"), ("Okafor, Dr. Ada", "AO"), ("Okafor,", "O"),
    ])
    func `A name in the order of a list is put into its spoken order`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("Ada Okafor (Work)", "AO"), ("Ada \"Addy\" Okafor", "AO"), ("Ada Okafor «Addy»", "AO"),
        ("Ada Okafor [old]", "AO"),
        ("(Ada)", "A"), ("\"Ada Okafor\"", "AO"), ("Ada Okafor (Wo", "AW"), ("Ada Okafor 'Addy'", "AO"),
        ("Ada O'Hara", "AO"),
    ])
    func `Remarks and nicknames are left out, unless there is nothing else`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("#general", "G"), ("@ada", "A"), ("3M", "M"), ("¡Ada!", "A"), ("Ada 2", "A"), ("\u{202E}Bo Berg", "BB"),
        ("ʻIolani", "I"),
    ])
    func `Digits and signs are no letters`(_ name: String, _ expected: String) { #expect(initials(name) == expected) }

    @Test(arguments: ["", " ", "+46 1 23", "!?", "‼", "\u{200B}", "\u{301}", "\u{3164}", "\u{115F}\u{1160}"])
    func `A text without a letter gives none`(_ name: String) { #expect(initials(name) == nil) }

    @Test(arguments: [("👩‍💻", "👩‍💻"), ("2 ✂️", "✂️"), ("❤", "❤"), ("🌻 Ada 🌻", "A"), ("👨‍👩‍👧 🇸🇪", "👨‍👩‍👧")])
    func `An emoji stands for a name of emoji alone`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("e\u{301}va", "E\u{301}"), ("ßa", "ß"), ("ﬁn", "F"), ("ia", "I"), ("ıa", "I"), ("გიორგი", "გ"),
        ("क्षमा वर्मा", "क्षव"),
        ("நிலா குமார்", "நிகு"), ("เอกชัย ใจดี", "อจ"),
    ])
    func `A letter is a whole cluster in upper case, in every language`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("ಶ್ರೀನಿವಾಸ ರಾವ್", "ಶ್ರೀರಾ"), ("ਪ੍ਰੀਤਮ", "ਪ੍ਰੀ"), ("ஸ்ரீதர்", "ஸ்ரீ"), ("க்ஷமா", "க்ஷ"), ("ஸ்டாலின்", "ஸ்"),
        ("ප්‍රියන්ත", "ප්‍රි"), ("ක්ෂිති", "ක්"), ("ក្មេង", "ក្មេ"), ("မောင်", "မော"), ("ကျော်သူ", "ကျော်"), ("ಅನಿಲ್", "ಅ"),
    ])
    func `A letter has the consonants and vowels that are written with it`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [("IJsbrand de Vries", "IJV"), ("Ijeoma", "I"), ("IJ", "I"), ("IJSBRAND", "I")])
    func `The Dutch letter IJ is one letter`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
        #expect(initials("Lotte", "IJzerman") == "LIJ")
    }

    @Test func `Arabic letters are kept apart`() { #expect(initials("أحمد محمد") == "أ\u{200C}م") }

    @Test(arguments: [
        ("أحمد الحسن", "أ\u{200C}ح"), ("الحسن", "ح"), ("عبد الرحمن", "ع\u{200C}ر"), ("أحمد الْحسن", "أ\u{200C}ح"),
        // Names of their own: too short behind the two letters, or another alef.
        ("الي", "ا"), ("الما", "ا"), ("ألفريد", "أ"), ("ال", "ا"),
    ])
    func `The Arabic article is no initial`(name: String, expected: String) { #expect(initials(name) == expected) }

    @Test func `A letter with marks without end is cut to the letter`() {
        #expect(initials("a" + String(repeating: "\u{301}", count: 1_000) + " Bo") == "A")
        #expect(initials(String(repeating: "a\u{301}", count: 1_000_000)) == "A\u{301}")
    }

    @Test(arguments: [
        ("李明", "李"), ("山田 太郎", "山"), ("欧阳修", "欧"), ("マイケル", "マ"), ("さくら", "さ"), ("克特·米勒", "克米"),
        ("アルベルト・アインシュタイン", "アア"), ("山田さん", "山"), ("李明 David", "李"), ("David 李", "D李"),
    ])
    func `A name in Han or kana gives the first character of the family name`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("강유미", "유미"), ("김 민준", "민준"), ("남궁민수", "민수"), ("남궁민", "민"), ("유미", "유미"), ("케테 뮐러", "케"),
        ("신밧드스키", "신"), ("김민준 씨", "민준"), ("김철수님", "철수"), ("김철수 부장", "철수"), ("김부장", "김"), ("시스템 발행", "시"),
        ("\u{1100}\u{1175}\u{11B7} \u{1106}\u{1175}\u{11AB}", "민"),
    ])
    func `A name in hangul gives the given name`(_ name: String, _ expected: String) {
        #expect(initials(name) == expected)
    }

    @Test(arguments: [
        ("Ada", "Lovelace", "Countess Ada of Lovelace", "AL"), ("János", "Nagy", "Nagy János", "NJ"),
        ("太郎", "山田", "", "山"), ("유미", "강", "", "유미"), ("케테", "뮐러", "케테 뮐러", "케"), ("3M", "#1", "", "M"),
        ("Ludwig", "van Beethoven", "", "LB"), ("Ada", "", "Ada Okafor", "AO"), ("", "Okafor", "", "O"),
        ("Ada", "Okafor", "Okafor, Ada", "AO"), ("Bo", "(Berg)", "", "BB"),
    ])
    func `The parts of a name take precedence`(
        _ given: String, _ family: String, _ formatted: String, _ expected: String
    ) {
        #expect(initials(given, family, formatted) == expected)
    }

    @Test func `A company gives its words without its legal form`() {
        var contact = Contact(id: "a")
        contact.organisation = ["The Acme Tools Oy", "Sales"]
        #expect(contact.initials == "AT")
        (contact.kind, contact.name.formatted) = (.organisation, "Okafor, Berg & Co.")
        #expect(contact.initials == "O")
    }

    @Test(arguments: [
        ("ada.okafor@example.org", "AO"), ("ada_okafor2+list@example.org", "AO"), ("info@example.org", "I"),
        ("a-o@x", "AO"),
    ])
    func `A mail address is the last resort`(_ address: String, _ expected: String) {
        var contact = Contact(id: "a")
        contact.emails = [ContactPoint("1@example.org"), ContactPoint(address)]
        #expect(contact.initials == expected)
        contact.name.formatted = address
        #expect(contact.initials == expected)
    }

    @Test func `A nickname and a handle give initials, a phone number none`() {
        var contact = Contact(id: "a")
        contact.phones = [ContactPoint("+46 1 23")]
        #expect(contact.initials == nil)
        contact.messengers[.telegram] = "@ada"
        #expect(contact.initials == "A")
        contact.name.nicknames = ["Bo Berg"]
        #expect(contact.initials == "BB")
    }

    /// The remark takes the way of all other names.
    @Test(arguments: [
        "Дарья", " Björn", "Дарья Ивановна", "señor Ñandú", "von Ärzen", "Dr Ä", "浩 二", "中村", "عمر", "7 Ä", "Ä ",
        "الحسن",
        "Ä \u{308}o", "kim 7", "ß", "ﬁ", "ა", "ế b", "Ä\u{A0}b", "Ä\u{3000}b", "Ä，b", "김 철",
    ])
    func `A name of letters alone has the initial that it has with a remark`(_ name: String) {
        #expect(initials(name, "Z") == initials(name + " (w)", "Z"))
        #expect(initials("Z", name) == initials("Z", name + " (w)"))
    }
}
