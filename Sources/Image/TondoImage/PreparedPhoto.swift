/// A photo decoded as far as the requested avatars need, from which pictures of any smaller size can be made.
struct PreparedPhoto {
    let header: ImageHeader
    let warnings: [Warning]
    private let content: Content

    private enum Content {
        case decoded(Pixels, DecodePlan, ColorConversion)
        /// Drawn separately for each picture.
        case drawn((DrawingSquare) -> Pixels)
    }

    /// `side`: pixels per side of the largest picture that will be requested.
    init(
        photo: Photo, side: Double, limits: Limits, transforms: ColorTransforms, linked: LibraryDecoder? = nil
    ) throws(RenderError) {
        if let draw = linked?.draw {
            let header = try Stage.probe.run { () throws(ImageError) in try ImageHeader(initials: photo.bytes) }
            self.header = header
            warnings = []
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
        let plan = DecodePlan(header: header, crop: photo.crop, side: side)
        try Stage.limits.run { () throws(ImageError) in try limits.check(plan, of: header) }
        let decoded = try Stage.decode.run { () throws(ImageError) in
            try Decoded.decode(photo, header: header, plan: plan, limits: limits, by: linked)
        }
        let (conversion, warning) = ColorConversion.choose(decoded, isGray: header.isGray, from: transforms)
        self.header = header
        content = .decoded(decoded.pixels, plan, conversion)
        warnings = decoded.warnings + (warning.map { [$0] } ?? [])
    }

    /// The centre square resampled to `grid`: upright, in sRGB, colours multiplied by alpha. Pixels outside `disc` are
    /// left empty; a disc is the same in every orientation.
    func image(for grid: Grid, within disc: DiscCoverage? = nil) -> FloatImage {
        switch content {
        case .decoded(let pixels, let plan, let conversion):
            var resampler = Resampler(source: pixels, box: plan.box, grid: grid, disc: disc)
            let small = resampler.run()
            let upright = small.oriented(header.orientation)
            return conversion.convert(upright)
        case .drawn(let draw): return FloatImage(opaque: draw(DrawingSquare(grid: grid)))
        }
    }
}

extension Stage {
    /// Marks errors of `work` as errors of this stage.
    func run<Result>(_ work: () throws(ImageError) -> Result) throws(RenderError) -> Result {
        do { return try work() } catch { throw RenderError(stage: self, error: error) }
    }
}
