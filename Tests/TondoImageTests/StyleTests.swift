import Testing

@testable import TondoImage

@Suite struct StyleTests {
    @Test func `The same pixels have one canonical text`() {
        let a = Style(size: 96, scale: 1, ring: nil)
        let b = Style(size: 48, scale: 2, ring: nil)
        let c = Style(size: 48, scale: 2, ring: .init(width: 0, gap: 0, color: .selection))
        #expect(a.canonicalText == b.canonicalText)
        #expect(b.canonicalText == c.canonicalText)
    }

    @Test func `The ring's colour does not matter where no ring is drawn`() {
        let red = RGBA(red: 255, green: 0, blue: 0)
        let a = Style(size: 96, state: .normal, ring: .suited(to: 96))
        let b = Style(size: 96, state: .normal, ring: .suited(to: 96, color: red))
        #expect(a.canonicalText == b.canonicalText)
    }

    @Test func `An invisible ring has the text of no ring`() {
        let clear = RGBA(red: 10, green: 20, blue: 30, alpha: 0)
        let selected = Style(size: 96, state: .selected, ring: .suited(to: 96, color: clear))
        let normal = Style(size: 96, state: .normal, ring: .suited(to: 96, color: clear))
        #expect(selected.canonicalText == normal.canonicalText)
    }

    @Test func `An invisible background has the text of no background`() {
        let clear = RGBA(red: 10, green: 20, blue: 30, alpha: 0)
        #expect(Style(size: 96, background: clear).canonicalText == Style(size: 96).canonicalText)
    }

    @Test func `Every field that changes pixels changes the text`() {
        let base = Style(size: 96, state: .selected, ring: .init(width: 4, gap: 3, color: .selection))
        var variants = [base, base, base, base, base, base, base]
        variants[0].size = 97
        variants[1].scale = 2
        variants[2].state = .normal
        variants[3].ring?.width = 5
        variants[4].ring?.gap = 2
        variants[5].ring?.color.alpha = 254
        variants[6].background = RGBA(red: 0, green: 0, blue: 0)
        #expect(Set(variants.map(\.canonicalText) + [base.canonicalText]).count == 8)
    }

    @Test func `Ring width and gap that only add up alike are different`() {
        let a = Style(size: 96, state: .selected, ring: .init(width: 4, gap: 3, color: .selection))
        let b = Style(size: 96, state: .selected, ring: .init(width: 3, gap: 4, color: .selection))
        #expect(a.canonicalText != b.canonicalText)
    }

    @Test func `A ring that leaves no room is a problem`() {
        let ring = Style.Ring(width: 24, gap: 24, color: .selection)
        #expect(Style(size: 96, ring: ring).problem != nil)
        #expect(Style(size: 1, state: .selected, ring: .suited(to: 1)).problem == nil)
    }
}

@Suite struct RGBATests {
    @Test(arguments: ["#0A84FF", "0a84ff", "#0a84ffff", "#0A84FFFF"])
    func `One colour has many spellings`(_ text: String) { #expect(RGBA(text) == .selection) }

    @Test func `Short forms repeat each digit`() {
        #expect(RGBA("#abc") == RGBA(red: 0xAA, green: 0xBB, blue: 0xCC))
        #expect(RGBA("#abc8") == RGBA(red: 0xAA, green: 0xBB, blue: 0xCC, alpha: 0x88))
        #expect(RGBA("White") == RGBA(red: 255, green: 255, blue: 255))
    }

    @Test(arguments: ["", "#", "##abc", "#12", "#12345", "#1234567", "#123456789", "bluish", "#gg0000", "#＃1234"])
    func `Anything else is no colour`(_ text: String) { #expect(RGBA(text) == nil) }
}
