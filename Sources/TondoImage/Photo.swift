/// A contact's photo: encoded bytes and the crop. Borrows its bytes.
package struct Photo {
    package var bytes: UnsafeRawBufferPointer
    /// Pixels of the oriented picture.
    package var crop: CropRectangle?

    package init(_ bytes: UnsafeRawBufferPointer, crop: CropRectangle? = nil) {
        (self.bytes, self.crop) = (bytes, crop)
    }
}
