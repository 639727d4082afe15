private import Crypto
package import TondoImage

/// Everything a rendition depends on, as one line of text that is embedded in the picture. Equal recipes mean equal
/// pictures, so a picture whose recipe is the wanted one need not be drawn again.
package struct Recipe: Hashable, Sendable, CustomStringConvertible {
    /// Raised whenever the renderer draws anything differently.
    package static let rendererVersion = 1
    /// The tEXt keyword it is stored under.
    package static let keyword = "tondo-recipe"

    package let text: String

    /// `decodeDenominator`: the photo is decoded at 1/n, see `AvatarRenderer.decodeDenominator(for:)`.
    package init(photo: PhotoDigest, crop: CropRectangle? = nil, style: Style, decodeDenominator: Int) {
        let crop = crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? "none"
        text =
            "photo=sha256:\(photo.hexadecimal) crop=\(crop) \(style.canonicalText) "
            + "decode=1/\(decodeDenominator) format=png renderer=\(Self.rendererVersion)"
    }

    /// Reads the recipe back out of a picture; `head`: at least its first kilobyte.
    package init?(readingFrom head: UnsafeRawBufferPointer) {
        guard let text = PNGTextReader.value(of: Self.keyword, in: head) else { return nil }
        self.text = text
    }

    package var description: String { text }
}

/// SHA-256 of a photo's bytes (FIPS 180-4).
package struct PhotoDigest: Hashable, Sendable {
    /// 64 lower-case digits.
    package let hexadecimal: String

    package init(_ file: PhotoFile) {
        var hash = SHA256()
        file.forEachPart { hash.update(bufferPointer: $0) }
        hexadecimal = hash.finalize().map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
