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
        let (left, right) = (max(region.x, frame.x), min(region.x + region.width, frame.x + frame.width))
        let (top, bottom) = (max(region.y, frame.y), min(region.y + region.height, frame.y + frame.height))
        let pixels = try Pixels(transparent: region.width, height: region.height)
        // The whole picture, whatever the region is: damage below it counts, unless the file merely ends there.
        let count = frame.width * frame.height
        guard let memory = malloc(count + GIFImageData.slack) else { throw .outOfMemory }
        defer { free(memory) }
        let indices = memory.assumingMemoryBound(to: UInt8.self)
        var data = GIFImageData(bytes: bytes, at: frame.data)
        let unpacked = try data.unpack(codeSize: frame.codeSize, into: indices, count: count)
        let isWhole = unpacked == count
        // As in a JPEG: rows below those that are shown may be missing.
        guard isWhole || !frame.isInterlaced && top < bottom && unpacked >= (bottom - frame.y) * frame.width else {
            throw .truncated("the image data end too early")
        }
        let colors = GIFColors(bytes: bytes, frame: frame)
        var isOpaque = left == region.x && right == region.x + region.width && top == region.y
        isOpaque = isOpaque && bottom == region.y + region.height
        for y in top..<max(top, bottom) where left < right {
            let row = indices + frame.storedRow(y - frame.y) * frame.width + left - frame.x
            let target = pixels.bytes + ((y - region.y) * region.width + left - region.x) * 4
            if !colors.paint(row, count: right - left, to: target) { isOpaque = false }
        }
        if isOpaque { pixels.layout = .opaque }
        return Decoded(pixels: pixels, profile: .none, warnings: isWhole ? [] : [.cutShort])
    }
}

/// R, G, B, A of each index, the first one lowest; 0 for the transparent one, and for those that the table lacks.
private struct GIFColors {
    private var values = [UInt32](repeating: 0, count: 256)

    init(bytes: UnsafeRawBufferPointer, frame: GIFFrame) {
        if frame.colors.isEmpty { useDefaults(transparent: frame.transparent) }
        for index in 0..<frame.colors.count / 3 where index != frame.transparent {
            let place = frame.colors.lowerBound + index * 3
            let (red, green, blue) = (UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2]))
            values[index] = (red | green << 8 | blue << 16 | 0xFF00_0000).littleEndian
        }
    }

    /// Without a table, a program uses one of its own that begins with black and white (GIF89a specification, section 18);
    /// the others are as many grays.
    private mutating func useDefaults(transparent: Int?) {
        for index in 0..<256 where index != transparent {
            let gray = index == 1 ? 255 : UInt32(index)
            values[index] = (gray | gray << 8 | gray << 16 | 0xFF00_0000).littleEndian
        }
    }

    /// Writes four bytes of `target` for each index. True if all pixels are opaque.
    func paint(_ indices: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        let target = UnsafeMutableRawPointer(target)
        return values.withUnsafeBufferPointer { values in
            // The bits that all colours share: alpha's are among them, unless one is transparent, which is 0.
            var common = UInt32.max
            for place in 0..<count {
                let color = values[Int(indices[place])]
                common &= color
                target.storeBytes(of: color, toByteOffset: place * 4, as: UInt32.self)
            }
            return common != 0
        }
    }
}
