internal import CText
package import TondoImage
package import TondoRender

/// Draws initials through Pango and Cairo. For a process with one thread that does nothing else: the libraries are large.
package enum InitialsDrawer {
    /// Maps the fonts, before the process is confined; none is opened afterwards. Called once; in tests by one thread at a time.
    package static func prepare(_ fonts: FontSet) -> LibraryDecoder {
        ctext_prepare()
        let digest = digest(of: fonts)
        for file in fonts.files {
            let weights = (file.isRegular ? CTEXT_REGULAR : 0) | (file.isBold ? CTEXT_BOLD : 0)
            // One that cannot be opened is like one that is not there: its letters are missing.
            _ = ctext_add_font(file.path, Int32(weights), file.isEmoji ? 1 : 0)
        }
        return LibraryDecoder { drawing throws(ImageError) in
            guard !fonts.isEmpty else { throw .unsupported("initials without a font (install \(FontSet.packages))") }
            // An avatar is kept under the fonts of its drawing.
            guard drawing.fonts == digest else { throw .otherFonts }
            let layout = try Layout(drawing: drawing)
            return { layout.draw(in: $0) }
        }
    }

    /// SHA-256.
    package static func digest(of fonts: FontSet) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: InitialsDrawing.fontBytes)
        let identity = fonts.identity
        ctext_digest(identity, identity.count, &digest)
        return digest
    }
}

/// Letters in their places, freed with the last owner.
private final class Layout {
    private let drawing: InitialsDrawing
    private let layout: OpaquePointer

    init(drawing: InitialsDrawing) throws(ImageError) {
        self.drawing = drawing
        var layout: OpaquePointer?
        var missing: UInt32 = 0
        var text = drawing.text
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // Pango reads up to the count, but wants an address for an empty text, too.
                ctext_lay_out(
                    $0.baseAddress ?? UnsafePointer(bitPattern: 1), $0.count, drawing.isBold ? 1 : 0, &layout, &missing)
            }
        }
        switch status {
        case CTEXT_NO_GLYPH: throw .missingGlyph(missing)
        case CTEXT_OUT_OF_MEMORY: throw .outOfMemory
        default: break
        }
        guard let layout else { throw .missingGlyph(0) }
        self.layout = layout
    }

    deinit { ctext_free(layout) }

    func draw(in square: DrawingSquare) -> Pixels {
        let size = ctext_square(pixels: UInt32(square.pixels), side: square.side)
        guard let pixels = try? Pixels(transparent: square.pixels, height: square.pixels),
            ctext_draw(
                layout, size, drawing.background.bytes, (drawing.bottom ?? drawing.background).bytes,
                drawing.foreground.bytes, pixels.bytes) != 0
        else {
            // Like every other allocation of a picture: the process ends, and another one draws the next.
            fatalError("out of memory")
        }
        pixels.layout = .opaque
        return pixels
    }
}

extension RGBA {
    fileprivate var bytes: [UInt8] { [red, green, blue] }
}
