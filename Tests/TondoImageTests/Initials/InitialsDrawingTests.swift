import Testing

@testable import TondoImage

@Suite struct InitialsDrawingTests {
    private let fonts = [UInt8](0..<32)

    private func drawing(_ text: String, isBold: Bool = true) -> InitialsDrawing {
        InitialsDrawing(
            text: text, background: RGBA(red: 0x12, green: 0xAB, blue: 0),
            foreground: RGBA(red: 255, green: 255, blue: 254),
            isBold: isBold, fonts: fonts)
    }

    private func parsed(_ bytes: [UInt8]) -> InitialsDrawing? { bytes.withUnsafeBytes { InitialsDrawing(parsing: $0) } }

    private func parsed(_ text: String) -> InitialsDrawing? { parsed(Array(text.utf8)) }

    private let lines = [
        "tondo-initials 1", "background=#12ab00", "foreground=#fffffe", "weight=bold",
        "fonts=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "text=AO",
    ]

    @Test func `The bytes of a drawing are six lines`() {
        #expect(String(decoding: drawing("AO").encoded, as: UTF8.self) == lines.joined(separator: "\n"))
    }

    @Test(arguments: ["", "AO", "Ż", "م", "山田", "👩‍👩‍👧‍👦", "e\u{301}\u{302}", "a=b#c"])
    func `A drawing is read as it was written`(_ text: String) {
        for isBold in [false, true] {
            let drawing = drawing(text, isBold: isBold)
            #expect(drawing.text == text && parsed(drawing.encoded) == drawing)
        }
    }

    @Test func `Another order, form, version or end is no drawing`() {
        #expect(parsed(lines.joined(separator: "\n")) != nil)
        for changed in [
            lines.joined(separator: "\n") + "\n", lines.joined(separator: "\r\n"),
            lines.dropLast().joined(separator: "\n"),
            ([lines[0], lines[2], lines[1]] + lines[3...]).joined(separator: "\n"), "", "tondo-initials 1\n",
            "\u{FEFF}" + lines.joined(separator: "\n"),
        ] { #expect(parsed(changed) == nil, "\(changed)") }
    }

    @Test(arguments: [
        (0, "tondo-initials 2"), (1, "background=#12AB00"), (1, "background=#12ab00ff"), (1, "background=12ab00"),
        (1, "background=red"), (2, "foreground="), (3, "weight=semibold"), (3, "weight="), (4, "fonts=00"),
        (4, "fonts="),
        (5, "text=a\u{1}"), (5, "text=a\u{2028}"), (5, "text=123456789"), (5, "text"), (5, "text=a\nb"),
    ]) func `A line in another form is no drawing`(_ index: Int, _ line: String) {
        var changed = lines
        changed[index] = line
        #expect(parsed(changed.joined(separator: "\n")) == nil)
    }

    @Test func `A text that is not UTF-8, or too long, is no drawing`() {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        #expect(parsed(bytes + [0xFF]) == nil)
        #expect(parsed(bytes + [UInt8](repeating: 0xCC, count: 1)) == nil)
        #expect(parsed(lines.joined(separator: "\n") + String(repeating: "\u{301}", count: 32)) == nil)
    }

    @Test func `Of a long text the first letters are shown, whole ones`() {
        #expect(drawing("123456789").text == "12345678")
        let family = "👩‍👩‍👧‍👦"
        #expect(family.utf8.count == 25 && drawing(family + family + family).text == family + family)
    }

    @Test func `Of a letter with too many marks the first ones are shown`() {
        let bomb = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(drawing(bomb).text.utf8.count == 63)
        #expect(parsed(drawing(bomb).encoded) == drawing(bomb))
    }

    @Test func `Control characters and the alpha of colours are left out`() {
        let drawing = InitialsDrawing(
            text: "A\u{0}\u{1B}\n\u{9B}\u{2029}B", background: RGBA(red: 1, green: 2, blue: 3, alpha: 4),
            foreground: RGBA(red: 5, green: 6, blue: 7, alpha: 0), fonts: fonts)
        #expect(drawing.text == "AB" && drawing.background.alpha == 255 && drawing.foreground.alpha == 255)
    }

    @Test func `A photo that begins like a drawing is a text file`() {
        drawing("AO").encoded.withUnsafeBytes { bytes in
            _ = #expect(throws: ImageError.self) { try ImageHeader(probing: bytes) }
        }
    }

    @Test func `The geometry of drawings is remembered like that of photos`() {
        #expect(PhotoGeometry.initials.packed.flatMap { PhotoGeometry(packed: $0) } == .initials)
    }
}

@Suite struct DrawnPhotoTests {
    private let drawing = InitialsDrawing(
        text: "A", background: RGBA(red: 1, green: 2, blue: 3), foreground: RGBA(red: 4, green: 5, blue: 6),
        fonts: [UInt8](repeating: 0, count: 32))

    /// Each square in gray, as bright as its side.
    private let gray = LibraryDecoder(drawing: { _ throws(ImageError) in
        { square in
            guard let pixels = try? Pixels(transparent: square.pixels, height: square.pixels) else {
                preconditionFailure("no memory for a few pixels")
            }
            for i in 0..<pixels.count { pixels.bytes[i] = i % 4 == 3 ? 255 : UInt8(square.pixels) }
            pixels.layout = .opaque
            return pixels
        }
    })

    private func draw(_ bytes: [UInt8], _ styles: [Style], _ linked: LibraryDecoder?) -> [Canvas]? {
        bytes.withUnsafeBytes { try? AvatarRenderer(styles: styles, linked: linked).draw(Photo($0)).canvases }
    }

    private func middle(_ canvas: Canvas) -> [UInt8] {
        let start = (canvas.side / 2 * canvas.side + canvas.side / 2) * 4
        return Array(canvas.bytes[start..<start + 4])
    }

    @Test func `Each size is drawn separately, without what a ring takes`() {
        let ring = Style.Ring(width: 2, gap: 1.25, color: .selection)
        let canvases = draw(drawing.encoded, [Style(size: 10), Style(size: 20), Style(size: 30, ring: ring)], gray)
        #expect(canvases?.map(middle) == [[10, 10, 10, 255], [20, 20, 20, 255], [24, 24, 24, 255]])
    }

    @Test func `A square inside a ring begins between two pixels`() {
        let square = DrawingSquare(grid: Grid(side: 30, inset: 3.25))
        #expect(square == DrawingSquare(pixels: 24, inset: 0.25) && square.side == 23.5)
    }

    @Test func `A renderer without fonts draws no initials, and one with fonts no photos`() {
        #expect(draw(drawing.encoded, [Style(size: 8)], nil) == nil)
        #expect(draw(Silhouette.photo, [Style(size: 8)], gray) == nil)
        #expect(draw(Silhouette.photo, [Style(size: 8)], nil)?.count == 1)
    }
}
