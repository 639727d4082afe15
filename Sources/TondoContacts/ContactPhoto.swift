/// A contact's picture, not read yet.
package enum ContactPhoto: Hashable, Sendable {
    /// Inside the book.
    case inline(InlinePhoto, crop: PhotoCrop?)
    /// A file the book names: absolute, or relative to the folder of the file that names it. Whether it lies inside
    /// the book's folder is decided by whoever reads it.
    case file(path: String, crop: PhotoCrop?)
    /// Kept, never fetched.
    case remote(url: String)
}

/// The part of the picture the contact shows: pixels of the oriented picture, `y` counted from its bottom. May stick
/// out of the picture.
package struct PhotoCrop: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A picture inside a book, kept as the place of its text so that a book of many photos costs no memory.
package enum InlinePhoto: Hashable, Sendable {
    /// Already decoded.
    case bytes([UInt8])
    /// Text in the contact's file; read those bytes and hand them to `EncodedPhoto.decoded(from:)`.
    case encoded(EncodedPhoto)
}

extension InlinePhoto {
    /// Bytes of memory that it takes to get at the picture.
    package var decodingMemory: Int {
        switch self {
        case .bytes(let bytes): 2 * bytes.count
        case .encoded(let photo): photo.decodingMemory
        }
    }
}
