internal import CHEIF
package import TondoImage

/// HEIC and AVIF through libheif. For a process that decodes nothing else: the library is large.
package enum HEIFDecoder {
    /// Loads the library's decoders, before the process is confined. False: a decoder would start threads, which a confined
    /// process must not.
    package static func prepare() -> Bool { cheif_prepare() != 0 }

    /// After `prepare`. Usable on one thread at a time.
    package static var decoder: LinkedDecoder {
        let formats = [ImageHeader.Format.heic, .avif].filter { cheif_decodes($0 == .avif ? 1 : 0) != 0 }
        return LinkedDecoder(Set(formats)) { bytes, header, plan, limits throws(ImageError) in
            try decode(bytes, header, plan, limits)
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan, _ limits: Limits
    ) throws(ImageError) -> Decoded {
        guard let image = header.heif else { throw .corrupt("no picture") }
        let thumbnail = plan.denominator == DecodePlan.thumbnail ? image.thumbnail : nil
        guard bytes.count >= thumbnail?.end ?? image.end else { throw .truncated("the image data end too early") }
        let pixels = try Pixels(transparent: plan.region.width, plan.region.height)
        var request = cheif_request(bytes, header, image, thumbnail)
        request.take(plan, isThumbnail: thumbnail != nil)
        request.target = pixels.bytes
        request.longest_side = UInt32(clamping: min(limits.maxSide, 1 << 20))
        var result = cheif_result()
        try check(cheif_decode(&request, &result), result, header.format)
        pixels.layout = result.has_alpha == 0 ? .opaque : result.is_premultiplied == 0 ? .straight : .premultiplied
        return Decoded(
            pixels: pixels, profile: thumbnail?.profile ?? header.profile,
            warnings: result.warnings > 0 ? [.damaged(count: Int(result.warnings))] : [])
    }

    private static func check(
        _ status: cheif_status, _ result: cheif_result, _ format: ImageHeader.Format
    ) throws(ImageError) {
        let message = withUnsafeBytes(of: result.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch status {
        case CHEIF_OK: return
        case CHEIF_TRUNCATED: throw .truncated("the image data end too early")
        case CHEIF_OUT_OF_MEMORY: throw .outOfMemory
        case CHEIF_UNSUPPORTED: throw .unsupported("\(format.name) image (\(message))")
        default: throw .corrupt(message.isEmpty ? "damaged image data" : message)
        }
    }
}

extension cheif_request {
    /// Borrows `bytes`.
    fileprivate init(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ image: HEIFImage, _ thumbnail: HEIFImage.Thumbnail?
    ) {
        self.init()
        self.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        (item, self.thumbnail) = (UInt32(image.item), UInt32(thumbnail?.item ?? 0))
        let (width, height) = (thumbnail?.width ?? image.width, thumbnail?.height ?? image.height)
        (coded_width, coded_height) = (UInt32(width), UInt32(height))
        let shown = (width: thumbnail?.width ?? header.width, height: thumbnail?.height ?? header.height)
        (shown_width, shown_height) = (UInt32(shown.width), UInt32(shown.height))
        if thumbnail == nil { (shown_x, shown_y) = (UInt32(image.x), UInt32(image.y)) }
    }

    fileprivate mutating func take(_ plan: DecodePlan, isThumbnail: Bool) {
        scale = isThumbnail ? 1 : UInt32(plan.denominator)
        (x, y) = (UInt32(plan.region.x), UInt32(plan.region.y))
        (width, height) = (UInt32(plan.region.width), UInt32(plan.region.height))
    }
}
