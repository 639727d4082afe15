/// A contact's photo, not read yet.
package enum ContactPhoto: Hashable, Sendable {
    /// Inside the book.
    case inline(InlinePhoto, crop: PhotoCrop?)
    /// A file that the book names: absolute, or relative to the folder of the naming file. The reader checks whether it
    /// is inside the book's folder.
    case file(path: String, crop: PhotoCrop?)
    /// Kept, never fetched.
    case remote(url: String)
}

/// The part of the photo that the contact shows: pixels of the oriented photo, `y` counted from its bottom. May extend
/// beyond the photo.
package struct PhotoCrop: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}

/// A photo inside a book, kept as the position of its text so that a book with many photos needs little memory.
package enum InlinePhoto: Hashable, Sendable {
    /// Already decoded.
    case bytes([UInt8])
    /// Text in the contact's file; read those bytes and pass them to `EncodedPhoto.decoded(from:)`.
    case encoded(EncodedPhoto)
}

extension InlinePhoto {
    /// Bytes of memory that decoding needs.
    package var decodingMemory: Int {
        switch self {
        case .bytes(let bytes): 2 * bytes.count
        case .encoded(let photo): photo.decodingMemory
        }
    }
}
