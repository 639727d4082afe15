internal import CJPEG

/// Encodes pictures as JPEG, by libjpeg-turbo: the same bytes only by one version of it.
package enum JPEGEncoder {
    /// A picture of `height` rows of `width` pixels of red, green, blue and a byte that is not read.
    package struct Picture: Sendable {
        package let pixels: [UInt8]
        package let width: Int
        package let height: Int
        /// All colours are grays: one component is enough.
        let isGray: Bool

        package init(pixels: [UInt8], width: Int, height: Int) {
            precondition(pixels.count == width * height * 4, "not four bytes a pixel")
            self.pixels = pixels
            self.width = width
            self.height = height
            isGray = stride(from: 0, to: pixels.count, by: 4).allSatisfy { (index: Int) -> Bool in
                let red = pixels[index]
                return pixels[index + 1] == red && pixels[index + 2] == red
            }
        }
    }

    /// Qualities for photos of people: below the first, faces show blocks; above the last, files grow and show nothing more.
    package static let qualities = 50...95
    /// From here on, colours have the same resolution as light: at equal bytes below, a better quality with half of it is nearer to
    /// the photo (SSIM 0.984 against 0.983 for a portrait of 95 kB).
    private static let fullChroma = qualities.upperBound

    /// The best one of `qualities` that fits into `maxBytes`, baseline or progressive, whichever is smaller. Nil: none fits.
    /// Throws `outOfMemory`.
    package static func best(_ picture: Picture, maxBytes: Int) throws(ImageError) -> [UInt8]? {
        var best: (quality: Int, bytes: [UInt8])?
        var range = qualities
        while !range.isEmpty {
            // The most frequent answer first, then halves.
            let isFirst = range == qualities
            let quality = isFirst ? range.upperBound : (range.lowerBound + range.upperBound) / 2
            if let bytes = try encode(picture, quality: quality, isProgressive: true, maxBytes: maxBytes) {
                best = (quality, bytes)
                if quality == range.upperBound { break }
                range = (quality + 1)...range.upperBound
            } else if quality == range.lowerBound {
                break
            } else {
                range = range.lowerBound...(quality - 1)
            }
        }
        let quality = best?.quality ?? qualities.lowerBound
        let baseline = try encode(
            picture, quality: quality, isProgressive: false, maxBytes: best.map { $0.bytes.count - 1 } ?? maxBytes)
        return baseline ?? best?.bytes
    }

    /// Nil: it is longer than `maxBytes`. Throws `outOfMemory`.
    static func encode(
        _ picture: Picture, quality: Int, isProgressive: Bool, maxBytes: Int
    ) throws(ImageError) -> [UInt8]? {
        var status = CJPEG_OK
        let bytes = picture.pixels.withUnsafeBufferPointer { pixels in
            let request = cjpeg_picture(
                pixels: pixels.baseAddress, width: UInt32(picture.width), height: UInt32(picture.height),
                quality: Int32(quality), gray: picture.isGray ? 1 : 0, progressive: isProgressive ? 1 : 0,
                full_chroma: quality >= fullChroma ? 1 : 0)
            return [UInt8](unsafeUninitializedCapacity: max(maxBytes, 0)) { buffer, count in
                status = withUnsafePointer(to: request) {
                    cjpeg_encode($0, buffer.baseAddress, buffer.count, &count)
                }
                if status != CJPEG_OK { count = 0 }
            }
        }
        if status == CJPEG_OUT_OF_MEMORY { throw .outOfMemory }
        return status == CJPEG_OK ? bytes : nil
    }
}
