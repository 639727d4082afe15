/// Iterates over the pixels of filtered rows and skips the filter bytes.
struct PixelCursor {
    /// Offset of the pixel.
    private(set) var at: Int
    private var rowEnd: Int
    private let stride: Int

    /// The first pixel of the row whose filter byte is at `row`.
    init(row: Int, stride: Int) {
        at = row + 1
        rowEnd = row + stride
        self.stride = stride
    }

    /// Moves to the next pixel.
    @inline(__always)
    mutating func advance() {
        at &+= 4
        if at == rowEnd {
            at &+= 1
            rowEnd &+= stride
        }
    }

    /// Moves to the first pixel that starts at `end` or after.
    @inline(__always)
    mutating func skip(to end: Int) {
        while end > rowEnd { rowEnd &+= stride }
        let row = rowEnd &- stride &+ 1
        at = end <= row ? row : row &+ (end &- row &+ 3) & ~3
        if at == rowEnd {
            at &+= 1
            rowEnd &+= stride
        }
    }
}
