/// A finished avatar before encoding: `side` rows x `side` columns x 4 bytes R, G, B, A, straight alpha; colours are 0
/// wherever alpha is 0.
package struct Canvas: Sendable {
    package let side: Int
    /// Rows from the top, without padding between them.
    package let bytes: [UInt8]

    package init(side: Int, bytes: [UInt8]) {
        self.side = side
        self.bytes = bytes
    }
}

extension Canvas {
    /// A picture without circle and ring: its centre square, upright and in sRGB, at its own size or, if that is
    /// larger, `longestSide` pixels a side. Usable from any thread.
    package init(showing photo: Photo, longestSide: Int) throws(RenderError) {
        let header = try Stage.probe.run { () throws(ImageError) in try ImageHeader(probing: photo.bytes) }
        let side = min(header.width, header.height, longestSide)
        let prepared = try PreparedPhoto(
            photo: photo, side: Double(side), limits: Limits(), transforms: ColorTransforms())
        self.init(prepared.image(for: Grid(side: side, inset: 0)))
    }

    /// `image` with each value clamped to its range, and colours divided by alpha.
    private init(_ image: FloatImage) {
        let side = image.side
        let bytes = [UInt8](unsafeUninitializedCapacity: side * side * 4) { target, count in
            target.withMemoryRebound(to: SIMD4<UInt8>.self) { pixels in
                for (i, pixel) in image.pixels.enumerated() {
                    let alpha = min(max(pixel.w, 0), 255)
                    pixels.initializeElement(
                        at: i, to: Compositor.straight(pixel.limited(to: SIMD4(repeating: alpha))))
                }
            }
            count = side * side * 4
        }
        self.init(side: side, bytes: bytes)
    }
}
