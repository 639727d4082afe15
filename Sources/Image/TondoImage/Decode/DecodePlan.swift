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

    /// `side`: pixels of the largest requested picture. `crop`: in the oriented picture.
    package init(header: ImageHeader, crop: CropRectangle?, side: Double) {
        let square = Self.square(header.geometry, crop: crop)
        let denominator = Self.denominator(header.geometry, square: square, side: side)
        if denominator == Self.thumbnail, let small = header.heif?.thumbnail {
            self.init(square: square, of: header, in: (small.width, small.height))
        } else {
            self.init(square: square, of: header, denominator: denominator)
        }
    }

    private init(square: PixelRectangle, of header: ImageHeader, denominator: Int) {
        func range(from start: Int, extent: Int) -> (start: Int, count: Int) {
            let first = start / denominator
            // Rounded up, as libjpeg does: a part of a block gives a whole pixel.
            let last = min(start + square.width + denominator - 1, extent + denominator - 1) / denominator
            return (first, last - first)
        }
        let columns = range(from: square.x, extent: header.width)
        let rows = range(from: square.y, extent: header.height)
        let scale = Double(denominator)
        self.denominator = denominator
        region = PixelRectangle(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
        box = Box(
            x: Double(square.x) / scale - Double(columns.start), y: Double(square.y) / scale - Double(rows.start),
            side: Double(square.width) / scale)
    }

    /// The square in a thumbnail of this size.
    private init(square: PixelRectangle, of header: ImageHeader, in small: (width: Int, height: Int)) {
        func range(_ start: Int, scale: Double, extent: Int) -> (start: Int, count: Int) {
            let first = min(Int(Double(start) / scale), extent - 1)
            let last = min(Int((Double(start + square.width) / scale).rounded(.up)), extent)
            return (first, max(last - first, 1))
        }
        let across = Double(header.width) / Double(small.width)
        let down = Double(header.height) / Double(small.height)
        let (columns, rows) = (
            range(square.x, scale: across, extent: small.width), range(square.y, scale: down, extent: small.height)
        )
        denominator = Self.thumbnail
        region = PixelRectangle(x: columns.start, y: rows.start, width: columns.count, height: rows.count)
        let side = min(
            Double(square.width) / max(across, down), Double(min(columns.count, rows.count)))
        box = Box(
            x: Double(square.x) / across - Double(columns.start), y: Double(square.y) / down - Double(rows.start),
            side: side)
    }

    /// The fraction of `init`, 1/n, or `thumbnail`.
    static func denominator(_ geometry: PhotoGeometry, crop: CropRectangle?, side: Double) -> Int {
        denominator(geometry, square: square(geometry, crop: crop), side: side)
    }

    /// The centre square of what the crop shows, in the stored picture.
    private static func square(_ geometry: PhotoGeometry, crop: CropRectangle?) -> PixelRectangle {
        let seen = geometry.orientedSize
        let whole = PixelRectangle(x: 0, y: 0, width: seen.width, height: seen.height)
        let shown = crop?.clamped(to: seen) ?? whole
        return geometry.orientation.stored(shown.centreSquare, in: (geometry.width, geometry.height))
    }

    /// A scaled decode costs no visible quality while the resampler still reduces by a factor of 2. The fractions
    /// in between (3/8, 5/8...) are slower than a full decode and look worse.
    private static func denominator(_ geometry: PhotoGeometry, square: PixelRectangle, side: Double) -> Int {
        // A thumbnail must have all pixels of the avatar.
        let long = max(geometry.width, geometry.height)
        if geometry.thumbnail > 0, Double(square.width * geometry.thumbnail) >= side * Double(long) { return thumbnail }
        guard geometry.isScalable else { return 1 }
        return [8, 4, 2].first { Double(square.width) >= 2 * side * Double($0) } ?? 1
    }
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
        (coefficientShapes(plan) ?? []).reduce(0) { sum, shape in
            sum + shape.count * 2 + shape.columns * shape.sampling.vertical * 128 + 65_536
        }
    }

    /// Two bytes per coefficient, for whole 8 x 8 blocks of every component.
    private var coefficientBytes: Int { sampling.indices.reduce(0) { $0 + blocks(of: $1) * 128 } }
}
