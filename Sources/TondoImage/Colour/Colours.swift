/// The colour conversion of a photo, which runs on the small picture.
enum Colours {
    /// The values are sRGB already, or are assumed to be.
    case keep
    case convert(ColourTransform, isCMYK: Bool)

    /// An unusable profile is ignored with a warning. Inks without a usable profile are converted at once.
    static func choose(
        _ decoded: Decoded, isGray: Bool, from transforms: ColourTransforms
    ) -> (Colours, Warning?) {
        let isCMYK = decoded.pixels.layout == .cmyk
        let space: ColourTransform.Space = isCMYK ? .cmyk : isGray ? .gray : .rgb
        do throws(ColourTransform.Failure) {
            if decoded.profile != .none {
                let transform = try transforms.transform(for: decoded.profile, space: space)
                return (transform.isIdentity ? .keep : .convert(transform, isCMYK: isCMYK), nil)
            }
            if isCMYK { decoded.pixels.convertInksToRGB() }
            return (.keep, nil)
        } catch {
            if isCMYK { decoded.pixels.convertInksToRGB() }
            return (.keep, .profileIgnored(error.reason))
        }
    }

    func convert(_ picture: FloatPicture) -> FloatPicture {
        switch self {
        case .keep: picture
        case .convert(let transform, let isCMYK): picture.converted(by: transform, isCMYK: isCMYK)
        }
    }
}
