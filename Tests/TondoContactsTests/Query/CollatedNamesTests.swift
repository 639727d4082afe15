import Foundation
import Testing
import TondoTestSupport

@testable import TondoContacts

@Suite struct CollatedNamesTests {
    @Test(arguments: ["", "sv_SE", "zh_CN"]) func `Names that are put into a known order have the order of a new one`(
        locale: String
    ) {
        var numbers = SplitMix64(11)
        let letters = ["a", "A", "å", "ä", "z", "é", "e", "ё", "Ж", "李", "王", "-", "1"]
        var known = CollatedNames()
        var names: Set<String> = []
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...9, using: &numbers) {
                let length = Int.random(in: 0...3, using: &numbers)
                names.insert((0..<length).map { _ in letters.randomElement(using: &numbers) ?? "" }.joined())
            }
            while names.count > 40 { names.removeFirst() }
            var fresh = CollatedNames()
            let kept = known.ranked(names, locale)
            let new = fresh.ranked(names, locale)
            for one in names where !one.isEmpty {
                for other in names where !other.isEmpty {
                    #expect((kept[one]! < kept[other]!) == (new[one]! < new[other]!), "\(one) and \(other)")
                }
            }
        }
    }

    @Test func `Names that are gone are dropped when they are the most`() {
        var known = CollatedNames()
        _ = known.ranked(Set((0..<1_000).map { "name \($0)" }), "")
        #expect(known.count == 1_000)
        #expect(known.ranked(["b", "a"], "") == ["a": 1, "b": 2] && known.count == 2)
    }

    @Test(arguments: ["given", "family-desc"], ["", "sv", "de"])
    func `All contacts are ordered as each two of them`(word: String, locale: String) throws {
        var random = SplitMix64(3)
        let letters = ["", "a", "A", " å ", "e", "é", "王", "-"]
        let sort = try #require(ContactSort(word, locale: locale))
        let comparison = NameComparison(sort: sort)
        for _ in 0..<20 {
            let names = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                var name = ContactName()
                name.given = letters.randomElement(using: &random) ?? ""
                name.family = letters.randomElement(using: &random) ?? ""
                name.formatted = letters.randomElement(using: &random) ?? ""
                return name
            }
            let ids = names.map { _ in "id \(Int.random(in: 0..<1_000_000, using: &random))" }
            let keys = zip(names, ids).map { comparison.key(of: $0, id: $1) }
            var known = CollatedNames()
            let order = sort.order(of: names, ids: ids, &known)
            #expect(order == names.indices.sorted { comparison.isBefore(keys[$0], keys[$1]) })
        }
    }

    /// Foundation's comparison makes no difference between some letters that the rules distinguish, such as ligatures.
    @Test(arguments: [
        "", "sv", "da", "de", "cs", "es", "et", "hu", "lt", "th", "ru", "uk", "el", "vi", "tr", "ja", "ko",
    ])
    func `Sort keys have the order of comparisons by the rules`(locale: String) {
        let names = [
            "Aa", "aa", "AA", "Ab", "Az", "Åsa", "Äsa", "Asa", "Česla", "Cesla", "Ch", "Ci", "Dž", "Dz", "Ll", "Lm",
            "Ñ", "N",
            "O'Neil", "ONeil", "O Neil", "O-Neil", "Öz", "Oz", "Šime", "Sime", "Straße", "Strasse", "Straßer", "Þor",
            "W", "V", "Ži",
            "Z", "Ёлка", "Елка", "Жук", "Ґ", "Г", "Άννα", "Αννα", "ไก่", "เก", "أحمد", "احمد", "שלום", "김", "가", "みか",
            "ミカ", "1", "10", "2",
            "e\u{301}", "é", "e", "É", "ﬁn", "fin", "-", "_", "🙂", "a b", "ab", "a\u{200D}b", "Iı", "II", "iI",
        ]
        let (rules, keys) = (Collation(locale), Locale(identifier: locale))
        for one in names {
            for other in names {
                let (first, second) = (rules.key(one), rules.key(other))
                let order = one.compare(other, options: .numeric, range: nil, locale: keys)
                let found: ComparisonResult =
                    first == second
                    ? .orderedSame : first.lexicographicallyPrecedes(second) ? .orderedAscending : .orderedDescending
                #expect(order == .orderedSame || found == order, "\(one) and \(other)")
            }
        }
    }

    @Test func `Names that begin with a Han character come last, in the Chinese order`() {
        let rules = Collation("sv")
        let names = ["王", "Öberg", "李", "Żuk", "Zed", "🙂"].sorted {
            rules.key($0).lexicographicallyPrecedes(rules.key($1))
        }
        #expect(Array(names.suffix(2)) == ["李", "王"])
        #expect(rules.key("").count > 1 && rules.key(String(repeating: "ö", count: 1_000)).count > 1_000)
    }
}

extension CollatedNames {
    /// The ranks of names, as one order of contacts with these names makes them.
    fileprivate mutating func ranked(_ names: Set<String>, _ locale: String) -> [String: Int32] {
        begin(locale, contacts: names.count)
        let list = Array(names)
        let numbers = numbers(of: list)
        rank()
        return zip(list, numbers).reduce(into: [:]) { $0[$1.0] = rank(of: $1.1) }
    }
}
