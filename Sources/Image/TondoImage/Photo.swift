/// A contact's photo: encoded bytes and the crop. Borrows its bytes.
package struct Photo {
    /// The whole file. The caller keeps it in place until the drawing is done.
    package var bytes: UnsafeRawBufferPointer
    /// The bytes are a private mapping, whose pages may be released once they are read.
    package var isMapped: Bool
    /// Pixels of the oriented picture.
    package var crop: CropRectangle?

    package init(_ bytes: UnsafeRawBufferPointer, isMapped: Bool = false, crop: CropRectangle? = nil) {
        self.bytes = bytes
        self.isMapped = isMapped
        self.crop = crop
    }
}
