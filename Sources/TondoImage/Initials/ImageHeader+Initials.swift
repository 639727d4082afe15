extension ImageHeader {
    /// The sides are nominal: a drawing is made at whatever size is requested.
    static let initials = ImageHeader(format: .initials, width: 1_024, height: 1_024)

    /// Of bytes that are to be drawn as initials: only their source can know that they are some, as everything else in this
    /// form is a text file.
    init(initials bytes: UnsafeRawBufferPointer) throws(ImageError) {
        guard let drawing = InitialsDrawing(parsing: bytes) else { throw .notAnImage("not a drawing of initials") }
        self = .initials
        initials = drawing
    }
}
