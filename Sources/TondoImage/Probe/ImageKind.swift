/// What kind of file the bytes are, whatever their name says.
package enum ImageKind: Equatable, Sendable {
    case jpeg, png
    /// Something else; the text says what in an error ("WebP image").
    case other(String)

    package init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.has("\u{FF}\u{D8}") {
            self = .jpeg
        } else if bytes.has("\u{89}PNG\r\n\u{1A}\n") {
            self = .png
        } else {
            self = .other(Self.name(of: bytes))
        }
    }

    /// Leading bytes and the kind they mean, first match wins.
    private static let signatures: [(text: String, offset: Int, name: String)] = [
        ("GIF8", 0, "GIF image"),
        ("BM", 0, "BMP image"),
        ("II*\0", 0, "TIFF image"), ("MM\0*", 0, "TIFF image"),
        ("II+\0", 0, "TIFF image"), ("MM\0+", 0, "TIFF image"),
        ("\0\0\u{1}\0", 0, "ICO image"), ("\0\0\u{2}\0", 0, "CUR image"),
        ("\u{FF}\n", 0, "JPEG XL image"), ("\0\0\0\u{C}JXL ", 0, "JPEG XL image"),
        ("\0\0\0\u{C}jP  ", 0, "JPEG 2000 image"), ("\u{FF}O\u{FF}Q", 0, "JPEG 2000 image"),
        ("8BPS", 0, "Photoshop (PSD) image"), ("qoif", 0, "QOI image"), ("\u{8A}MNG", 0, "MNG image"),
        ("icns", 0, "Apple icon"), ("%PDF", 0, "PDF document"), ("%!PS", 0, "PostScript document"),
        ("\u{89}PN", 0, "damaged PNG signature"), ("PK\u{3}\u{4}", 0, "ZIP archive"),
        ("\u{1F}\u{8B}", 0, "gzip archive"),
    ]

    /// Brands of the ISO base media format (ISO/IEC 14496-12 section 4.3).
    private static let brands: [(text: String, name: String)] = [
        ("avif", "AVIF image"), ("avis", "AVIF image"), ("heic", "HEIC image"), ("heix", "HEIC image"),
        ("hevc", "HEIC image"), ("hevx", "HEIC image"), ("heim", "HEIC image"), ("heis", "HEIC image"),
        ("crx ", "Canon raw image"), ("mif1", "HEIF image"), ("msf1", "HEIF image"),
    ]

    /// The major brand may be a general one; the compatible brands that follow it are more to the point.
    private static func mediaName(of bytes: UnsafeRawBufferPointer) -> String {
        let boxSize = min(Int(bytes[2]) << 8 | Int(bytes[3]), bytes.count, 128)
        let found = brands.first { brand in
            stride(from: 8, to: boxSize, by: 4).contains { bytes.has(brand.text, at: $0) }
        }
        return found?.name ?? "ISO media file"
    }

    private static func name(of bytes: UnsafeRawBufferPointer) -> String {
        if bytes.has("RIFF"), bytes.has("WEBP", at: 8) { return "WebP image" }
        if bytes.has("ftyp", at: 4) { return mediaName(of: bytes) }
        if let match = signatures.first(where: { bytes.has($0.text, at: $0.offset) }) { return match.name }
        return textName(of: bytes) ?? "unknown format"
    }

    /// Names a text file by what its first kilobyte holds, or nil when it is not text.
    private static func textName(of bytes: UnsafeRawBufferPointer) -> String? {
        let head = bytes.prefix(1024)
        let isText = head.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 || $0 == 10 || $0 == 12 || $0 == 13 }
        guard isText else { return nil }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("<svg") { return "SVG image" }
        if text.contains("begin:vcard") { return "vCard file" }
        return "text file"
    }
}
