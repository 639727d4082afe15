/// Draws one photo in several styles from one decode.
///
/// The order of one avatar, all of it. `docs/architecture.md` has the same list:
///
/// 1. probe the header and check the limits: `PreparedPhoto.init`
/// 2. the part that the styles show, as a rectangle of the stored picture, and the scale to decode at (1/2, 1/4 or 1/8 where it
///    costs no quality): `DecodePlan`; decode that part: `Decoded`
/// 3. for the crop `face`: the faces in it, and the square around them: `FaceDetector`, `FaceRule`; decode that square again
///    where it is small
/// 4. resample, orient, profile to sRGB, all on the small picture: `PreparedPhoto.image(for:)`, or `wholeImage(for:)` of all
///    of a photo
/// 5. circle and ring in one compositing pass: `Compositor`
/// 6. encode in the style's format, with the recipe as text: `encode`
///
/// Orientation comes after resampling because the resampler treats rows and columns alike: turning before it gives the
/// same picture and costs more. Usable from any thread; equal input gives equal bytes.
package struct AvatarRenderer: Sendable {
    /// `draw` and `encode` take indices of these.
    package let styles: [Style]
    private let stencils: [Stencil]
    private let limits: Limits
    /// Side in pixels of the largest picture in any style.
    private let side: Double
    private let transforms = ColorTransforms()
    private let recent = RecentTaps()
    private let timer: StepTimer?
    private let linked: LibraryDecoder?
    private let faces: FaceDetector?
    private let findsFaces: Bool
    private let crops: Set<Style.Crop?>

    /// One photo's avatars, in the order of the styles.
    package struct Drawing: Sendable {
        /// One canvas for each style, all in memory at once.
        package var canvases: [Canvas] = []
        /// As probed, before the photo is oriented or cropped.
        package var header: ImageHeader
        /// Damage that did not prevent drawing; empty for a sound photo.
        package var warnings: [Warning]
    }

    /// `linked`: decodes what TondoImage does not. `faces`: nil: this process finds none. `findsFaces`: the one that draws does;
    /// else the crop `face` is the centre.
    package init(
        styles: [Style], limits: Limits = Limits(), timer: StepTimer? = nil, linked: LibraryDecoder? = nil,
        faces: FaceDetector? = nil, findsFaces: Bool? = nil
    ) {
        self.linked = linked
        self.faces = faces
        self.findsFaces = findsFaces ?? (faces != nil)
        crops = Set(styles.map { [findsFaces = self.findsFaces] in $0.crop(findsFaces: findsFaces) })
        self.styles = styles
        self.limits = limits
        self.timer = timer
        stencils = styles.map { Stencil(style: $0) }
        side = stencils.map(\.grid.imageSide).max() ?? 1
    }

    /// The fraction, 1/n, at which a photo is decoded. It is part of the recipe, because the
    /// largest style of the renderer sets it: an avatar that is drawn together with larger ones is slightly sharper.
    package func decodeDenominator(for geometry: PhotoGeometry, crop: CropRectangle?) -> Int {
        DecodePlan.denominator(geometry, crop: crop, crops: crops, side: side)
    }

    /// Draws the styles at these indices of `styles`, one after the other, from one decode. Each canvas is passed to
    /// `body` with its index before the next is drawn, so that only one is in memory. Throws a `RenderError` or an
    /// error of `body`.
    package func draw(_ photo: Photo, styles wanted: [Int], body: (Canvas, Int) throws -> Void) throws -> PhotoInfo {
        let prepared = try prepare(photo)
        try draw(prepared, styles: wanted, body: body)
        return prepared.info
    }

    /// Encodes every canvas in the format of its style. `text`: the entry of the avatar with this index, which must be
    /// valid, see `PNGText`. An avatar with the crop `face` has a second one, of its `CropRecord`.
    package func encode(
        _ photo: Photo, styles wanted: [Int], text: (Int) -> (keyword: String, value: String),
        body: ([UInt8], Int) throws -> Void
    ) throws -> PhotoInfo {
        let prepared = try prepare(photo)
        let record = prepared.info.crop.map { [(keyword: CropRecord.keyword, value: $0.text)] } ?? []
        try draw(prepared, styles: wanted) { canvas, index in
            let texts = [text(index)] + (styles[index].crop(findsFaces: true) == .face ? record : [])
            let avatar = try timed(.encode, by: timer) { () throws(RenderError) in
                do throws(ImageError) { return try styles[index].format.encode(canvas, texts: texts) } catch {
                    throw RenderError(stage: .decode, error: error)
                }
            }
            try body(avatar, index)
        }
        return prepared.info
    }

    /// All styles at once.
    package func draw(_ photo: Photo) throws(RenderError) -> Drawing {
        let prepared = try prepare(photo)
        var canvases: [Canvas] = []
        draw(prepared, styles: Array(styles.indices)) { canvas, _ in canvases.append(canvas) }
        return Drawing(canvases: canvases, header: prepared.info.header, warnings: prepared.info.warnings)
    }

    private func prepare(_ photo: Photo) throws(RenderError) -> PreparedPhoto {
        try timed(.decode, by: timer) { () throws(RenderError) in
            try PreparedPhoto(
                photo: photo, crops: crops, side: side, limits: limits, transforms: transforms, linked: linked,
                faces: faces)
        }
    }

    private func draw<Failure>(
        _ prepared: PreparedPhoto, styles wanted: [Int], body: (Canvas, Int) throws(Failure) -> Void
    ) throws(Failure) {
        var last: (grid: Grid, crop: Style.Crop?, image: FloatImage)?
        for index in wanted {
            let stencil = stencils[index]
            let crop = styles[index].crop(findsFaces: findsFaces)
            if last?.grid != stencil.grid || last?.crop != crop {
                // Released first: the next picture may be as large.
                last = nil
                let image = timed(.resample, by: timer) {
                    crop.map { prepared.image(for: stencil.grid, crop: $0, within: stencil.image, recent: recent) }
                        ?? prepared.wholeImage(for: stencil.grid)
                }
                last = (stencil.grid, crop, image)
            }
            guard let image = last?.image else { continue }
            let canvas = timed(.compose, by: timer) { Compositor(stencil: stencil).draw(image) }
            try body(canvas, index)
        }
    }
}

extension Style {
    /// The crop of a renderer that finds faces, or of one that does not; nil: the whole photo.
    fileprivate func crop(findsFaces: Bool) -> Crop? {
        shape == .whole ? nil : crop == .face && !findsFaces ? .centre : crop
    }
}
