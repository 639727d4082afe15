package import SystemPackage
package import TondoCache
package import TondoDigest
internal import TondoFiles
package import TondoImage
internal import TondoText

/// Everything an avatar depends on, as one line of text that is embedded in its file. Equal recipes mean equal avatars,
/// so an avatar with the requested recipe need not be drawn again.
package struct AvatarRecipe: Hashable, Sendable, CustomStringConvertible {
    /// Incremented whenever the renderer draws anything differently, together with the magic number of TondoRender's frames.
    package static let rendererVersion = 6
    /// The keyword of the tEXt chunk it is stored in, in both formats.
    package static let keyword = "tondo-recipe"

    package let text: String

    /// `decodeDenominator`: the photo is decoded at 1/n, see `AvatarRenderer.decodeDenominator(for:)`.
    /// `crop`: of the contact; it comes before that of the style, which is as it is drawn, see `CachingRenderer.styles(of:)`.
    /// `letters`: of initials, for `cache why`; the digest covers them.
    package init(
        photo: SHA256Digest, crop: CropRectangle? = nil, letters: String? = nil, style: Style, decodeDenominator: Int
    ) {
        let initials = letters.map { " initials=" + PercentEncoding.encode($0, as: .pathSegment) } ?? ""
        text =
            "photo=sha256:\(photo.hexadecimal) crop=\(Self.text(of: crop, style))\(initials) \(style.canonicalText) "
            + "decode=\(Self.decode(decodeDenominator)) \(style.format.canonicalText) renderer=\(Self.rendererVersion)"
    }

    /// The subject of a negative entry for a failed decode: everything the decode depends on, so the crops of the styles that
    /// are drawn together, and nothing else of them.
    package static func decoding(
        _ photo: SHA256Digest, crop: CropRectangle? = nil, styles: [Style], decodeDenominator: Int
    ) -> String {
        // All of a photo may take more memory than a part of it, and its failure is none of the avatar's.
        let crops = Set(styles.map { $0.shape == .whole ? $0.shape.rawValue : text(of: crop, $0) })
        return "photo=sha256:\(photo.hexadecimal) crop=\(crops.sorted().joined(separator: "+")) "
            + "decode=\(decode(decodeDenominator)) renderer=\(rendererVersion)"
    }

    private static func decode(_ denominator: Int) -> String {
        denominator == DecodePlan.thumbnail ? "thumbnail" : "1/\(denominator)"
    }

    /// The value of the word `crop`.
    private static func text(of crop: CropRectangle?, _ style: Style) -> String {
        crop.map { "\($0.x),\($0.y),\($0.width),\($0.height)" } ?? style.crop.recipeText
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

    /// Whether the file has its end: a copy that was interrupted has the recipe, and is no avatar.
    static func isWhole(file path: FilePath, head: [UInt8]) -> Bool {
        guard let size = FileStatus(path)?.size, head.count > 12 else { return false }
        if head[0] == UInt8(ascii: "R") { return size == 8 + head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } }
        // "IEND" and its checksum.
        return bytes(of: path, from: size - 8, count: 8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    }

    /// Bytes that hold all texts of an avatar.
    static let longestHead = 16_384

    /// The first kilobyte, or `count` bytes; less if the file is shorter, or cannot be read.
    static func head(of path: FilePath, count limit: Int = 1024) -> [UInt8] { bytes(of: path, from: 0, count: limit) }

    private static func bytes(of path: FilePath, from offset: Int, count limit: Int) -> [UInt8] {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return []
        }
        defer { try? file.close() }
        return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count =
                (try? file.read(fromAbsoluteOffset: Int64(offset), into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
    }
}

extension Style.Crop {
    /// The value of the word `crop` of recipes. The centre has the one of all avatars before there were other crops.
    var recipeText: String {
        switch self {
        // The square follows from the photo: recipes name the rule alone.
        case .face: "face/\(FaceRule.version)"
        case .centre: "none"
        case .top: "top"
        }
    }

    /// Nil for the crop of a contact. `text`: of any version.
    fileprivate init?(recipeText text: String) {
        if text.hasPrefix("face/") {
            self = .face
        } else if let crop = [Self.centre, .top].first(where: { $0.recipeText == text }) {
            self = crop
        } else {
            return nil
        }
    }
}

extension Style {
    /// The style that is drawn, and that recipes name. Without a face model, `face` is `centre`: the avatars have the keys of
    /// the centre, and a model that is installed later gives other ones. A whole photo has no part that is shown.
    func drawn(hasFaceModel: Bool) -> Style {
        shape == .whole || crop == .face && !hasFaceModel ? centred : self
    }

    var centred: Style {
        var style = self
        style.crop = .centre
        return style
    }
}

extension Recipe {
    /// The crop that the style of the avatar states; nil: the contact states one, or the avatar shows initials.
    var styleCrop: Style.Crop? {
        self["initials"] == nil ? self["crop"].flatMap { Style.Crop(recipeText: $0) } : nil
    }

    /// The crop that the contact states.
    var contactCrop: String? { self["crop"].flatMap { Style.Crop(recipeText: $0) == nil ? $0 : nil } }

    /// Whether the avatar has this style, as it is drawn now.
    func shows(_ style: Style) -> Bool {
        hasPixels(of: style) && (styleCrop == nil || self["crop"] == style.crop.recipeText)
    }

    /// Whether the avatar has this style as it was drawn at any time: in that of the face by another rule, or without a face
    /// model.
    func showed(_ style: Style) -> Bool {
        guard hasPixels(of: style), let crop = styleCrop else { return hasPixels(of: style) }
        return crop == style.crop || style.crop == .face && crop == .centre
    }

    private func hasPixels(of style: Style) -> Bool {
        (self.style, format) == (style.canonicalText, style.format.canonicalText)
    }

    /// The letters of an avatar that shows initials.
    package var letters: String? {
        self["initials"].flatMap { PercentEncoding.decodeStrictly($0.utf8, plusIsBlank: false) }
    }
}
