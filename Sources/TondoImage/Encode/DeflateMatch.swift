/// A stretch of bytes that occurred before (RFC 1951 section 3.2.3).
struct DeflateMatch {
    /// Offset of the first byte.
    var start: Int
    /// Bytes, not limited to 258: longer ones are coded as several.
    var length: Int
    /// The distance back in bytes.
    var distance: Int

    static var none: Self { Self(start: 0, length: 0, distance: 1) }
}
