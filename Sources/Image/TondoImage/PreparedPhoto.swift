/// What is known of a photo once it is decoded.
package struct PhotoInfo: Equatable, Sendable {
    /// As probed, before the photo is oriented or cropped.
    package var header: ImageHeader
    /// Damage that did not prevent drawing; empty for a sound photo.
    package var warnings: [Warning]
    /// What was found for the crop `face`; nil: nothing was looked for.
    package var crop: CropRecord?

    package init(header: ImageHeader, warnings: [Warning] = [], crop: CropRecord? = nil) {
        self.header = header
        self.warnings = warnings
        self.crop = crop
    }
}

/// A photo decoded as far as the requested avatars need, from which pictures of any smaller size can be made.
struct PreparedPhoto {
    let info: PhotoInfo
    private let content: Content

    private enum Content {
        /// The part of the photo for each crop.
        case decoded([Style.Crop: Part], whole: Whole?)
        /// Drawn separately for each picture.
        case drawn((DrawingSquare) -> Pixels)
    }

    /// A square of decoded pixels.
    private struct Part {
        var pixels: Pixels
        var box: DecodePlan.Box
        var conversion: ColorConversion
    }

    /// All decoded pixels, of which `size` belong to the photo, with fractions.
    private struct Whole {
        var pixels: Pixels
        var size: (width: Double, height: Double)
        var conversion: ColorConversion
    }

    /// `crops`: nil among them: the whole photo. `side`: pixels per side of the largest picture that will be requested. `faces`:
    /// nil: no crop is `face`.
    init(
        photo: Photo, crops: Set<Style.Crop?> = [.centre], side: Double, limits: Limits, transforms: ColorTransforms,
        linked: LibraryDecoder? = nil, faces: FaceDetector? = nil
    ) throws(RenderError) {
        if let draw = linked?.draw {
            let header = try Stage.probe.run { () throws(ImageError) in try ImageHeader(initials: photo.bytes) }
            info = PhotoInfo(header: header)
            // Like a fault of a header: finding it again costs less than remembering it.
            content = .drawn(
                try Stage.probe.run { () throws(ImageError) in
                    guard let drawing = header.initials else { throw .corrupt("no drawing") }
                    return try draw(drawing)
                })
            return
        }
        let header = try Stage.probe.run { () throws(ImageError) in try ImageHeader(probing: photo.bytes) }
        try Stage.probe.run { () throws(ImageError) in try LibraryDecoder.check(header.format, linked: linked) }
        try Stage.limits.run { () throws(ImageError) in try limits.check(header) }
        let source = Source(photo: photo, header: header, limits: limits, transforms: transforms, linked: linked)
        var plan = DecodePlan(header: header, crop: photo.crop, crops: crops, side: side)
        let shown = ShownPart(header.geometry, crop: photo.crop, crops: crops)
        var isWhole = true
        let decoded: Pixels
        let conversion: ColorConversion
        let warnings: [Warning]
        do throws(RenderError) {
            (decoded, conversion, warnings) = try source.decode(plan)
        } catch {
            // A photo whose file ends early, or that is too large as a whole, has its centre all the same.
            let isSquareEnough = shown.findsFaces && crops.isSubset(of: [.face, .centre])
            guard isSquareEnough, error.error != .outOfMemory else { throw error }
            isWhole = false
            plan = plan.reduced(to: shown.square, of: header)
            (decoded, conversion, warnings) = try source.decode(plan)
        }
        // An avatar without a visible pixel would be an empty place, where initials could be.
        let full = plan.reduced(to: PixelRectangle(x: 0, y: 0, width: header.width, height: header.height), of: header)
        if decoded.isInvisible, plan.region == full.region || (try? source.decode(full))?.pixels.isInvisible == true {
            throw RenderError(stage: .decode, error: .corrupt("no pixel is visible"))
        }
        var parts: [Style.Crop: Part] = [:]
        for crop in crops.compactMap({ $0 }) {
            let box = plan.box(of: shown.square(of: crop), in: header)
            parts[crop] = Part(pixels: decoded, box: box, conversion: conversion)
        }
        var record: CropRecord?
        if shown.findsFaces, let faces {
            let found = try Stage.decode.run { () throws(ImageError) in
                isWhole
                    ? try faces.record(of: decoded, header: header)
                    : FaceRule.record(of: [], in: header.geometry.orientedSize)
            }
            record = found
            let square = header.orientation.stored(found.square, in: (header.width, header.height))
            parts[.face]?.box = plan.box(of: square, in: header)
            if let closer = plan.closer(to: square, of: header) {
                do throws(RenderError) {
                    let (pixels, conversion, _) = try source.decode(closer)
                    parts[.face] = Part(pixels: pixels, box: closer.box, conversion: conversion)
                } catch {
                    // What was decoded first shows the same, less sharply.
                    if error.error == .outOfMemory { throw error }
                }
            }
        }
        info = PhotoInfo(header: header, warnings: warnings, crop: record)
        let whole =
            crops.contains(nil) ? Whole(pixels: decoded, size: plan.size(of: header), conversion: conversion) : nil
        content = .decoded(parts, whole: whole)
    }

    /// The square of a crop, one of those that were prepared, resampled to `grid`: upright, in sRGB, colours multiplied by alpha.
    /// Pixels outside `disc` are left empty; a disc is the same in every orientation.
    func image(
        for grid: Grid, crop: Style.Crop = .centre, within disc: DiscCoverage? = nil, recent: RecentTaps? = nil
    ) -> FloatImage {
        switch content {
        case .decoded(let parts, _):
            guard let part = parts[crop] else { preconditionFailure("the crop was not prepared") }
            let resampler = Resampler(source: part.pixels, box: part.box, grid: grid, disc: disc, recent: recent)
            let small = resampler.run()
            let upright = small.oriented(info.header.orientation)
            return part.conversion.convert(upright)
        case .drawn(let draw): return FloatImage(opaque: draw(DrawingSquare(grid: grid)))
        }
    }

    /// The whole photo, which was prepared, in the middle of `grid`: upright, in sRGB, colours multiplied by alpha. The rest is
    /// empty. A drawing has only its square.
    func wholeImage(for grid: Grid) -> FloatImage {
        switch content {
        case .decoded(_, let whole):
            guard let whole else { preconditionFailure("the whole photo was not prepared") }
            let stored = grid.fitted((info.header.width, info.header.height))
            let resampler = Resampler(
                source: whole.pixels, size: whole.size, columns: stored.columns, rows: stored.rows, grid: grid)
            var image = whole.conversion.convert(resampler.run().oriented(info.header.orientation))
            let upright = grid.fitted(info.header.geometry.orientedSize)
            // Inks that are empty are a colour.
            image.clear(outside: upright.columns, upright.rows)
            return image
        case .drawn(let draw): return FloatImage(opaque: draw(DrawingSquare(grid: grid)))
        }
    }
}

extension PreparedPhoto {
    /// The whole photo, which was prepared, in exactly this size: upright, in sRGB, colours multiplied by alpha. It is a part of
    /// a square, the rest of which means nothing.
    func wholeImage(width: Int, height: Int) -> (image: FloatImage, place: PixelRectangle) {
        let (grid, orientation) = (Grid(side: max(width, height), inset: 0), info.header.orientation)
        let stored = orientation.transposes ? (width: height, height: width) : (width: width, height: height)
        let image = image(of: stored, on: grid)
        // In one of the corners: the one that is the first after orienting.
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, below in
            PixelRectangle(
                x: right * (grid.side - width), y: below * (grid.side - height), width: width, height: height)
        }
        let first = PixelRectangle(x: 0, y: 0, width: stored.width, height: stored.height)
        let place = corners.first { orientation.stored($0, in: (grid.side, grid.side)) == first }
        return (image, place ?? corners[0])
    }

    /// In the corner of the stored picture's first pixel, and then oriented.
    private func image(of stored: (width: Int, height: Int), on grid: Grid) -> FloatImage {
        switch content {
        case .decoded(_, let whole):
            guard let whole else { preconditionFailure("the whole photo was not prepared") }
            let resampler = Resampler(
                source: whole.pixels, size: whole.size, columns: 0..<stored.width, rows: 0..<stored.height, grid: grid)
            return whole.conversion.convert(resampler.run().oriented(info.header.orientation))
        case .drawn(let draw): return FloatImage(opaque: draw(DrawingSquare(grid: grid)))
        }
    }
}

/// A photo whose header is within the limits.
private struct Source {
    let photo: Photo
    let header: ImageHeader
    let limits: Limits
    let transforms: ColorTransforms
    let linked: LibraryDecoder?

    func decode(
        _ plan: DecodePlan
    ) throws(RenderError) -> (pixels: Pixels, conversion: ColorConversion, warnings: [Warning]) {
        try Stage.limits.run { () throws(ImageError) in try limits.check(plan, of: header) }
        let decoded = try Stage.decode.run { () throws(ImageError) in
            try Decoded.decode(photo, header: header, plan: plan, limits: limits, by: linked)
        }
        let (conversion, warning) = ColorConversion.choose(decoded, isGray: header.isGray, from: transforms)
        return (decoded.pixels, conversion, decoded.warnings + (warning.map { [$0] } ?? []))
    }
}

extension Stage {
    /// Marks errors of `work` as errors of this stage.
    func run<Result>(_ work: () throws(ImageError) -> Result) throws(RenderError) -> Result {
        do { return try work() } catch { throw RenderError(stage: self, error: error) }
    }
}
