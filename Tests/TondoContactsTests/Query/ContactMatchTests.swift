import Testing

@testable import TondoContacts

@Suite struct ContactMatchTests {
    private func contact(_ change: (inout Contact) -> Void) -> Contact {
        var contact = Contact(id: "a")
        change(&contact)
        return contact
    }

    /// The field, and the text with brackets around what is marked.
    private func shown(_ query: String, in contact: Contact) -> String {
        guard let match = ContactSearch(query).match(in: contact) else { return "" }
        var units = Array(match.text.utf16)
        for range in match.ranges.reversed() {
            units.insert(contentsOf: "]".utf16, at: range.upperBound)
            units.insert(contentsOf: "[".utf16, at: range.lowerBound)
        }
        return "\(match.field): " + String(decoding: units, as: UTF16.self)
    }

    @Test(arguments: [
        ("Zoë Álvaro", "alv zo", "[Zo]ë [Álv]aro"), ("👩‍💻 Müller", "mull", "👩‍💻 [Müll]er"),
        ("E\u{301}lie", "el", "[E\u{301}l]ie"),
        ("Straße", "ss", "Stra[ß]e"), ("İstanbul", "ist", "[İst]anbul"),
        ("Ada Adams Canada", "ada", "[Ada] [Ada]ms Canada"),
        ("Johanna", "ann", "Joh[ann]a"), ("Anna-Ann Johann", "ann", "[Ann]a-[Ann] Johann"),
        ("Дмитрий Щербаков", "dmitri щер", "[Дмитрий] [Щер]баков"), ("Müller", "mueller", "[Müller]"),
        ("李惠美", "mei", "李惠[美]"), ("李惠美", "huim", "李[惠美]"), ("李惠美", "lhm", "[李惠美]"), ("김민수", "minsu", "김[민수]"),
        ("김민수", "ㅁㅅ", "김[민수]"), ("김민수", "기", "[김]민수"), ("タナカ さん", "tanaka", "[タナカ] さん"),
        ("O’Brien", "obri", "[O’Bri]en"), ("Anne-Marie", "annem", "[Anne-M]arie"),
        ("Anne Marie", "anne-m", "[Anne M]arie"),
        ("أحمد علي", "احم", "[أحم]د علي"), ("מֹשֶׁה", "מש", "[מֹשֶׁ]ה"),
    ]) func `What matched is marked in the name as it is shown`(name: String, query: String, marked: String) {
        #expect(shown(query, in: contact { $0.name.formatted = name }) == "name: " + marked)
    }

    private var ada: Contact {
        contact {
            $0.name.formatted = "Ada"
            $0.name.nicknames = ["Enchantress"]
            ($0.title, $0.organisation) = ("Analyst", ["Harbour Pilots"])
            $0.introduction = "Likes harbour tours"
            $0.addresses = [ContactPoint("Quay 1\n411 09 Göteborg")]
            $0.emails = [ContactPoint("ada@pilots.example")]
            $0.phones = [ContactPoint("+7 (916) 123-45-67")]
            $0.messengers = [.telegram: "countess"]
            $0.social = [ContactPoint("@ada@social.example")]
            $0.related = [ContactPoint("Bo Moe")]
            $0.groups = [ContactGroup("Chess")]
        }
    }

    @Test(arguments: [
        ("ada", "name: [Ada]"), ("ench", "nickname: [Ench]antress"), ("anal", "title: [Anal]yst"),
        ("harbour", "company: [Harbour] Pilots"), ("harb pil", "company: [Harb]our [Pil]ots"),
        ("tours harbour", "note: Likes [harbour] [tours]"), ("gote", "city: 411 09 [Göte]borg"),
        ("harbourpilots", "company: [Harbour Pilots]"), ("quay", "address: [Quay] 1"),
        ("quay 411", "city: [411] 09 Göteborg"),
        ("social.ex", "profile: @ada@[social.ex]ample"), ("moe", "related: Bo [Moe]"),
        ("example", "email: ada@pilots.[example]"), ("0791612", "phone: +[7 (916) 12]3-45-67"),
        ("+7 916 12", "phone: +[7 (916) 12]3-45-67"), ("8916", "phone: [+7 (916) 123-45-67]"),
        ("count", "messenger: [count]ess"), ("chess", "group: [Chess]"), ("ada chess", "name: [Ada]"), ("zoe", ""),
        ("", ""),
    ]) func `The field that holds most words is named, the name before others`(query: String, expected: String) {
        #expect(shown(query, in: ada) == expected)
    }

    @Test func `A name that is not shown is named as it is`() {
        let contact = contact { ($0.name.formatted, $0.name.given, $0.name.family) = ("Countess", "Ada", "Lovelace") }
        #expect(shown("love", in: contact) == "name: Ada [Love]lace")
    }

    @Test func `A contact without a name matches where its text is`() {
        #expect(
            shown("ada", in: contact { $0.emails = [ContactPoint("ada@example.org")] }) == "email: [ada]@example.org")
    }

    @Test func `Long notes are shown around the match`() {
        let straw = String(repeating: "straw 🌾 ", count: 60)
        for note in [
            straw + "needle", "needle " + straw, straw + "needle " + straw,
            String(repeating: "n", count: 500) + "needle",
        ] {
            let match = ContactSearch("needle").match(in: contact { $0.introduction = note })
            #expect(match?.text.count ?? 0 <= 120 && match?.text.contains("…") == true)
            #expect(shown("needle", in: contact { $0.introduction = note }).contains("[needle]"))
        }
    }
}
