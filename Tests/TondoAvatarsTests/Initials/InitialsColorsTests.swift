import Testing
import TondoContacts
import TondoImage

@testable import TondoAvatars

@Suite struct InitialsColorsTests {
    private let white = RGBA(red: 255, green: 255, blue: 255)

    private func colors(_ rule: InitialsRule, _ name: String, identity: String = "") -> InitialsColors {
        InitialsColors(rule: rule, identity: identity, name: name)
    }

    @Test func `The contrast is that of WCAG`() {
        #expect(RGBA(red: 0, green: 0, blue: 0).contrast(with: white) == 21)
        #expect(white.contrast(with: white) == 1)
        // The grey that is known as the lightest one on white with 4.5:1.
        let gray = RGBA(red: 0x76, green: 0x76, blue: 0x76)
        #expect(abs(gray.contrast(with: white) - 4.54) < 0.005)
    }

    @Test func `Letters have a contrast of at least 4.5 to 1 in every colour`() {
        for colors in InitialsColors.own {
            #expect(colors.letters.contrast(with: colors.background) >= 4.5)
        }
    }

    @Test func `Every disc stands out from a light and a dark page`() {
        for colors in InitialsColors.own {
            #expect(colors.background.contrast(with: white) >= 3)
            #expect(colors.background.contrast(with: RGBA(red: 0x12, green: 0x12, blue: 0x12)) >= 3)
        }
    }

    @Test func `A new name leaves the colour as it is`() {
        #expect(colors(.tondo, "Ada", identity: "id-1") == colors(.tondo, "Bo", identity: "id-1"))
    }

    @Test func `Every colour is used about as often as any other`() {
        var counts: [InitialsColors: Int] = [:]
        for number in 0..<1_600 { counts[colors(.tondo, "", identity: "id-\(number)"), default: 0] += 1 }
        #expect(counts.count == InitialsColors.own.count && counts.values.allSatisfy { 60...140 ~= $0 })
    }

    @Test(arguments: [("Ada Okafor", 6), ("ada", 8), ("李明", 9), ("Jörg Schröder", 14)])
    func `Adwaita's colour is that of its hash of signed bytes`(_ name: String, _ number: Int) {
        #expect(colors(.adwaita, name) == InitialsColors.adwaita[number - 1] && colors(.adwaita, name).isBold)
    }

    @Test func `Adwaita's first colour has its three tones`() {
        let blue = InitialsColors.adwaita[0]
        #expect(
            [blue.letters, blue.background, blue.bottom].map(\.?.hexadecimal) == ["cfe1f5ff", "83b6ecff", "337fdcff"])
    }

    @Test(arguments: [
        // Of Nextcloud's own tests.
        ("abcdefghi", "0082c9ff", "e5f2f9ff"),
        ("Ada Okafor", "1e78c1ff", "e8f1f8ff"), ("É", "93b27bff", "f4f7f1ff"),
        ("0123456789ABCDEF0123456789abcdef", "ddcb55ff", "fbf9eeff"),
        ("0123-4567-89ab-cdef-0123-4567-89ab-cdef-", "ddcb55ff", "fbf9eeff"),
    ])
    func `Nextcloud's colours are those of its server`(_ name: String, _ letters: String, _ background: String) {
        let colors = colors(.nextcloud, name)
        #expect(colors.letters.hexadecimal == letters && colors.background.hexadecimal == background)
    }

    @Test func `Kirigami's colours are of its palette without the last one`() {
        let all = Set((0..<500).map { colors(.kirigami, "name \($0)") })
        #expect(all == Set(InitialsColors.kirigami.dropLast()))
        #expect(all.allSatisfy { $0.letters.contrast(with: $0.background) >= 4.5 })
    }
}
