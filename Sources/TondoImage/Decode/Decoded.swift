/// The decoded region of a photo and the meaning of its colours.
struct Decoded {
    var pixels: Pixels
    var profile: EmbeddedProfile
    var warnings: [Warning]
}

extension Decoded {
    /// `bytes`: the whole file. `isMapped`: they are a private file mapping whose pages may be dropped once read.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, limits: Limits, isMapped: Bool
    ) throws(ImageError) -> Decoded {
        switch header.format {
        case .jpeg: try decodeJPEG(bytes, header: header, plan: plan, limits: limits, isMapped: isMapped)
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
