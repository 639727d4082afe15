/// A decoder of formats whose library is linked with one program alone, which passes it to its renderer. Or what draws
/// initials there: then every photo is a drawing of initials, and no other is decoded.
package struct LibraryDecoder: Sendable {
    /// Decodes the region of a plan. The bytes are the whole file, and valid during the call only.
    package typealias Decode =
        @Sendable (UnsafeRawBufferPointer, ImageHeader, DecodePlan, Limits) throws(ImageError) -> Decoded

    let formats: Set<ImageHeader.Format>
    let decode: Decode
    /// Nil: it decodes.
    let draw: Draw?

    /// `decode`: the region of the plan, of a file in one of these formats. The limits were checked by the header, which the
    /// data may contradict.
    package init(formats: Set<ImageHeader.Format>, decode: @escaping Decode) {
        self.formats = formats
        self.decode = decode
        draw = nil
    }

    /// Lays letters out, and throws if they cannot be drawn; the result draws them, once for each size.
    package typealias Draw =
        @Sendable (InitialsDrawing) throws(ImageError) -> (DrawingSquare) -> Pixels

    /// For a program that draws initials and decodes no photo.
    package init(drawing draw: @escaping Draw) {
        formats = [.initials]
        decode = { (_, header, _, _) throws(ImageError) in throw Self.missing(header.format) }
        self.draw = draw
    }

    /// Formats that TondoImage decodes by itself.
    private static let own: Set<ImageHeader.Format> = [.jpeg, .png, .webp, .gif]

    /// Throws if neither TondoImage nor `linked` decodes the format.
    static func check(_ format: ImageHeader.Format, linked: LibraryDecoder?) throws(ImageError) {
        guard own.contains(format) || linked?.formats.contains(format) == true
        else { throw missing(format, linked: linked) }
    }

    /// The error for a format that this process cannot decode. `linked`: its decoder, if it has one for other formats.
    package static func missing(_ format: ImageHeader.Format, linked: LibraryDecoder? = nil) -> ImageError {
        let verb = format == .initials ? "drawn" : "decoded"
        let reason = linked == nil ? "\(verb) in a confined process only" : "its library has no decoder for it"
        return .unsupported("\(format.name) (\(reason))")
    }
}
