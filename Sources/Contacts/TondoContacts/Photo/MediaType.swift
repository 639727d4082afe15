/// The media types of pictures, by their first bytes.
enum MediaType {
    /// That of a picture's bytes, such as `image/jpeg`.
    static func of(_ bytes: [UInt8]) -> String {
        switch bytes.first {
        case 0xFF?: "image/jpeg"
        case 0x89?: "image/png"
        case UInt8(ascii: "R")?: "image/webp"
        case UInt8(ascii: "G")?: "image/gif"
        // Directories have these two.
        case UInt8(ascii: "B")?: "image/bmp"
        case UInt8(ascii: "I")?, UInt8(ascii: "M")?: "image/tiff"
        // HEIC and AVIF begin with a length, which differs.
        default: hasBrand(of: ["avif", "avis"], bytes) ? "image/avif" : "image/heic"
        }
    }

    /// Whether a file begins with a box of brands (ISO/IEC 14496-12 4.3) and has one of these. Also the compatible ones count:
    /// the first may be `mif1`, which HEIC and AVIF have in common.
    private static func hasBrand(of names: [String], _ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(256)
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        let brands = stride(from: 8, through: min(size, head.count) - 4, by: 4)
        // Behind the first brand stands its version.
        return brands.contains { start in
            start != 12 && names.contains { head[start..<(start + 4)].elementsEqual($0.utf8) }
        }
    }
}
