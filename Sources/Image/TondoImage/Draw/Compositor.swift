internal import CKernels

/// Composes a picture and a ring on an empty canvas in one pass: `image * cov(R-w-g) + ring * (cov(R) - cov(R-w))`,
/// colours multiplied by alpha.
///
/// A change that changes a byte of any avatar needs a new `AvatarRecipe.rendererVersion`, see `Tests/Checks/goldens`.
struct Compositor {
    let stencil: Stencil

    func draw(_ image: FloatImage) -> Canvas {
        let side = stencil.grid.side
        let bytes = [UInt8](unsafeUninitializedCapacity: side * side * 4) { target, count in
            target.initialize(repeating: 0)
            target.withMemoryRebound(to: SIMD4<UInt8>.self) { pixels in
                for y in 0..<side { drawRow(y, of: image, into: pixels) }
            }
            count = side * side * 4
        }
        return Canvas(side: side, bytes: bytes)
    }

    private func drawRow(_ y: Int, of image: FloatImage, into target: UnsafeMutableBufferPointer<SIMD4<UInt8>>) {
        let side = stencil.grid.side
        if let rim = stencil.rim, let start = target.baseAddress { rim.draw(y, side: side, into: start + y * side) }
        let covered = stencil.image.covered(y: y)
        for x in stencil.image.touched(y: y) where !covered.contains(x) {
            target[y * side + x] = edgePixel(x: x, y: y, of: image)
        }
        drawCovered(covered, y: y, of: image, into: target)
    }

    /// The pixels that the picture covers whole. Most pictures are opaque.
    private func drawCovered(
        _ covered: Range<Int>, y: Int, of image: FloatImage, into target: UnsafeMutableBufferPointer<SIMD4<UInt8>>
    ) {
        if covered.isEmpty { return }
        let first = stencil.grid.pixels.lowerBound
        // Covered columns are inside the picture, and so are their rows.
        let (from, to) = ((y &- first) &* image.side &- first, y &* stencil.grid.side)
        image.pixels.withUnsafeBufferPointer { pixels in
            var x = covered.lowerBound
            if stencil.background == nil, let start = pixels.baseAddress, let out = target.baseAddress {
                x += ckernels_opaque_pixels(
                    UnsafeRawPointer(start + from + x).assumingMemoryBound(to: Float.self), covered.count,
                    UnsafeMutableRawPointer(out + to + x).assumingMemoryBound(to: UInt8.self))
            }
            while x < covered.upperBound {
                target[to &+ x] = Self.straight(backed(pixels[from &+ x]))
                x += 1
            }
        }
    }

    /// A pixel on the edge of the picture.
    private func edgePixel(x: Int, y: Int, of image: FloatImage) -> SIMD4<UInt8> {
        var sum = SIMD4<Float>.zero
        let area = stencil.image.area(x: x, y: y)
        if area > 0 {
            let first = stencil.grid.pixels.lowerBound
            sum = backed(image.pixels[(y - first) * image.side + x - first]) * area
        }
        if let ring = stencil.ring {
            sum += stencil.ringColor * (ring.outer.area(x: x, y: y) - ring.inner.area(x: x, y: y))
        }
        return Self.straight(sum)
    }

    /// The picture's pixel clamped to its range (resampling overshoots), over the background if there is one.
    @inline(__always)
    private func backed(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        let alpha = pixel.w > 255 ? 255 : pixel.w < 0 ? 0 : pixel.w
        // Opaque pictures are at 255, but for the rounding of a sum.
        let clamped = pixel.w > 255.01 ? Self.settled(pixel) : pixel.limited(to: SIMD4(repeating: alpha))
        guard let background = stencil.background else { return clamped }
        return clamped + background * (1 - alpha / 255)
    }

    /// Where alpha overshoots, on hard edges of logos, so do the colours that it multiplies: they keep their ratio to it. Rare, and
    /// by itself so that all other pixels stay in registers.
    @inline(never)
    private static func settled(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
        let settled = pixel * (255 / pixel.w)
        return settled.limited(to: SIMD4(repeating: min(settled.w, 255)))
    }

    /// Divides by alpha and rounds; alpha that rounds to 0 leaves nothing.
    @inline(__always)
    static func straight(_ pixel: SIMD4<Float>) -> SIMD4<UInt8> {
        var values = pixel
        if pixel.w < 254.998 {
            guard pixel.w >= 0.5 else { return .zero }
            values *= 255 / pixel.w
            values.w = pixel.w
        }
        return rounded(values)
    }

    /// Rounds 0...255 to bytes without leaving vector registers: after adding 2^23 the low bits hold the integer.
    @inline(__always)
    private static func rounded(_ values: SIMD4<Float>) -> SIMD4<UInt8> {
        let words = unsafeBitCast(values.limited(to: SIMD4(repeating: 255)) + 8_388_608, to: SIMD4<UInt32>.self)
        return SIMD4<UInt8>(truncatingIfNeeded: words)
    }
}

extension SIMD4<Float> {
    /// Each lane clamped to 0...its limit. The standard library's `clamped` is a call per lane; comparing and replacing
    /// stays in vector registers.
    @inline(__always)
    func limited(to limit: SIMD4<Float>) -> SIMD4<Float> {
        let floored = replacing(with: 0, where: self .< 0)
        return floored.replacing(with: limit, where: floored .> limit)
    }
}
