/// A decoded picture: `height` rows of `width` x 4 bytes, freed with its last owner.
package final class Pixels {
    package enum Layout: Equatable {
        /// R, G, B, 255.
        case opaque
        /// R, G, B, A; colours not multiplied.
        case straight
        /// R, G, B, A; colours already multiplied by A.
        case premultiplied
        /// C, M, Y, K as amounts of ink, 0 = none.
        case cmyk
    }

    package let width: Int
    package let height: Int
    package var layout: Layout
    package let bytes: UnsafeMutablePointer<UInt8>

    /// Takes over `bytes`, `width * height * 4` of them, which must come from `malloc`.
    init(adopting bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int, layout: Layout) {
        self.bytes = bytes
        self.width = width
        self.height = height
        self.layout = layout
    }

    /// Transparent pixels.
    package convenience init(transparent width: Int, _ height: Int) throws(ImageError) {
        guard let memory = calloc(max(width * height, 1), 4) else { throw .outOfMemory }
        self.init(
            adopting: memory.assumingMemoryBound(to: UInt8.self), width: width, height: height, layout: .straight)
    }

    deinit { free(bytes) }

    var count: Int { width * height * 4 }
}

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif
