/// The decoded region of a photo and the meaning of its colours.
struct Decoded {
    var pixels: Pixels
    var profile: EmbeddedProfile
    var warnings: [Warning]
}

extension Decoded {
    /// `bytes`: the whole file.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        switch header.format {
        case .jpeg: try decodeJPEG(bytes, header: header, plan: plan, limits: limits)
        case .png: try decodePNG(bytes, header: header, plan: plan, limits: limits)
        }
    }
}

extension UnsafePointer<CChar> {
    /// The text of a fixed C buffer.
    static func text<Buffer>(_ buffer: Buffer) -> String {
        withUnsafeBytes(of: buffer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
