/// The decoded region of a photo and the meaning of its colours.
struct Decoded {
    var pixels: Pixels
    var profile: EmbeddedProfile
    var warnings: [Warning]
}

extension Decoded {
    static func decode(
        _ photo: Photo, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        switch header.format {
        case .jpeg: try decodeJPEG(photo, header: header, plan: plan, limits: limits)
        case .gif: try decodeGIF(photo.bytes, header: header, plan: plan)
        case .webp: try decodeWebP(photo.bytes, header: header, plan: plan)
        case .png: try decodePNG(photo.bytes, header: header, plan: plan, limits: limits)
        }
    }
}

extension UnsafePointer<CChar> {
    /// The text of a fixed C buffer.
    static func text<Buffer>(_ buffer: Buffer) -> String {
        withUnsafeBytes(of: buffer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
