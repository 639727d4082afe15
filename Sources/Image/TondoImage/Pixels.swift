/// A decoded picture: `height` rows of `width` x 4 bytes, freed with its last owner.
package final class Pixels {
    /// What the four bytes of each pixel mean.
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
    /// Changes together with the bytes, which are converted in place.
    package var layout: Layout
    /// Rows from the top, without padding. Valid as long as this object lives.
    package let bytes: UnsafeMutablePointer<UInt8>

    /// Takes over `bytes`, `width * height * 4` of them, which must come from `malloc`.
    init(adopting bytes: UnsafeMutablePointer<UInt8>, width: Int, height: Int, layout: Layout) {
        self.bytes = bytes
        self.width = width
        self.height = height
        self.layout = layout
    }

    /// Transparent pixels.
    package convenience init(transparent width: Int, height: Int) throws(ImageError) {
        // calloc(3) may return nil for no bytes, which would look like a lack of memory.
        guard let memory = calloc(max(width * height, 1), 4) else { throw .outOfMemory }
        self.init(
            adopting: memory.assumingMemoryBound(to: UInt8.self), width: width, height: height, layout: .straight)
    }

    deinit { free(bytes) }

    var count: Int { width * height * 4 }

    /// Every pixel is transparent.
    var isInvisible: Bool {
        (layout == .straight || layout == .premultiplied) && (0..<width * height).allSatisfy { bytes[$0 * 4 + 3] == 0 }
    }
}

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

extension Pixels {
    /// Converts each value v to 255 - v.
    func invert() {
        for i in 0..<count { bytes[i] = ~bytes[i] }
    }

    /// B, G, R, A becomes R, G, B, A.
    func swapRedAndBlue() {
        for i in stride(from: 0, to: count, by: 4) { (bytes[i], bytes[i + 2]) = (bytes[i + 2], bytes[i]) }
    }

    /// Ink amounts become R, G, B, 255 without a profile: R = (255 - C)(255 - K) / 255, rounded.
    func convertCMYKToRGB() {
        for i in stride(from: 0, to: count, by: 4) {
            let paper = 255 - Int(bytes[i + 3])
            for c in 0..<3 { bytes[i + c] = UInt8(((255 - Int(bytes[i + c])) * paper + 127) / 255) }
            bytes[i + 3] = 255
        }
        layout = .opaque
    }
}
