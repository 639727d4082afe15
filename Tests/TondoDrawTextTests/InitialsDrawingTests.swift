import Testing
import TondoImage

@Suite struct InitialsInScriptsTests {
    /// Of one or two letters, which end at the line of capitals and stand on the base line.
    static let capitals = ["H", "HE", "AE", "ΗΕ", "Ж", "НИ", "ÉH", "HŻ", "10"]
    /// Of other scripts, and what is centred by its ink: Arabic, Hebrew, Devanagari, Thai, Han, Kana, Hangul, Georgian, Tamil,
    /// Ethiopic, Bengali, emoji.
    static let others = ["م", "مع", "א", "शि", "ทศ", "山", "山田", "あ", "김", "ქ", "த", "ሀ", "ক", "😀"]

    private let initials: DrawnInitials

    init() throws { initials = try DrawnInitials() }

    @Test(arguments: capitals + others + ["WW", "QQ", "ЩЩ", "A😀", "Ǻ"], [48, 96, 256])
    func `Letters are inside the circle`(_ text: String, _ side: Int) throws {
        let ink = Ink(try LocalInitials.draw(text, side: side))
        #expect(ink.count > side * side / 60, "no letters")
        #expect(ink.reach < Double(side) * 0.46, "they reach \(ink.reach) of \(side) pixels from the middle")
    }

    @Test(arguments: ["H", "HE", "ΗΕ", "Ж", "НИ"], [48, 95, 96, 256]) func `Capitals stand in the middle`(
        _ text: String, _ side: Int
    ) throws {
        let ink = Ink(try LocalInitials.draw(text, side: side))
        #expect(abs(ink.top - (side - ink.bottom)) <= 1, "\(ink.top) above, \(side - ink.bottom) below")
        #expect(abs(ink.left - (side - ink.right)) <= 1, "\(ink.left) left, \(side - ink.right) right")
    }

    @Test(arguments: ["É", "ÉH", "Ż", "Й", "Ç", "Q"]) func `Marks do not move capitals`(_ text: String) throws {
        let plain = Ink(try LocalInitials.draw("HE"))
        let single = Ink(try LocalInitials.draw("H"))
        let marked = Ink(try LocalInitials.draw(text))
        let like = text.count == 1 ? single : plain
        // The foot or the head of the letter without its mark; round letters go a little beyond both.
        let isBelow = text == "Ç" || text == "Q"
        #expect(abs(isBelow ? marked.top - like.top : marked.bottom - like.bottom) <= 3)
    }

    @Test(arguments: others) func `Ink is in the middle`(_ text: String) throws {
        let ink = Ink(try LocalInitials.draw(text))
        #expect(abs(ink.top - (256 - ink.bottom)) <= 2, "\(ink.top) above, \(256 - ink.bottom) below")
        #expect(abs(ink.left - (256 - ink.right)) <= 2, "\(ink.left) left, \(256 - ink.right) right")
    }

    @Test func `Edges of capitals fall between pixels`() throws {
        for side in [48, 64, 95, 96, 256] {
            let canvas = try LocalInitials.draw("H", side: side)
            let values = stride(from: 0, to: canvas.bytes.count, by: 4).map { canvas.bytes[$0] }
            let rows = (0..<side).map { values[$0 * side..<($0 + 1) * side].max() ?? 0 }
            #expect(Set(rows).subtracting([0, 255]).allSatisfy { $0 < 12 || $0 > 243 }, "\(side): \(Set(rows))")
        }
    }

    @Test(arguments: capitals + others) func `Two processes draw the same bytes`(_ text: String) throws {
        let styles = [Style(size: 24), Style(size: 20, ring: .suited(to: 20))]
        let bytes = DrawnInitials.drawing(text).encoded
        #expect(try initials.encode(bytes, styles) == DrawnInitials().encode(bytes, styles))
    }

    @Test func `An avatar does not depend on those drawn along with it, or before it`() throws {
        let styles = [Style(size: 16), Style(size: 40)]
        let bytes = DrawnInitials.drawing("AO").encoded
        let both = try initials.encode(bytes, styles)
        for text in ["山", "م", "😀"] { #expect(initials.error(text) == nil) }
        #expect(try initials.encode(bytes, [styles[0]])[0] == both[0])
    }

    @Test func `Emoji are coloured, and take the form that is asked for`() throws {
        #expect(Ink(try LocalInitials.draw("😀")).colored > 1_000)
        #expect(Ink(try LocalInitials.draw("A😀")).colored > 1_000)
        #expect(Ink(try LocalInitials.draw("❤\u{FE0F}")).colored > 1_000)
        #expect(Ink(try LocalInitials.draw("❤\u{FE0E}")).colored == 0)
    }

    @Test func `Arabic letters are joined, and run from right to left`() throws {
        let joined = Ink(try LocalInitials.draw("مع"))
        let apart = Ink(try LocalInitials.draw("م ع"))
        #expect(joined.count != apart.count)
        #expect(try LocalInitials.draw("אב").bytes != LocalInitials.draw("בא").bytes)
        #expect(try LocalInitials.draw("אב").bytes == LocalInitials.draw("\u{202D}בא").bytes)
    }

    @Test func `Bold letters are bolder`() throws {
        #expect(Ink(try LocalInitials.draw("H")).count > Ink(try LocalInitials.draw("H", isBold: false)).count * 5 / 4)
    }

    @Test func `Without letters there is a plain disc`() throws {
        #expect(Set(try LocalInitials.draw("").bytes) == [0, 255])
        #expect(Ink(try LocalInitials.draw("\u{200B}\u{202E}")).count == 0)
    }
}
