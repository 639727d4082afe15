internal import SystemPackage
internal import TondoFiles
internal import TondoImage

extension AvatarPipeline {
    /// A PNG of the upright photo with what the report says, see `CropPicture`. The photo is decoded where the photos of this
    /// pipeline are; what is decoded here is what they drew. Throws as the photo does when it is opened or drawn; `AvatarFailure.changed` if it is another one by now.
    /// Blocks.
    func picture(of report: CropReport, for photo: PhotoSource) throws -> [UInt8] {
        let file = try photo.open().read(limit: options.limits.maxMemory)
        let geometry = try withExtendedLifetime(file) { () throws(RenderError) in
            try PhotoGeometry(probing: file.bytes)
        }
        guard geometry.orientedSize == (report.photo.width, report.photo.height) else { throw AvatarFailure.changed }
        let bytes = withExtendedLifetime(file) { Array(file.bytes) }
        var picture = CropPicture(report)
        for tile in picture.tiles {
            var style = Style(size: tile.side)
            style.shape = .square
            let avatar = try drawUncached(.bytes(bytes, crop: tile.crop), in: style)
            let canvas = try avatar.bytes.withUnsafeBytes { png throws(RenderError) in
                try Canvas(showing: Photo(png), longestSide: tile.side)
            }
            picture.put(canvas, x: tile.x, y: tile.y)
        }
        picture.explain()
        // The recipe shows that Tondo made the file, which may be replaced.
        return PNGEncoder.encode(
            pixels: picture.pixels, width: picture.width, height: picture.height,
            text: [(AvatarRecipe.keyword, "explains=crop")])
    }
}

/// A photo that can be read only once cannot be shown whole after its avatars.
struct ReadOnce: Error, CustomStringConvertible {
    var description: String { "its crop cannot be explained: it can be read only once" }
    static let code = "read-once"
}

extension ConversionInput {
    /// Whether its photo can be opened again, once its avatars are there.
    var isRepeatable: Bool {
        switch source {
        case .file(let path): FileStatus(path)?.kind == .regular
        case .standardInput: false
        case .contact, .initials: true
        }
    }
}
