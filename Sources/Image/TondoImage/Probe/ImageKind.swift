/// The kind of a file, detected from its bytes, never from its name.
package enum ImageKind: Equatable, Sendable {
    case jpeg, png, webp, gif
    /// HEIC or AVIF: the items in it say which.
    case heif
    /// An image in an unsupported format; the text names it in an error ("BMP image").
    case otherImage(String)
    /// Not an image, or not a known one ("text file").
    case nonImage(String)

    /// Looks at the first kilobyte at most. An empty file counts as text.
    package init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.has("\u{FF}\u{D8}") {
            self = .jpeg
        } else if bytes.has("\u{89}PNG\r\n\u{1A}\n") {
            self = .png
        } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if bytes.has("GIF8") {
            self = .gif
        } else {
            self = Self.other(bytes)
        }
    }

    /// Why such a file is not drawn, or nil.
    package var refusal: ImageError? {
        switch self {
        case .jpeg, .png, .webp, .gif, .heif: nil
        case .otherImage(let name): .unsupported("\(name) (save it as JPEG or PNG)")
        case .nonImage(let name): .notAnImage(name)
        }
    }

    /// Leading bytes of other image formats; the first match counts.
    private static let images: [(text: String, name: String)] = [
        ("BM", "BMP image"),
        ("II*\0", "TIFF image"), ("MM\0*", "TIFF image"), ("II+\0", "TIFF image"), ("MM\0+", "TIFF image"),
        // A cursor without pictures would begin as the first of these.
        ("\0\0\u{2}\0\0\0\0\0", "TGA image"), ("\0\0\n\0\0\0\0\0", "TGA image"),
        ("\0\0\u{1}\0", "ICO image"), ("\0\0\u{2}\0", "CUR image"),
        ("\u{FF}\n", "JPEG XL image"), ("\0\0\0\u{C}JXL ", "JPEG XL image"),
        ("\0\0\0\u{C}jP  ", "JPEG 2000 image"), ("\u{FF}O\u{FF}Q", "JPEG 2000 image"),
        ("8BPS", "Photoshop (PSD) image"), ("qoif", "QOI image"), ("\u{8A}MNG", "MNG image"), ("icns", "Apple icon"),
    ]

    /// Leading bytes of other files.
    private static let others: [(text: String, name: String)] = [
        ("%PDF", "PDF document"), ("%!PS", "PostScript document"), ("PK\u{3}\u{4}", "ZIP archive"),
        ("\u{1F}\u{8B}", "gzip archive"),
        // An intact signature was found before: a transfer as text has changed the line ends in this one.
        ("\u{89}PN", "damaged PNG signature"),
    ]

    /// Brands of the ISO base media format (ISO/IEC 14496-12 section 4.3).
    private static let brands: [(text: String, kind: ImageKind)] = [
        ("avif", .heif), ("avis", .heif), ("heic", .heif), ("heix", .heif), ("hevc", .heif), ("hevx", .heif),
        // General brands come last: files list them beside the one that says more.
        ("heim", .heif), ("heis", .heif), ("crx ", .otherImage("Canon raw image")), ("mif1", .heif), ("msf1", .heif),
    ]

    /// The major brand may be a general one; the compatible brands after it are more specific.
    private static func mediaFile(_ bytes: UnsafeRawBufferPointer) -> ImageKind {
        let boxSize = min(Int(bytes[2]) << 8 | Int(bytes[3]), bytes.count, 128)
        let found = brands.first { brand in
            stride(from: 8, to: boxSize, by: 4).contains { bytes.has(brand.text, at: $0) }
        }
        return found?.kind ?? .nonImage("ISO media file")
    }

    private static func other(_ bytes: UnsafeRawBufferPointer) -> ImageKind {
        if bytes.has("ftyp", at: 4) { return mediaFile(bytes) }
        if let match = images.first(where: { bytes.has($0.text) }) { return .otherImage(match.name) }
        if let match = others.first(where: { bytes.has($0.text) }) { return .nonImage(match.name) }
        return text(bytes) ?? .nonImage("unknown format")
    }

    /// Describes a text file by its first kilobyte, or nil if it is not text.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
        let head = bytes.prefix(1024)
        let isText = head.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 || $0 == 12 || $0 == 13 }
        guard isText else { return nil }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("<svg") { return .otherImage("SVG image") }
        if text.contains("begin:vcard") { return .nonImage("vCard file") }
        return .nonImage("text file")
    }
}
