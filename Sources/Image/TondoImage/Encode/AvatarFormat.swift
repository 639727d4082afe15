internal import CWebP

/// How an avatar is encoded.
package enum AvatarFormat: Hashable, Sendable {
    /// Without loss, and the same bytes everywhere.
    case png
    /// Colours with loss in this quality, 1...100, and alpha without. The same bytes only by one version of libwebp.
    case webp(quality: Int)

    /// What people call it; also the extension of a file's name.
    package enum Name: String, CaseIterable, Sendable { case png, webp }

    /// `quality`: of WebP.
    package init(_ name: Name, quality: Int = usualQuality) {
        self = name == .webp ? .webp(quality: quality) : .png
    }

    /// The permitted qualities of WebP: a larger number gives a better and longer file.
    package static let qualities = 1...100
    /// A fifth of a PNG's bytes at 96 pixels, with 34 dB: `Tests/Bench/formats.py` measures both.
    package static let usualQuality = 85

    /// The words of a recipe: different bytes have different text.
    package var canonicalText: String {
        switch self {
        case .png: "format=png"
        case .webp(let quality): "format=webp quality=\(quality) encoder=libwebp-\(WebPEncoder.libraryVersion)"
        }
    }

    /// The format without its quality.
    package var name: Name { self == .png ? .png : .webp }

    /// The quality of WebP; nil: PNG.
    package var quality: Int? { if case .webp(let quality) = self { quality } else { nil } }

    /// RFC 2083 and RFC 9649.
    package var mediaType: String { "image/" + name.rawValue }
}

extension AvatarFormat {
    /// Encodes a canvas; `texts`: the entries that the avatar carries, which must be valid, see `PNGText`. Throws only for
    /// WebP, whose encoder may lack memory.
    package func encode(_ canvas: Canvas, texts: [(keyword: String, value: String)]) throws(ImageError) -> [UInt8] {
        switch self {
        case .png:
            PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side, text: texts)
        case .webp(let quality): try WebPEncoder.encode(canvas, quality: quality, texts: texts)
        }
    }

    /// Whether these bytes have the form of what `encode` gives for a canvas of this side and these texts. The pixels are not
    /// decoded.
    package func isForm(
        _ bytes: UnsafeRawBufferPointer, side: Int, texts: [(keyword: String, value: String)]
    ) -> Bool {
        switch self {
        case .png: PNGEncoder.isForm(bytes, width: side, height: side, text: texts)
        case .webp: WebPEncoder.isForm(bytes, side: side, texts: texts)
        }
    }
}
