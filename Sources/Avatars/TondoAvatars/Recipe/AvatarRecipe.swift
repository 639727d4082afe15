package import SystemPackage
package import TondoCache
package import TondoDigest
package import TondoImage
internal import TondoText

/// Everything an avatar depends on, as one line of text that is embedded in its file. Equal recipes mean equal avatars,
/// so an avatar with the requested recipe need not be drawn again.
package struct AvatarRecipe: Hashable, Sendable, CustomStringConvertible {
    /// Incremented whenever the renderer draws anything differently, together with the magic number of TondoRender's frames.
    package static let rendererVersion = 2
    /// The keyword of the tEXt chunk it is stored in, in both formats.
    package static let keyword = "tondo-recipe"

    package let text: String

    /// `decodeDenominator`: the photo is decoded at 1/n, see `AvatarRenderer.decodeDenominator(for:)`.
    /// `letters`: of initials, for `cache why`; the digest covers them.
    package init(
        photo: SHA256Digest, crop: CropRectangle? = nil, letters: String? = nil, style: Style, decodeDenominator: Int
    ) {
        let initials = letters.map { " initials=" + PercentEncoding.encode($0, as: .pathSegment) } ?? ""
        text =
            "photo=sha256:\(photo.hexadecimal) crop=\(Self.text(of: crop))\(initials) \(style.canonicalText) "
            + "decode=\(Self.decode(decodeDenominator)) \(style.format.canonicalText) renderer=\(Self.rendererVersion)"
    }

    /// The subject of a negative entry for a failed decode: everything the decode depends on, without the style.
    package static func decoding(
        _ photo: SHA256Digest, crop: CropRectangle? = nil, decodeDenominator: Int
    ) -> String {
        "photo=sha256:\(photo.hexadecimal) crop=\(text(of: crop)) decode=\(decode(decodeDenominator)) renderer=\(rendererVersion)"
    }

    private static func decode(_ denominator: Int) -> String {
        denominator == DecodePlan.thumbnail ? "thumbnail" : "1/\(denominator)"
    }

    private static func text(of crop: CropRectangle?) -> String {
        crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? "none"
    }

    /// Reads the recipe from an avatar; `head`: at least its first kilobyte.
    package init?(readingFrom head: UnsafeRawBufferPointer) {
        guard let text = AvatarText.value(of: Self.keyword, in: head) else { return nil }
        self.text = text
    }

    /// The key of the avatar in the cache.
    package var key: CacheKey { CacheKey(recipe: text) }

    package var description: String { text }
}

extension SHA256Digest {
    /// Takes the digest of a photo's bytes.
    package init(_ file: PhotoFile) {
        self.init { update in withExtendedLifetime(file) { file.forEachPart(update) } }
    }

    /// `body` passes on the parts of the photo in their order.
    init(_ body: ((UnsafeRawBufferPointer) -> Void) throws -> Void) rethrows {
        var hash = SHA256()
        try body { hash.update($0) }
        self = hash.finish()
    }
}

extension AvatarFormat {
    /// The format of the cache's file.
    package var entryFormat: EntryFormat { self == .png ? .png : .webp }
}

extension AvatarRecipe {
    /// The recipe in an avatar's file; nil if there is no such file, or no recipe in its first kilobyte.
    package init?(ofFile path: FilePath) {
        guard let recipe = Self.head(of: path).withUnsafeBytes({ AvatarRecipe(readingFrom: $0) }) else { return nil }
        self = recipe
    }

    /// Whether the file's first kilobyte has the place of a recipe. A damaged recipe still shows that Tondo made the file.
    static func isMarked(file path: FilePath) -> Bool {
        head(of: path).withUnsafeBytes { AvatarText.isMarked(keyword, in: $0) }
    }

    /// The first kilobyte; less if the file is shorter, or cannot be read.
    private static func head(of path: FilePath) -> [UInt8] {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return []
        }
        defer { try? file.close() }
        return [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }
}

extension Recipe {
    /// The letters of an avatar that shows initials.
    package var letters: String? {
        self["initials"].flatMap { PercentEncoding.decodeStrictly($0.utf8, plusIsBlank: false) }
    }
}
