/// A picture that Tondo can draw, recognised by its leading bytes alone: nothing is decoded here.
package enum PictureKind: String, Sendable, CaseIterable {
    case jpeg, png, webp, gif, heif

    /// Brands of HEIC and AVIF (ISO/IEC 14496-12 section 4.3).
    private static let brands = [
        "avif", "avis", "heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1",
    ].map { Array($0.utf8) }

    /// Nil: another file. `bytes`: 64 are enough.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(64))
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) })) {
            self = .png
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if head.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if head.dropFirst(4).starts(with: Array("ftyp".utf8)), Self.hasBrand(head) {
            self = .heif
        } else {
            return nil
        }
    }

    private static func hasBrand(_ head: [UInt8]) -> Bool {
        let size = min(Int(head[2]) << 8 | Int(head[3]), head.count)
        return stride(from: 8, to: size, by: 4).contains { brands.contains(Array(head[$0..<min($0 + 4, head.count)])) }
    }

    /// The extension of a content-named file.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// RFC 2046, and those registered for the others.
    package var mediaType: String { "image/\(rawValue)" }
}
