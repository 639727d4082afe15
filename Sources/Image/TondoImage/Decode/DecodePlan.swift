/// Which part of a photo is decoded, and at which fraction of its size, so that every requested style can be drawn from
/// it.
package struct DecodePlan: Equatable, Sendable {
    /// 1, 2, 4 or 8: decode at 1/denominator. `thumbnail`: decode the picture's own thumbnail.
    package var denominator: Int
    /// Pixels to keep, in the stored and scaled picture.
    package var region: PixelRectangle
    /// The origin and side of the square in pixels of `region`, including fractions.
    package var box: Box

    /// In the place of a denominator.
    package static let thumbnail = 0

    /// A square in pixels of the region, with fractions: the scaled square seldom begins on a whole pixel.
    package struct Box: Equatable, Sendable {
        /// From the left edge of the region.
        package var x: Double
        /// From the top edge of the region.
        package var y: Double
        package var side: Double
    }

    /// `side`: pixels of the largest requested picture. `crop`: of the contact, in the oriented picture; it goes before the
    /// `crops` of the styles. None of these: the whole photo is shown.
    package init(header: ImageHeader, crop: CropRectangle?, crops: Set<Style.Crop?> = [.centre], side: Double) {
        let shown = ShownPart(header.geometry, crop: crop, crops: crops)
        let denominator = Self.denominator(header.geometry, shown: shown, side: side)
        self.init(showing: shown.part, square: shown.square, of: header, denominator: denominator)
    }

    /// Both rectangles in pixels of the stored picture.
    private init(showing part: PixelRectangle, square: PixelRectangle, of header: ImageHeader, denominator: Int) {
        let isThumbnail = denominator == Self.thumbnail && header.heif?.thumbnail != nil
        self.denominator = isThumbnail ? denominator : max(denominator, 1)
        region = part
        box = Box(x: 0, y: 0, side: 0)
        region = isThumbnail ? thumbnailRegion(part, of: header) : scaledRegion(part, of: header)
        box = box(of: square, in: header)
    }

    private func scaledRegion(_ part: PixelRectangle, of header: ImageHeader) -> PixelRectangle {
        func range(from start: Int, length: Int, extent: Int) -> (start: Int, count: Int) {
            let first = start / denominator
            // Rounded up, as libjpeg does: a part of a block gives a whole pixel.
            let last = min(start + length + denominator - 1, extent + denominator - 1) / denominator
            return (first, last - first)
        }
        let columns = range(from: part.x, length: part.width, extent: header.width)
        let rows = range(from: part.y, length: part.height, extent: header.height)
        return PixelRectangle(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
    }

    private func thumbnailRegion(_ part: PixelRectangle, of header: ImageHeader) -> PixelRectangle {
        guard let small = header.heif?.thumbnail else { return part }
        func range(_ start: Int, length: Int, scale: Double, extent: Int) -> (start: Int, count: Int) {
            let first = min(Int(Double(start) / scale), extent - 1)
            let last = min(Int((Double(start + length) / scale).rounded(.up)), extent)
            return (first, max(last - first, 1))
        }
        let scale = scale(of: header)
        let columns = range(part.x, length: part.width, scale: scale.across, extent: small.width)
        let rows = range(part.y, length: part.height, scale: scale.down, extent: small.height)
        return PixelRectangle(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
    }

    /// Pixels of the stored picture in one that is decoded.
    private func scale(of header: ImageHeader) -> (across: Double, down: Double) {
        guard denominator == Self.thumbnail, let small = header.heif?.thumbnail else {
            return (Double(denominator), Double(denominator))
        }
        return (Double(header.width) / Double(small.width), Double(header.height) / Double(small.height))
    }

    /// A square of the stored picture, in pixels of the region that this plan decodes.
    func box(of square: PixelRectangle, in header: ImageHeader) -> Box {
        let scale = scale(of: header)
        let side = Double(square.width) / max(scale.across, scale.down)
        return Box(
            x: Double(square.x) / scale.across - Double(region.x), y: Double(square.y) / scale.down - Double(region.y),
            side: denominator == Self.thumbnail ? min(side, Double(min(region.width, region.height))) : side)
    }

    /// The size of the photo in pixels of the region, with fractions, where that is the whole photo.
    func size(of header: ImageHeader) -> (width: Double, height: Double) {
        let scale = scale(of: header)
        return (Double(header.width) / scale.across, Double(header.height) / scale.down)
    }

    /// Another plan for a square that has too few pixels in this one: less than half of those of the centre square. Nil: this
    /// one is good enough, or there is no better one. Depends on the denominator, and not on the size of avatars, because
    /// the recipe of an avatar names only the denominator.
    func closer(to square: PixelRectangle, of header: ImageHeader) -> DecodePlan? {
        guard denominator != 1, square.width * 2 < min(header.width, header.height) else { return nil }
        let scale = scale(of: header)
        let wanted = Double(min(header.width, header.height)) / max(scale.across, scale.down) / 2
        let steps = header.geometry.isScalable ? [8, 4, 2] : []
        let finer = steps.first { Double($0) < scale.across && Double(square.width) >= wanted * Double($0) } ?? 1
        return DecodePlan(showing: square, square: square, of: header, denominator: finer)
    }

    /// The plan for one square at the same scale: where all of a photo cannot be decoded, a part of it may be.
    func reduced(to square: PixelRectangle, of header: ImageHeader) -> DecodePlan {
        DecodePlan(showing: square, square: square, of: header, denominator: denominator)
    }

    /// The fraction of `init`, 1/n, or `thumbnail`.
    static func denominator(
        _ geometry: PhotoGeometry, crop: CropRectangle?, crops: Set<Style.Crop?> = [.centre], side: Double
    ) -> Int {
        denominator(geometry, shown: ShownPart(geometry, crop: crop, crops: crops), side: side)
    }

    /// A scaled decode costs no visible quality while the resampler still reduces by a factor of 2. The fractions
    /// in between (3/8, 5/8...) are slower than a full decode and look worse.
    private static func denominator(_ geometry: PhotoGeometry, shown: ShownPart, side: Double) -> Int {
        // The detector needs pixels of its own. Around a face, less than the centre square is shown: see `closer`.
        let least = shown.findsFaces ? FaceDetector.longestSide : 0
        // A thumbnail must have all pixels of the avatar.
        let long = max(geometry.width, geometry.height)
        if geometry.thumbnail > 0, geometry.thumbnail >= least,
            Double(shown.square.width * geometry.thumbnail) >= side * Double(long)
        {
            return thumbnail
        }
        guard geometry.isScalable else { return 1 }
        return [8, 4, 2].first {
            Double(shown.square.width) >= 2 * side * Double($0) && long >= least * $0
        } ?? 1
    }
}

/// The part of a photo that the styles of a renderer show, in pixels of the stored picture.
struct ShownPart {
    /// Holds the squares of all styles.
    let part: PixelRectangle
    /// The square of the photo for which the scale is chosen: that of a style without a face to find.
    let square: PixelRectangle
    /// The square of a style depends on the faces.
    let findsFaces: Bool
    private let centre: PixelRectangle
    private let top: PixelRectangle

    /// `crops`: nil among them: a style shows the whole photo.
    init(_ geometry: PhotoGeometry, crop: CropRectangle?, crops: Set<Style.Crop?>) {
        func stored(_ seen: PixelRectangle) -> PixelRectangle {
            geometry.orientation.stored(seen, in: (geometry.width, geometry.height))
        }
        let shown = geometry.shownSquare(contact: crop, style: .centre)
        centre = stored(shown.square)
        top = shown.isContact ? centre : stored(geometry.shownSquare(contact: nil, style: .top).square)
        findsFaces = !shown.isContact && crops.contains(.face)
        let size = geometry.orientedSize
        let whole = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
        // Without a set to compare with: this is part of looking an avatar up.
        let isOne = crops.count == 1
        square = isOne && crops.contains(nil) ? whole.squareAround : isOne && crops.contains(.top) ? top : centre
        let isWhole = crops.contains(nil) || !shown.isContact && (findsFaces || crops.count > 1)
        part = isWhole ? PixelRectangle(x: 0, y: 0, width: geometry.width, height: geometry.height) : square
    }

    /// The square of a style, unless a face is found.
    func square(of crop: Style.Crop) -> PixelRectangle { crop == .top ? top : centre }
}

extension ImageHeader {
    /// An upper estimate of the bytes at the peak of a decode. `budget`: the limit in bytes; a PNG that exceeds it when
    /// unpacked at once is decoded row by row through libpng instead.
    package func decodeMemory(_ plan: DecodePlan, budget: Int = .max) -> Int {
        switch format {
        case .jpeg:
            plan.region.width * plan.region.height * 4 + width * 4 * 64 / plan.denominator
                + (isBuffered ? coefficientBytes : scaledCoefficientBytes(plan))
        case .gif: plan.region.width * plan.region.height * 4 + (gif.map { $0.width * $0.height } ?? 0) + 100_000
        case .webp: webPMemory(plan)
        case .initials: 0
        case .heic, .avif: plan.region.width * plan.region.height * 4 + heifMemory(plan)
        case .png: streamedMemory(plan) + (unpacksAtOnce(plan, budget: budget) ? unpackedMemory : 0)
        }
    }

    /// What libheif 1.15.1 and its decoders hold of the whole picture, or of the thumbnail. Measured for each pixel: 7.4 bytes
    /// of a grid, of which one tile after the other is decoded, else 9.6, with alpha 10.6, with 10 bits 12.7, and with all colours
    /// of them 13.4.
    private func heifMemory(_ plan: DecodePlan) -> Int {
        guard let heif else { return 0 }
        let small = plan.denominator == DecodePlan.thumbnail ? heif.thumbnail : nil
        let pixels = small.map { $0.width * $0.height } ?? heif.width * heif.height
        let bytes = heif.isDeep ? 15 : heif.hasAlpha ? 14 : heif.tile == nil ? 12 : 9
        // The transparency is decoded after the colours: it counts if it is larger.
        let alpha = heif.alpha.map { $0.picture.width * $0.picture.height } ?? 0
        return max(pixels, alpha) * bytes + (heif.tile.map { $0.width * $0.height } ?? 0) * 12 + 4_000_000
    }

    /// The region twice, once with its neighbours, or with all rows above it; of a lossy frame some rows and its alpha, of
    /// a lossless one all pixels, as libwebp 1.2.4 allocates them: 6.3 and 4 bytes a pixel were measured. Tables of codes
    /// are not counted, as the header does not show them: hostile data reach 1.4 GB, which only the limit of the worker
    /// ends; it is then `overMemory`, too.
    private func webPMemory(_ plan: DecodePlan) -> Int {
        let (region, above) = (plan.region, webP?.hasSeparateAlpha == true ? plan.region.y : 0)
        let kept = (region.width + 4) * (region.height + 4) * 4
        let decoded = (region.width + 4) * (above + region.height + 4) * 4
        guard let frame = webP else { return kept + decoded }
        let rows = frame.width * 256 + 1_000_000
        let whole = frame.isLossless ? 5 : frame.hasAlpha ? 7 : 0
        return kept + decoded + rows + frame.width * frame.height * whole
    }

    /// Whether `PNGFastPath` may try: not interlaced, unpacked data of at most 64 MB, and within `budget` bytes.
    func unpacksAtOnce(_ plan: DecodePlan, budget: Int) -> Bool {
        format == .png && !isBuffered && unpackedBytes <= 64_000_000
            && streamedMemory(plan) + unpackedMemory <= budget
    }

    /// An upper bound of the bytes of all filtered rows of 8-bit samples: a filter byte and four channels.
    var unpackedBytes: Int { height * (width * 4 + 1) }

    /// The rows, a row above them, their concatenated deflate data (see `PNGImageData`) and libdeflate's tables.
    private var unpackedMemory: Int { unpackedBytes + width * 4 + PNGImageData.limit(for: unpackedBytes) + 65_536 }

    /// The memory of decoding a PNG through libpng.
    private func streamedMemory(_ plan: DecodePlan) -> Int {
        let kept = plan.region.width * plan.region.height * 4
        // The unpacked rows, and the stream, its chunk and the file they make.
        let stream = PNGImageData.limit(for: CgBI.unpackedLimit(self))
        let standard = isCgBI ? CgBI.unpackedLimit(self) + 3 * stream : 0
        let rewritten = png.isPlain ? 0 : 3 * stream + (png.frame == nil ? 0 : kept)
        return (isBuffered ? width * height * 4 : kept) + width * 16 + standard + rewritten
    }

    /// The memory of `ScaledCoefficients`, its tables, and libjpeg's window of whole blocks over it.
    private func scaledCoefficientBytes(_ plan: DecodePlan) -> Int {
        let lanes = plan.denominator == 8 ? ScaledCoefficientsLanes.memory : 0
        return (coefficientShapes(plan) ?? []).reduce(lanes) { sum, shape in
            sum + shape.count * 2 + shape.columns * shape.sampling.vertical * 128 + 65_536
        }
    }

    /// Two bytes per coefficient, for whole 8 x 8 blocks of every component, and a bit for those that are not zero.
    private var coefficientBytes: Int { sampling.indices.reduce(0) { $0 + blocks(of: $1) * 136 } }
}
