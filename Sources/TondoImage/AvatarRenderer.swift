/// Draws one photo in several styles from one decode.
///
/// The order of one avatar, all of it:
///
/// 1. probe the header, check the limits, decode (at 1/2, 1/4 or 1/8 where it costs no quality): `PreparedPhoto`
/// 2. contact crop and centre square, as a rectangle of the stored picture: `DecodePlan`
/// 3. resample, orient, profile to sRGB, all on the small picture: `PreparedPhoto.picture(for:)`
/// 4. circle and ring in one compositing pass: `Compositor`
///
/// Orientation comes after resampling because the resampler treats rows and columns alike: turning before it gives the
/// same picture and costs more. Usable from any thread; equal input gives equal bytes.
package struct AvatarRenderer: Sendable {
    package let styles: [Style]
    private let stencils: [Stencil]
    private let limits: Limits
    private let transforms = ColourTransforms()

    /// One photo's avatars, in the order they were asked for.
    package struct Drawing: Sendable {
        package var canvases: [Canvas]
        package var header: ImageHeader
        package var warnings: [Warning]
    }

    package init(styles: [Style], limits: Limits = Limits()) {
        self.styles = styles
        self.limits = limits
        stencils = styles.map { Stencil($0) }
    }

    /// Draws the styles at these indices of `styles`, or all of them.
    package func draw(_ photo: Photo, styles wanted: [Int]? = nil) throws(RenderError) -> Drawing {
        let stencils = wanted.map { $0.map { self.stencils[$0] } } ?? self.stencils
        // The largest of all styles decides the decode's scale, wanted now or not, so that a picture's bytes do not
        // depend on which of its companions are there already.
        let side = self.stencils.map(\.grid.pictureSide).max() ?? 1
        let prepared = try PreparedPhoto(photo, side: side, limits: limits, transforms: transforms)
        var pictures: [Grid: FloatPicture] = [:]
        let canvases = stencils.map { stencil in
            let picture = pictures[stencil.grid] ?? prepared.picture(for: stencil.grid, within: stencil.picture)
            pictures[stencil.grid] = picture
            return Compositor(stencil: stencil).draw(picture)
        }
        return Drawing(canvases: canvases, header: prepared.header, warnings: prepared.warnings)
    }
}
