/// Draws photos as address books store them, for those that cannot be stored as they are: upright, in sRGB, within bounds, as JPEG or
/// PNG without metadata. Usable from any thread; equal input gives equal bytes by one version of libjpeg-turbo.
package struct PhotoFitter: Sendable {
    private let bounds: StorablePhoto.Bounds
    private let limits: Limits
    private let linked: LibraryDecoder?
    private let transforms = ColorTransforms()

    /// A photo is not made smaller than this for the sake of its bytes.
    private static let leastSide = 32
    /// Behind what is transparent in a photo that does not fit as PNG.
    private static let background = SIMD4<Float>(repeating: 255)

    /// `linked`: decodes what TondoImage does not.
    package init(bounds: StorablePhoto.Bounds, limits: Limits = Limits(), linked: LibraryDecoder? = nil) {
        self.bounds = bounds
        self.limits = limits
        self.linked = linked
    }

    /// The whole photo, and no larger than it is. A transparent one becomes a PNG if that fits, else it is drawn on white. If no
    /// quality fits into the bytes, its sides are made shorter. Throws `tooLarge` for bounds that no picture fits into.
    package func fit(_ photo: UnsafeRawBufferPointer) throws(RenderError) -> (bytes: [UInt8], info: PhotoInfo) {
        let header = try Stage.probe.run { () throws(ImageError) in try ImageHeader(probing: photo) }
        let (width, height) = header.orientedSize
        let side = min(bounds.maxSide, max(width, height))
        let prepared = try PreparedPhoto(
            photo: Photo(photo), crops: [nil], side: Double(side), limits: limits, transforms: transforms,
            linked: linked)
        let least = min(Self.leastSide, side)
        var sides = FittingSides(from: side, least: least)
        try sides.leaveOut { side throws(RenderError) in
            let picture = picture(of: prepared, side: side)
            return try Stage.decode.run { () throws(ImageError) in try mayFit(picture) }
        }
        for side in sides.sides {
            let picture = picture(of: prepared, side: side)
            let bytes = try Stage.decode.run { () throws(ImageError) in try encoded(picture) }
            if let bytes { return (bytes, prepared.info) }
        }
        let reason = "no picture of \(least) pixels a side fits into \(bounds.maxBytes) bytes"
        throw RenderError(stage: .limits, error: .tooLarge(reason))
    }

    private struct Picture {
        var pixels: [SIMD4<UInt8>] = []
        var width = 0
        var height = 0

        var isOpaque: Bool { pixels.allSatisfy { $0.w == 255 } }
        var bytes: [UInt8] { pixels.withUnsafeBytes { Array($0) } }
    }

    /// Straight colours. `side`: pixels of the longer one.
    private func picture(of prepared: PreparedPhoto, side: Int) -> Picture {
        let (width, height) = prepared.info.header.orientedSize
        let longer = max(width, height)
        func scaled(_ length: Int) -> Int { max((length * side * 2 + longer) / (2 * longer), 1) }
        let (image, place) = prepared.wholeImage(width: scaled(width), height: scaled(height))
        var picture = Picture(width: place.width, height: place.height)
        picture.pixels.reserveCapacity(picture.width * picture.height)
        for y in place.y..<place.y + place.height {
            for x in place.x..<place.x + place.width {
                let pixel = image.pixels[y * image.side + x]
                let alpha = min(max(pixel.w, 0), 255)
                picture.pixels.append(Compositor.straight(pixel.limited(to: SIMD4(repeating: alpha))))
            }
        }
        return picture
    }

    /// Whether a quality may fit.
    private func mayFit(_ picture: Picture) throws(ImageError) -> Bool {
        if !picture.isOpaque { return try encoded(picture) != nil }
        // A progressive file of this quality may be a fifth smaller.
        return try JPEGEncoder.encode(
            .init(pixels: picture.bytes, width: picture.width, height: picture.height),
            quality: JPEGEncoder.qualities.lowerBound, isProgressive: false, maxBytes: bounds.maxBytes * 5 / 4) != nil
    }

    /// Nil: it does not fit.
    private func encoded(_ picture: Picture) throws(ImageError) -> [UInt8]? {
        var picture = picture
        if !picture.isOpaque {
            let png = PNGEncoder.encode(pixels: picture.bytes, width: picture.width, height: picture.height)
            if png.count <= bounds.maxBytes { return png }
            picture.pixels = picture.pixels.map(Self.onBackground)
        }
        return try JPEGEncoder.best(
            .init(pixels: picture.bytes, width: picture.width, height: picture.height), maxBytes: bounds.maxBytes)
    }

    private static func onBackground(_ pixel: SIMD4<UInt8>) -> SIMD4<UInt8> {
        let alpha = Float(pixel.w) / 255
        let colors = SIMD4<Float>(Float(pixel.x), Float(pixel.y), Float(pixel.z), 255)
        var mixed = colors * alpha + background * (1 - alpha)
        mixed.w = 255
        return Compositor.straight(mixed.limited(to: SIMD4(repeating: 255)))
    }
}
