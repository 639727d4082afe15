import Testing

@testable import TondoImage

@Suite struct InitialsGradientTests {
    private let blue = RGBA(red: 1, green: 2, blue: 255)
    private let white = RGBA(red: 255, green: 255, blue: 255)

    private func drawing(_ bottom: RGBA?) -> InitialsDrawing {
        InitialsDrawing(
            text: "AO", background: blue, bottom: bottom, foreground: white,
            fonts: [UInt8](repeating: 0, count: InitialsDrawing.fontBytes))
    }

    @Test func `A background of two colours is read as it was written`() {
        let drawing = drawing(white)
        #expect(drawing.encoded.withUnsafeBytes { InitialsDrawing(parsing: $0) } == drawing)
        #expect(String(decoding: drawing.encoded, as: UTF8.self).contains("background=#0102ff-#ffffff\n"))
    }

    @Test func `Two equal colours are a plain background`() {
        #expect(drawing(blue) == drawing(nil) && drawing(blue).encoded == drawing(nil).encoded)
    }

    @Test(arguments: ["#0102ff-", "-#0102ff", "#0102ff-#0102ff", "#0102ff-#ffffff-#0102ff", "#0102ff-red"])
    func `Another form of the colours is no drawing`(_ colors: String) {
        let text = String(decoding: drawing(white).encoded, as: UTF8.self).replacing("#0102ff-#ffffff", with: colors)
        #expect(Array(text.utf8).withUnsafeBytes { InitialsDrawing(parsing: $0) } == nil)
    }
}
