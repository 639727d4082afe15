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
            let (kept, new) = (known.ranks(of: names, locale), fresh.ranks(of: names, locale))
            for one in names where !one.isEmpty {
                for other in names where !other.isEmpty {
                    #expect((kept[one]! < kept[other]!) == (new[one]! < new[other]!), "\(one) and \(other)")
                }
            }
        }
    }

    @Test func `Names that are gone are dropped when they are the most`() {
        var known = CollatedNames()
        _ = known.ranks(of: Set((0..<1_000).map { "name \($0)" }), "")
        #expect(known.ranks(of: ["b", "a"], "").count < 70)
    }
}
