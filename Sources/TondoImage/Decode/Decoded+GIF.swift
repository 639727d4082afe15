#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

extension Decoded {
    /// The first image on its screen, which is transparent elsewhere, whatever its background colour is: as browsers
    /// show it.
    static func decodeGIF(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        guard let frame = header.gif, frame.width > 0, frame.height > 0 else {
            throw .corrupt("width or height is zero")
        }
        let region = plan.region
        let count = frame.width * frame.height
        guard let indices = malloc(count) else { throw .outOfMemory }
        defer { free(indices) }
        var data = GIFImageData(bytes, at: frame.data)
        let target = UnsafeMutableBufferPointer(start: indices.assumingMemoryBound(to: UInt8.self), count: count)
        try data.unpack(codeSize: frame.codeSize, into: target)
        let pixels = try Pixels(transparent: region.width, region.height)
        let colors = GIFColors(bytes, frame)
        let (left, right) = (max(region.x, frame.x), min(region.x + region.width, frame.x + frame.width))
        let (top, bottom) = (max(region.y, frame.y), min(region.y + region.height, frame.y + frame.height))
        var isOpaque = left == region.x && right == region.x + region.width && top == region.y
        isOpaque = isOpaque && bottom == region.y + region.height
        for y in top..<max(top, bottom) {
            let row = frame.storedRow(y - frame.y) * frame.width
            for x in left..<max(left, right) {
                let color = colors.values[Int(target[row + x - frame.x])]
                if color == 0 { isOpaque = false }
                let place = ((y - region.y) * region.width + x - region.x) * 4
                UnsafeMutableRawPointer(pixels.bytes).storeBytes(
                    of: color.littleEndian, toByteOffset: place, as: UInt32.self)
            }
        }
        if isOpaque { pixels.layout = .opaque }
        return Decoded(pixels: pixels, profile: .none, warnings: [])
    }
}

/// R, G, B, A of each index, the first one lowest; 0 for the transparent one, and for those that the table lacks.
private struct GIFColors {
    private(set) var values = [UInt32](repeating: 0, count: 256)

    init(_ bytes: UnsafeRawBufferPointer, _ frame: GIFFrame) {
        for index in 0..<frame.colors.count / 3 where index != frame.transparent {
            let place = frame.colors.lowerBound + index * 3
            let (red, green, blue) = (UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2]))
            values[index] = red | green << 8 | blue << 16 | 0xFF00_0000
        }
    }
}
