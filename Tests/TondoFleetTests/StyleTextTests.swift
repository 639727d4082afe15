import Testing
import TondoImage

@testable import TondoFleet

@Suite struct StyleTextTests {
    static let styles: [Style] = {
        var webP = Style(size: 48, scale: 3, background: RGBA(red: 1, green: 2, blue: 3, alpha: 4))
        webP.format = .webp(quality: 70)
        var square = Style(size: 1024)
        square.shape = .square
        return [
            Style(size: 96), Style(size: 96, scale: 2, state: .selected, ring: .suited(to: 96)),
            Style(size: 50, ring: .suited(to: 50)), webP, square,
        ]
    }()

    @Test(arguments: styles) func `A style is read back from its text`(_ style: Style) {
        #expect(StyleText.style(StyleText.text(style)) == style)
    }

    @Test(arguments: [
        "", "96x1", "96 normal", "0x1 normal", "96x9 normal", "96x1 other", "96x1 normal webp=0",
        "96x1 normal ring=1,2",
        "96x1 normal ring=nan,1,ff0000ff", "96x1 normal ring=90,9,ff0000ff", "96x1 normal colour=red",
        "96x1 normal shape=star",
        "99999999999999999999x1 normal",
    ])
    func `Other text is no style`(_ text: String) { #expect(StyleText.style(text) == nil) }
}
