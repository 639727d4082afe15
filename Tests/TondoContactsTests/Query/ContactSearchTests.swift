import Testing

@testable import TondoContacts

@Suite struct ContactSearchTests {
    private let contact: Contact = {
        var contact = Contact(id: "a")
        contact.name.given = "Zoë"
        contact.name.family = "Łukasiewicz-Ёлкина"
        contact.name.nicknames = ["Zo"]
        contact.organisation = ["Example Works", "Straße"]
        contact.emails = [ContactPoint("Zoe.L@Example.ORG")]
        contact.phones = [ContactPoint("8 (916) 000-00-01"), ContactPoint("+1 555 0100")]
        return contact
    }()

    @Test(arguments: [
        "", "  ", "zoe", "ZOË", "lukas", "елкина", "ЁЛК", "zoe елк", "works", "strasse", "@example.org", "zoe.l",
        "9160000001", "916 000", "+7 916 000 00 01", "8916", "79160000001", "555-0100", "(555)", "1", "exampleworks",
    ]) func `Letter case, accents and spelling of numbers do not matter`(query: String) {
        #expect(ContactSearch(query).finds(contact))
    }

    @Test(arguments: ["bob", "zoe bob", "7777", "8555", "zoelukas", "examplework"])
    func `What is not there is not found`(query: String) {
        #expect(!ContactSearch(query).finds(contact))
    }

    private func named(_ name: String) -> Contact {
        var contact = Contact(id: "a")
        contact.name.formatted = name
        return contact
    }

    private func reached(at number: String) -> Contact {
        var contact = Contact(id: "a")
        contact.phones = [ContactPoint(number)]
        return contact
    }

    @Test(arguments: [
        (
            "Дмитрий Щербаков",
            ["Dmitri", "dmitry", "dmitriy", "dmitrij", "shcherbakov", "scherb", "shc", "Дми", "щер дми"]
        ),
        ("Юлия Чайковская", ["yulia", "julia", "yuliya", "yuli", "tchaikovskaya", "chaykov"]),
        ("Михаил Хрущёв", ["mikhail", "mihail", "khrush", "хрущев"]),
        ("Сергей Цой", ["sergei", "sergey", "tsoy", "tsoi"]),
        ("Олег Сергій", ["oleh", "serhii"]), ("Наталья", ["natalya", "natalia"]), ("Александр", ["alexandr"]),
        ("Müller Jörg", ["Muller", "Mueller", "MÜLLER", "joerg", "jorg"]), ("Mueller", ["Müller"]),
        ("Strauß", ["strauss"]), ("Øystein", ["oystein", "oeystein"]), ("惠美", ["huimei", "hui mei", "hm", "惠"]),
        ("曾国藩", ["zeng", "zengguofan", "zgf"]), ("吕布", ["lvbu", "lubu"]), ("たなか", ["tanaka", "タナカ", "ﾀﾅｶ"]),
        ("タナカ", ["tanaka", "たなか"]), ("ゆうこ", ["yuko", "yuuko"]), ("김민수", ["kim", "gim", "minsu kim", "ㄱㅁㅅ", "민ㅅ", "기"]),
        ("प्रिया शर्मा", ["priya", "sharma", "प्रि"]), ("Χρήστος", ["christos", "χρηστος"]), ("علی", ["علي"]),
        ("ＡＢＣ", ["abc"]), ("O’Brien", ["o'brien", "obrien"]), ("ﾔﾏﾀﾞ", ["ヤマダ", "yamada"]), ("ヤマダ", ["ﾔﾏﾀﾞ"]),
        ("أحمد", ["احمد", "أحمد"]), ("احمد", ["أحمد"]), ("مُحَمَّد", ["محمد"]), ("إيمان", ["ایمان"]), ("מֹשֶׁה", ["משה"]),
        ("ﻣﺤﻤﺪ", ["محمد"]), ("𝓐𝓭𝓪", ["ada"]), ("ǅemal", ["dzemal"]),
        ("Anne–Marie", ["annemarie", "anne-marie", "anne marie", "marie"]),
        ("Anne Marie", ["anne-marie", "annemarie"]),
        ("Maria de la Cruz", ["delacruz", "DeLaCruz", "mariade", "lacruz"]), ("O Neill", ["oneill"]),
        ("Novak Đoković", ["djokovic", "dokovic"]), ("Djokovic", ["Đoković"]), ("Ђорђе Живковић", ["djordje zivkovic"]),
        ("Милош", ["milos", "milosh"]), ("Володимир Зеленський", ["volodymyr zelenskyy", "volodimir"]),
        ("Григорій", ["hryhoriy"]), ("Людмила", ["lyudmyla", "lyudmila"]), ("Търнев", ["tarnev"]),
        ("Объектов", ["obektov"]),
        ("髙橋", ["高橋", "gaoqiao"]), ("渡邉", ["渡辺", "渡邊"]), ("𠮷田 栄", ["吉田", "吉田栄"]), ("張學友", ["张学友", "张學"]), ("刘", ["劉"]),
        ("Ada Moe", ["Moe, Ada", "“ada” moe", "<ada>", "moe;", ",ada"]), ("Moe, \"Ada\"", ["moe,", "\"ada\""]),
    ]) func `A name is found by its sound on a Latin keyboard, and in its own script`(name: String, queries: [String]) {
        for query in queries { #expect(ContactSearch(query).finds(named(name)), "\(query)") }
    }

    @Test(arguments: [
        ("Дмитрий", ["dima", "x"]), ("惠美", ["humei", "mh"]), ("Muller", ["mueller"]), ("Show", ["шоу"]),
        ("Miller", ["muller"]), ("Sasha", ["sasa"]), ("がく", ["かく"]), ("Ada Moe", ["adam", "moeada", "damoe"]),
        ("Ada", [","]),
        ("a b c d e f", ["abcdef"]), ("高橋", ["橋高"]),
    ]) func `What only resembles a name is not found`(name: String, queries: [String]) {
        for query in queries { #expect(!ContactSearch(query).finds(named(name)), "\(query)") }
    }

    @Test(arguments: [
        ("+7 (916) 123-45-67", ["0791612", "+7 916 12", "8916123", "9161234567", "007916", "(916)", "123-45"]),
        ("0176 123-45678", ["+49 176 12345678", "0049 176 123 456 78", "017612345678"]),
        ("+49 176 12345678", ["0176123", "0176 12345"]),
        ("\u{202A}+1\u{A0}555\u{A0}0100\u{202C}", ["15550100", "555 0100", "\u{202A}+1 555\u{202C}"]),
        ("۰۹۱۲۳۴۵", ["0912"]), ("0912345", ["٠٩١٢"]),
        ("(555) 123-4567", ["+1 555 123 4567", "001 555 1234567"]), ("22 55 01 99", ["+47 22550199"]),
        ("+44 (0)20 7946 0958", ["+442079460958", "02079460958", "00442079", "+44 (0)20 7946"]),
        ("+490176 1234567", ["+491761234567", "0176 1234567"]), ("+39 06 6982", ["+39066982", "066982"]),
        ("(555) 123-4567 ext. 89", ["+15551234567", "555 123 4567 89"]),
        ("1-800-FLOWERS", ["+18003569377", "flowers"]),
        ("+44 20 7946 0958", ["011 44 20 7946 0958", "001144 20 79460958"]), ("011 49 30 1234567", ["+49301234567"]),
        ("011 123 4567", ["0111234567"]),
    ]) func `A number is found by its digits in any spelling`(number: String, queries: [String]) {
        for query in queries { #expect(ContactSearch(query).finds(reached(at: number)), "\(query)") }
    }

    @Test(arguments: [
        ("464", "ing"), ("464", "i"), ("+49 176 123", "07"), ("0176", "+49"), ("555 0100", "0100555"),
        ("(555) 123-45678", "+15551234567"),
    ])
    func `Letters are no digits of a keypad, and digits stay in their order`(number: String, query: String) {
        #expect(!ContactSearch(query).finds(reached(at: number)))
    }

    @Test func `Words match in any fields, in any order`() {
        var ada = named("Boris Vian")
        (ada.title, ada.role, ada.introduction) = ("Analyst", "Lead", "met at the regatta")
        ada.addresses = [ContactPoint("Harbour Street 5\n115035 Москва\nRussia")]
        (ada.name.nicknames, ada.organisation) = (["Bison"], ["Pilots"])
        ada.messengers = [.telegram: "boris_v", .signal: "+46 70 000 11 22"]
        ada.social = [ContactPoint("https://social.example/@boris", types: ["mastodon"])]
        ada.websites = [ContactPoint("https://vian.example.org")]
        ada.related = [ContactPoint("Michelle", types: ["spouse"]), ContactPoint("urn:uuid:77aa")]
        ada.emails = [ContactPoint("boris@xn--exmple-cua.org")]
        ada.groups = [ContactGroup("Sailing Club")]
        for query in [
            "vian boris", "analyst", "lead", "regatta", "moskva", "москва vian", "bison pilots", "boris_v", "4670000",
            "club boris 070 000", "russia", "harbour", "street 5 russia", "social.example/@boris", "vian.example",
            "michelle",
            "exämple.org", "boris@exämple.org", "@boris_v", "https://t.me/boris_v", "tel:+46-70-0001122",
            "mailto:boris@xn",
        ] {
            #expect(ContactSearch(query).finds(ada), "\(query)")
        }
        for query in ["77aa", "signal", "vian regatta zoe", "https://t.me/vian_b"] {
            #expect(!ContactSearch(query).finds(ada), "\(query)")
        }
    }

    @Test func `Marks of direction and joiners in names and queries do not matter`() {
        #expect(ContactSearch("محمد").finds(named("\u{200F}محمد\u{200E}")))
        #expect(ContactSearch("\u{200E}Ada\u{200B}").finds(named("Ada")))
        #expect(ContactSearch("\u{200E}").isEmpty)
    }

    @Test func `A word before a colon is text, unless it is the scheme of an address`() {
        var work = named("Re:work")
        work.emails = [ContactPoint("ada@example.org")]
        for query in ["re:work", "work", "mailto:ada", "sip:ada@example.org", "acct:ada@example.org"] {
            #expect(ContactSearch(query).finds(work), "\(query)")
        }
        for query in ["foo:ada", "email:ada", "https:ada"] { #expect(!ContactSearch(query).finds(work), "\(query)") }
    }
}
