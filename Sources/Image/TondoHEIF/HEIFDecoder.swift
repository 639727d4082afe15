internal import CHEIF
package import TondoImage

/// HEIC and AVIF through libheif. For a process that decodes nothing else: the library is large.
package enum HEIFDecoder {
    /// Loads the library's decoders, before the process is confined. False: a decoder would start threads, which a confined
    /// process must not.
    package static func prepare() -> Bool { cheif_prepare() != 0 }

    /// After `prepare`. Usable on one thread at a time.
    package static var decoder: LibraryDecoder {
        let formats = [ImageHeader.Format.heic, .avif].filter { cheif_decodes($0 == .avif ? 1 : 0) != 0 }
        return LibraryDecoder(formats: Set(formats)) { bytes, header, plan, limits throws(ImageError) in
            try decode(bytes, header: header, plan: plan, limits: limits)
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        guard let image = header.heif else { throw .corrupt("no picture") }
        let thumbnail = plan.denominator == DecodePlan.thumbnail ? image.thumbnail : nil
        let pixels = try Pixels(transparent: plan.region.width, height: plan.region.height)
        var region = cheif_region(plan: plan, isThumbnail: thumbnail != nil)
        region.show(header, image: image, thumbnail: thumbnail)
        region.target = pixels.bytes
        let picture = HEIFPictureFile(bytes: bytes, format: header.format, limits: limits)
        var warnings = try picture.draw(thumbnail?.picture ?? image.picture) { file, result in
            cheif_colors(file, &region, result)
        }
        pixels.layout = .opaque
        if let alpha = image.alpha, thumbnail == nil {
            var cover = cheif_cover(alpha)
            warnings += try picture.draw(alpha.picture) { file, result in cheif_alpha(file, &region, &cover, result) }
            pixels.layout = alpha.isMultiplied ? .premultiplied : .straight
        }
        return Decoded(
            pixels: pixels, profile: thumbnail?.profile ?? header.profile,
            warnings: warnings > 0 ? [.damaged(count: warnings)] : [])
    }
}

extension cheif_region {
    fileprivate init(plan: DecodePlan, isThumbnail: Bool) {
        self.init()
        scale = isThumbnail ? 1 : UInt32(plan.denominator)
        x = UInt32(plan.region.x)
        y = UInt32(plan.region.y)
        width = UInt32(plan.region.width)
        height = UInt32(plan.region.height)
    }

    fileprivate mutating func show(_ header: ImageHeader, image: HEIFImage, thumbnail: HEIFImage.Thumbnail?) {
        shown_width = UInt32(thumbnail?.width ?? header.width)
        shown_height = UInt32(thumbnail?.height ?? header.height)
        if thumbnail == nil {
            shown_x = UInt32(image.x)
            shown_y = UInt32(image.y)
        }
    }
}

extension cheif_cover {
    fileprivate init(_ alpha: HEIFImage.Alpha) {
        self.init()
        x = UInt32(alpha.shown.x)
        y = UInt32(alpha.shown.y)
        width = UInt32(alpha.shown.width)
        height = UInt32(alpha.shown.height)
        transposes = alpha.turn.transposes ? 1 : 0
        flips_x = alpha.turn.flipsX ? 1 : 0
        flips_y = alpha.turn.flipsY ? 1 : 0
    }
}
