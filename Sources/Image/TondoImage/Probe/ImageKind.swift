/// The kind of a file, detected from its bytes, never from its name.
package enum ImageKind: Equatable, Sendable {
    case jpeg, png, webp, gif
    /// HEIC or AVIF: the items in it say which.
    case heif
    /// An image in an unsupported format; the text names it in an error ("BMP image").
    case otherImage(String)
    /// Not an image, or not a known one ("text file").
    case nonImage(String)

    /// Looks at the first four kilobytes at most. An empty file counts as text.
    package init(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty {
            // What is asked of each avatar that is not there yet.
            self = .nonImage("text file")
        } else if bytes.has("\u{FF}\u{D8}") {
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
        ("BM", "BMP image"), ("II*\0\u{10}\0\0\0CR", "Canon raw image"), ("FUJIFILMCCD-RAW", "Fujifilm raw image"),
        ("IIU\0", "Panasonic raw image"), ("IIRO", "Olympus raw image"), ("IIRS", "Olympus raw image"),
        ("MMOR", "Olympus raw image"), ("\0MRM", "Minolta raw image"), ("FOVb", "Sigma raw image"),
        ("II*\0", "TIFF image"), ("MM\0*", "TIFF image"), ("II+\0", "TIFF image"), ("MM\0+", "TIFF image"),
        // A cursor without pictures would begin as the first of these.
        ("\0\0\u{2}\0\0\0\0\0", "TGA image"), ("\0\0\n\0\0\0\0\0", "TGA image"),
        ("\0\0\u{1}\0", "ICO image"), ("\0\0\u{2}\0", "CUR image"),
        ("\u{FF}\n", "JPEG XL image"), ("\0\0\0\u{C}JXL ", "JPEG XL image"),
        ("\0\0\0\u{C}jP  ", "JPEG 2000 image"), ("\u{FF}O\u{FF}Q", "JPEG 2000 image"),
        ("8BPS", "Photoshop (PSD) image"), ("qoif", "QOI image"), ("\u{8A}MNG", "MNG image"), ("icns", "Apple icon"),
        ("II\u{BC}\u{1}", "JPEG XR image"), ("gimp xcf", "GIMP (XCF) image"), ("DDS ", "DDS image"),
        ("v/1\u{1}", "OpenEXR image"), ("#?RADIANCE", "Radiance HDR image"), ("Paint Shop Pro", "PaintShop Pro image"),
        ("\n\u{5}\u{1}", "PCX image"), ("\u{D7}\u{CD}\u{C6}\u{9A}", "WMF picture"), ("/* XPM", "XPM image"),
        ("BPG\u{FB}", "BPG image"), ("FLIF", "FLIF image"), ("AT&TFORM", "DjVu document"),
        ("\u{C5}\u{D0}\u{D3}\u{C6}", "EPS picture"),
    ]

    private static let base64 = "text file with a photo in base64; base64 -d makes a photo of it"
    private static let hexadecimal = "text file with a photo in hexadecimal digits; xxd -r -p makes a photo of it"
    private static let savedAsText = "photo that a program saved as text, which changed its bytes"

    /// Leading bytes of other files.
    private static let others: [(text: String, name: String)] = [
        ("%PDF", "PDF document"), ("%!PS", "PostScript document"), ("PK\u{3}\u{4}", "ZIP archive"),
        ("\u{1F}\u{8B}", "gzip archive"), ("Rar!", "RAR archive"), ("7z\u{BC}\u{AF}", "7-Zip archive"),
        ("\u{FD}7zXZ", "xz archive"), ("(\u{B5}/\u{FD}", "Zstandard archive"), ("BZh", "bzip2 archive"),
        ("\u{1A}E\u{DF}\u{A3}", "video (Matroska or WebM)"), ("RIFF", "video or sound (RIFF)"),
        // What stands where a photo should be.
        ("version https://git-lfs", "Git LFS pointer; git lfs pull brings the photo"),
        ("\0\u{5}\u{16}\u{7}", "file that macOS keeps beside the photo (AppleDouble)"),
        ("L\0\0\0\u{1}\u{14}\u{2}\0", "Windows shortcut"),
        ("\u{D0}\u{CF}\u{11}\u{E0}", "Microsoft Office file, or Thumbs.db"),
        ("data:image/", "text file with a data: URI; base64 -d makes a photo of it"),
        ("/9j/", base64), ("iVBORw0KGgo", base64), ("R0lGOD", base64), ("UklGR", base64),
        ("ffd8ff", hexadecimal), ("FFD8FF", hexadecimal), ("89504e47", hexadecimal), ("\\xffd8ff", hexadecimal),
        ("b'\\xff\\xd8", "text file with the bytes of a photo, as Python prints them"),
        ("HTTP/1.", "response of a server with its header; the photo is behind an empty line"),
        // An intact signature was found before: a transfer as text has changed the line ends in this one.
        ("\u{89}PN", "damaged PNG signature"),
        // In UTF-8, each byte from 128 on is a replacement character, or a letter of Latin-1.
        ("\u{EF}\u{BF}\u{BD}\u{EF}\u{BF}\u{BD}", savedAsText), ("\u{EF}\u{BF}\u{BD}PNG", savedAsText),
        ("\u{C3}\u{BF}\u{C3}\u{98}", savedAsText), ("\u{C2}\u{89}PNG", savedAsText),
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
        return found?.kind ?? .nonImage("video or sound (MP4, QuickTime)")
    }

    private static func other(_ bytes: UnsafeRawBufferPointer) -> ImageKind {
        if bytes.has("ftyp", at: 4) { return mediaFile(bytes) }
        if let match = images.first(where: { bytes.has($0.text) }) { return .otherImage(match.name) }
        if let match = others.first(where: { bytes.has($0.text) }) { return .nonImage(match.name) }
        if bytes.has("DICM", at: 128) { return .otherImage("DICOM image") }
        if bytes.has(" EMF", at: 40) { return .otherImage("EMF picture") }
        if bytes.has("P"), bytes.count > 2, (0x31...0x37).contains(bytes[1]), bytes[2] == 10 || bytes[2] == 32 {
            return .otherImage("Netpbm image")
        }
        return photo(behindTextIn: bytes) ?? text(bytes) ?? .nonImage("unknown format")
    }

    /// A server wrote text before the photo: a mark of the byte order, a line end, a warning, or the head of a part of a form.
    private static func photo(behindTextIn bytes: UnsafeRawBufferPointer) -> ImageKind? {
        let head = bytes.prefix(4096)
        let count = head.prefix { isText($0) && $0 < 128 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }.count
        // A text may name these.
        guard count < head.count else { return nil }
        let start = (0...count).first { start in
            bytes.has("\u{FF}\u{D8}\u{FF}", at: start) || bytes.has("\u{89}PNG\r\n\u{1A}\n", at: start)
                || bytes.has("GIF8", at: start) || bytes.has("RIFF", at: start) && bytes.has("WEBP", at: start + 8)
        }
        return start.map { .nonImage("photo behind \($0) bytes of text; tail -c +\($0 + 1) makes a photo of it") }
    }

    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 32 && byte != 127 || byte == 9 || byte == 10 || byte == 12 || byte == 13
    }

    /// Describes a text file by its first four kilobytes, or nil if it is not text. Comments of programs stand before the picture.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
        // In UTF-16, every other byte of usual texts is zero.
        let isWide = bytes.has("\u{FF}\u{FE}") || bytes.has("\u{FE}\u{FF}")
        let head = bytes.prefix(4096).filter { !isWide || $0 != 0 }
        guard head.allSatisfy(isText) else { return nil }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("<svg") { return .otherImage("SVG image") }
        if text.contains("begin:vcard") { return .nonImage("vCard file") }
        return .nonImage("text file")
    }
}
