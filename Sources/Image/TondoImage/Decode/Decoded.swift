/// The decoded region of a photo and the meaning of its colours.
package struct Decoded {
    /// The region of the plan as it is stored: neither oriented nor in sRGB yet.
    package var pixels: Pixels
    /// What the values mean. A PNG's profile is known only after decoding; GIF has none.
    package var profile: EmbeddedProfile
    /// Damage that the decoder passed over.
    package var warnings: [Warning]

    package init(pixels: Pixels, profile: EmbeddedProfile, warnings: [Warning]) {
        self.pixels = pixels
        self.profile = profile
        self.warnings = warnings
    }
}

extension Decoded {
    static func decode(
        _ photo: Photo, header: ImageHeader, plan: DecodePlan, limits: Limits, by linked: LibraryDecoder? = nil
    ) throws(ImageError) -> Decoded {
        switch header.format {
        case .jpeg: try decodeJPEG(photo, header: header, plan: plan, limits: limits)
        case .gif: try decodeGIF(photo.bytes, header: header, plan: plan)
        case .webp: try decodeWebP(photo.bytes, header: header, plan: plan)
        case .png: try decodePNG(photo.bytes, header: header, plan: plan, limits: limits)
        case .heic, .avif, .initials:
            if let linked {
                try linked.decode(photo.bytes, header, plan, limits)
            } else {
                throw LibraryDecoder.missing(header.format)
            }
        }
    }
}

extension UnsafePointer<CChar> {
    /// The text of a fixed C buffer.
    static func text<Buffer>(_ buffer: Buffer) -> String {
        withUnsafeBytes(of: buffer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
