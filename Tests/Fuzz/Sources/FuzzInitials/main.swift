private import FuzzSupport
private import Glibc
private import TondoDrawText
private import TondoImage
private import TondoRender

// The form of drawings of initials, and any text drawn with the fonts of the system: in this process, where the code of CText is
// instrumented, and by the program `tondo-render-text`.
exit(
    Fuzzing.run { bytes, count in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        if let drawing = InitialsDrawing(parsing: bytes) {
            Fuzzing.require(drawing.encoded.elementsEqual(bytes), "a drawing with two forms")
        }
        Initials.draw(bytes)
        return 0
    })

private enum Initials {
    static let workers = FuzzedWorkers(.text)
    static let fonts = FontSet()
    static let digest = InitialsDrawer.digest(of: fonts)
    static let renderer = AvatarRenderer(
        styles: Fuzzing.styles, limits: Fuzzing.limits, linked: InitialsDrawer.prepare(fonts))

    /// The first byte is the weight, the others are the text.
    static func draw(_ bytes: UnsafeRawBufferPointer) {
        let drawing = InitialsDrawing(
            text: String(decoding: bytes.dropFirst(), as: UTF8.self), background: .selection,
            foreground: RGBA(red: 255, green: 255, blue: 255), isBold: bytes.first.map { $0 % 2 == 1 } ?? false,
            fonts: digest)
        let encoded = drawing.encoded
        encoded.withUnsafeBytes { photo in
            Fuzzing.require(
                InitialsDrawing(parsing: photo) == drawing, "a drawing is read otherwise than it was written")
            workers.compare(photo, as: .initials, by: renderer)
        }
    }
}
