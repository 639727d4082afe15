import Testing

@testable import TondoAvatars
@testable import tondo

@Suite struct DifferenceTextTests {
    private func lines(_ differences: (name: String, wanted: String?, found: String?)...) -> [String] {
        DifferenceText.lines(of: differences.map { .init(name: $0.name, wanted: $0.wanted, found: $0.found) })
    }

    @Test func `Another ring width is one reason, since its room follows from it`() {
        #expect(
            lines(("inset", "9", "7"), ("ring", "6", "4"))
                == ["other ring width: 6 pixels requested, 4 in the cache"])
    }

    @Test func `Another gap is a reason of its own`() {
        #expect(
            lines(("inset", "10", "7"), ("ring", "6", "4")) == [
                "other room for ring and gap: 10 pixels requested, 7 in the cache",
                "other ring width: 6 pixels requested, 4 in the cache",
            ])
    }

    @Test func `A ring that only one of the two has is one reason`() {
        #expect(
            lines(("inset", "7", "0"), ("ring", "4", nil), ("ring-color", "0a84ffff", nil))
                == ["a ring of 4 pixels requested; the entry has none"])
        #expect(
            lines(("ring", nil, "4"), ("ring-color", nil, "0a84ffff"))
                == ["no ring requested; the entry has one of 4 pixels"])
    }

    @Test func `Another colour of a ring is a reason`() {
        #expect(
            lines(("ring-color", "ff0000ff", "0a84ffff"))
                == ["other ring colour: ff0000ff requested, 0a84ffff in the cache"])
    }

    @Test(arguments: [
        ("face/1", "none", "the face (rule 1)", "the centre"), ("top", "face/2", "the top", "the face (rule 2)"),
        ("none", "1,2,3,4", "the centre", "the contact's crop 1,2,3,4"),
    ])
    func `Another crop is a reason, in words`(_ wanted: String, _ found: String, _ words: String, _ others: String) {
        #expect(lines(("crop", wanted, found)) == ["other crop: \(words) requested, \(others) in the cache"])
    }

    @Test func `Photo, renderer, decode, size and crop have words of their own`() {
        let all = lines(
            ("photo", "a", "b"), ("crop", "none", "1,2,3,4"), ("side", "96", "48"), ("decode", "1/2", "1/1"),
            ("renderer", "2", "1"))
        #expect(
            all.map { $0.prefix { $0 != ":" } }
                == ["other bytes", "other crop", "other size", "other decode", "other renderer"])
    }
}
