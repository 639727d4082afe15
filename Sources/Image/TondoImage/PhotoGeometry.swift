/// What the header says of a photo's size: with the styles and the crop, everything that decides at which scale the
/// photo is decoded.
package struct PhotoGeometry: Hashable, Sendable {
    package let format: ImageHeader.Format
    /// Stored size in pixels, before orientation.
    package let width: Int
    /// Pixels before orientation, like `width`.
    package let height: Int
    /// From the stored to the upright picture.
    package let orientation: Orientation
    /// The decoder can give it at 1/2, 1/4 and 1/8 of its size without visible loss: libjpeg by its transform, libwebp
    /// by averaging opaque pixels, as the decoder of HEIC and AVIF does.
    let isScalable: Bool
    /// The longer side in pixels of the picture's own thumbnail; 0: it has none. HEIC and AVIF only.
    let thumbnail: Int

    /// Reads the header only. `bytes`: the whole file.
    package init(probing bytes: UnsafeRawBufferPointer) throws(RenderError) {
        self = try Stage.probe.run { () throws(ImageError) in try ImageHeader(probing: bytes) }.geometry
    }

    /// The geometry of a drawing, which has any size.
    package static let initials = PhotoGeometry(ImageHeader.initials)

    init(_ header: ImageHeader) {
        format = header.format
        width = header.width
        height = header.height
        orientation = header.orientation
        isScalable =
            header.format == .jpeg || header.webP?.isScalable(on: (header.width, header.height)) == true
            || header.heif?.hasAlpha == false
        thumbnail = header.heif?.thumbnail.map { max($0.width, $0.height) } ?? 0
    }

    /// The size after orientation, in pixels.
    package var orientedSize: (width: Int, height: Int) { orientation.transposes ? (height, width) : (width, height) }

    /// The square that is shown where no face moves it, in pixels of the upright photo. `isContact`: it is in the middle of the
    /// contact's crop, which comes before that of the style.
    package func shownSquare(
        contact crop: CropRectangle?, style: Style.Crop
    ) -> (square: PixelRectangle, isContact: Bool) {
        let size = orientedSize
        if let part = crop?.clamped(to: size) { return (part.centreSquare, true) }
        let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        return (style == .top ? whole.topSquare : whole.centreSquare, false)
    }
}

extension PhotoGeometry {
    /// Bits of each side, more than any accepted photo needs. HEIC and AVIF have fewer, and the side of their thumbnail.
    private static let sideBits = 24
    private static let sideBitsBesideThumbnail = 20
    private static let thumbnailBits = 12

    /// Incremented whenever a header is read differently, so that what was remembered before is read again.
    private static let version: UInt64 = 2

    /// In 64 bits, never 0; nil if a side is too long for that.
    package var packed: UInt64? {
        let isHEIF = format == .heic || format == .avif
        let sideBits = isHEIF ? Self.sideBitsBesideThumbnail : Self.sideBits
        guard 0..<1 << sideBits ~= width, 0..<1 << sideBits ~= height else { return nil }
        let kind: UInt64 =
            switch format {
            case .jpeg: 1
            case .png: 2
            case .webp: isScalable ? 4 : 3
            case .gif: 5
            // 6 and 7 remember fewer thumbnails, 9 and 10 less transparency; both are read again.
            case .heic: 11
            case .avif: 12
            case .initials: 8
            }
        if isHEIF {
            guard 0..<1 << Self.thumbnailBits ~= thumbnail else { return nil }
            let turned = UInt64(orientation.rawValue - 1) | (isScalable ? 8 : 0)
            return Self.version << 60 | kind << 56 | turned << 52 | UInt64(thumbnail) << 40 | UInt64(width) << 20
                | UInt64(height)
        }
        // The version also keeps the number from being 0.
        return Self.version << 60 | kind << 56 | UInt64(orientation.rawValue) << 48 | UInt64(width) << 24
            | UInt64(height)
    }

    /// Nil if these bits are no geometry.
    package init?(packed: UInt64) {
        guard packed >> 60 == Self.version else { return nil }
        let kind = packed >> 56 & 0xF
        switch kind {
        case 1: format = .jpeg
        case 2: format = .png
        case 3, 4: format = .webp
        case 5: format = .gif
        case 11: format = .heic
        case 12: format = .avif
        case 8: format = .initials
        default: return nil
        }
        let isHEIF = format == .heic || format == .avif
        let turned = isHEIF ? packed >> 52 & 7 + 1 : packed >> 48 & 0xFF
        guard let orientation = Orientation(rawValue: numericCast(turned)) else { return nil }
        self.orientation = orientation
        isScalable = kind == 1 || kind == 4 || isHEIF && packed >> 55 & 1 == 1
        let sideBits = isHEIF ? Self.sideBitsBesideThumbnail : Self.sideBits
        let mask: UInt64 = 1 << sideBits - 1
        (width, height) = (Int(packed >> UInt64(sideBits) & mask), Int(packed & mask))
        thumbnail = isHEIF ? Int(packed >> 40 & (1 << Self.thumbnailBits - 1)) : 0
    }
}
