import Testing

@testable import TondoContacts

@Suite struct ContactHeadlineTests {
    private func contact(_ change: (inout Contact) -> Void) -> Contact {
        var contact = Contact(id: "id-1")
        change(&contact)
        return contact
    }

    @Test func `The name is never empty`() {
        #expect(ContactHeadline(contact { _ in }).displayName == "id-1")
        #expect(
            ContactHeadline(contact { $0.emails = [ContactPoint("ada@example.org")] }).displayName == "ada@example.org")
        let long = ContactHeadline(contact { $0.name.formatted = String(repeating: "ж", count: 5_000) })
        #expect(long.displayName == String(repeating: "ж", count: 512))
    }

    @Test func `It has the initials of the avatar`() {
        let ada = contact {
            $0.name.formatted = "+46 1 23"
            $0.emails = [ContactPoint("ada.okafor@example.org")]
        }
        #expect(ContactHeadline(ada).initials == "AO" && ada.initials == "AO")
        #expect(ContactHeadline(contact { _ in }).initials == "")
    }

    @Test func `A packed contact has the same headline`() {
        for sort in [nil, ContactSort.Name.given, .family] {
            for contact in [
                contact { _ in }, contact { $0.emails = [ContactPoint("x@example.org")] },
                contact { ($0.name.given, $0.name.family) = ("Ada", "Lovelace") },
                contact { $0.name.formatted = "Öl" }, contact { $0.name.nicknames = ["Bo"] },
                contact { ($0.kind, $0.name.formatted) = (.organisation, "The Acme Oy") },
                contact { ($0.name.formatted, $0.organisation) = ("112", ["Acme Tools"]) },
            ] {
                var headlines = ContactHeadlines(sort: sort)
                let headline = headlines.headline(of: contact)
                #expect(headlines.headline(of: PackedContact(contact)) == headline)
                #expect(headlines.section(of: PackedContact(contact)) == headline.section)
            }
        }
    }

    @Test func `The section is that of the name by which the list is sorted`() {
        let ada = contact { ($0.name.given, $0.name.family, $0.name.formatted) = ("Ada", "Lovelace", "Countess") }
        let sections = [nil, ContactSort.Name.given, .family].map { sort in
            var headlines = ContactHeadlines(sort: sort)
            return headlines.headline(of: ada).section
        }
        #expect(sections == ["C", "A", "L"])
        var headlines = ContactHeadlines(sort: .given)
        #expect(headlines.headline(of: contact { $0.name.family = "Lovelace" }).section == "L")
        #expect(headlines.headline(of: contact { _ in }).section == "#")
        // Its address is shown, and it comes last all the same: under N, that letter would stand twice.
        let nameless = contact { $0.emails = [ContactPoint("nobody@example.org")] }
        #expect(headlines.headline(of: nameless).section == "#")
        #expect(headlines.section(of: PackedContact(nameless)) == "#")
    }
}

@Suite struct SectionTitlesTests {
    @Test(
        arguments: [
            (
                "",
                [
                    "Ada": "A", "ada": "A", "Öl": "O", "Éva": "E", "Ångström": "A", "ßa": "S", "Ёлка": "Е", "йод": "Й",
                    "李": "李", "3M": "#", "": "#", "+46": "#", "👩‍💻": "#", " Bo": "B", "Łódź": "L", "ａ": "A", "أحمد": "ا",
                    "e\u{301}": "E",
                ]
            ),
            ("sv", ["Öl": "Ö", "Ångström": "Å", "Éva": "E"]), ("de", ["Öl": "O"]), ("cs", ["Čapek": "Č", "Áda": "A"]),
            ("ru", ["Ёлка": "Е", "Йод": "Й", "Ада": "А"]),
            ("zh", ["李明": "L", "王": "W", "张": "Z", "陈": "C", "阿": "A", "Ada": "A", "七": "Q"]),
            ("zh_Hant", ["李": "李"]),
        ] as [(String, [String: String])])
    func `A name stands under its letter`(_ locale: String, _ names: [String: String]) {
        var titles = SectionTitles(locale: locale)
        for (name, title) in names {
            for _ in 0..<2 { #expect(titles.title(of: name) == title, "\(name) in \(locale)") }
        }
    }

    @Test(arguments: ["", "hi", "ko", "ja", "uk"])
    func `A name stands under a letter of its script`(_ locale: String) {
        let names = [
            "민수": "ㅁ", "김": "ㄱ", "까치": "ㄱ", "ㅁ": "ㅁ", "\u{1106}\u{1175}\u{11AB}": "ㅁ", "प्रिया": "प", "नि": "न",
            "क्षमा": "क", "ख़ान": "ख", "বাংলা": "ব", "ਪੰਜਾਬ": "ਪ", "తెలుగు": "త", "ശ്രീ": "ശ", "සිංහල": "ස", "ကို": "က",
            "ខ្មែរ": "ខ", "เกษม": "ก", "ไทย": "ท", "ແພງ": "ພ", "たなか": "た", "タナカ": "た", "ﾀﾅｶ": "た", "がく": "か",
            "ぱ": "は", "ゃ": "や", "ン": "わ", "ヴ": "あ", "أحمد": "ا", "آدم": "ا", "ﻣ": "م", "יוסף": "י", "ךא": "כ",
            "έλλη": "Ε", "Ὦ": "Ω", "ёлка": "Е", "გიორგი": "გ", "ﬁn": "F", "ª": "A",
        ]
        var titles = SectionTitles(locale: locale)
        for (name, title) in names { #expect(titles.title(of: name) == title, "\(name) in \(locale)") }
    }

    @Test(arguments: [
        "\u{200F}محمد": "م", "\u{202A}Ada": "A", "\u{301}a": "A", "\u{301}": "#", "\u{93F}": "#", "\u{1175}": "#",
        "ー": "#",
        "ʻOkina": "#", "١": "#", "５": "#", "㈱": "#",
    ]) func `No mark is a letter, and marks of direction hide none`(_ name: String, _ title: String) {
        var titles = SectionTitles()
        #expect(titles.title(of: name) == title)
    }

    @Test func `What was met before changes no title`() {
        let words = [
            "Öl", "O\u{308}l", "O\u{330}l", "Ö\u{330}x", " Öl", " Bo", "Ёж", "Е\u{308}ж", "李", "李\u{FE00}", "×2", "Øre",
            "Ǆ",
        ]
        for locale in ["", "sv", "zh"] {
            var titles = SectionTitles(locale: locale)
            for word in (words + words.reversed()) {
                var own = SectionTitles(locale: locale)
                #expect(titles.title(of: word) == own.title(of: word), "\(word) in \(locale)")
            }
        }
    }

    @Test(arguments: ["", "sv", "ru", "zh", "cs", "es"])
    func `Every letter of a sorted list stands in one row`(_ locale: String) {
        let words = [
            "ada", "Ångström", "Zebra", "öl", "Ole", "Özil", "Émile", "eve", "Елка", "Ёлка", "Еж", "Йод", "Игла",
            "čas", "cash", "Czar", "niño", "ñu", "nz", "ärla", "Łódź", "luz", "김", "까치", "나", "기", "प्रिया", "नि", "पा", "न",
            "たなか", "タケ", "だ", "ち", "エマ", "あい", "เกษม", "กา", "ไทย", "ทา",
        ]
        var names: [ContactName] = []
        for word in words {
            var name = ContactName()
            name.given = word
            names.append(name)
        }
        var known = CollatedNames()
        var titles = SectionTitles(locale: locale)
        let order = ContactSort(.given, locale: locale).order(of: names, ids: words, &known)
        let sections = ContactSection.all(of: order.map { titles.title(of: words[$0]) })
        #expect(Set(sections.map(\.title)).count == sections.count, "\(sections.map(\.title))")
        #expect(sections.reduce(0) { $0 + $1.count } == words.count)
    }

    @Test func `Sections have the places of their first contacts`() {
        let sections = ContactSection.all(of: ["A", "A", "B", "A"])
        #expect(
            sections == [
                ContactSection(title: "A", offset: 0, count: 2), ContactSection(title: "B", offset: 2, count: 1),
                ContactSection(title: "A", offset: 3, count: 1),
            ])
        #expect(ContactSection.all(of: [String]()) == [])
    }

    @Test(arguments: [
        "sv-SE": "sv", "sv": "sv", "en-GB": "", "de": "", "ru_RU": "ru", "nb-NO": "no", "zh-Hans-CN": "zh", "zh": "zh",
        "zh-TW": "zh_Hant", "zh-Hant-HK": "zh_Hant", "": "", "x": "", "SV": "sv", "../etc": "", "sv\u{0}": "",
    ])
    func `A language tag gives the rules of its language`(_ tag: String, _ identifier: String) {
        #expect(CollationLocale.identifier(tag) == identifier)
    }
}
