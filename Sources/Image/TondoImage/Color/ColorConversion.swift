/// The colour conversion of a photo, which runs on the small picture.
enum ColorConversion {
    /// The values are sRGB already, or are assumed to be.
    case keep
    case convert(ColorTransform)

    /// An unusable profile is ignored with a warning. Inks without a usable profile are converted at once.
    static func choose(
        _ decoded: Decoded, isGray: Bool, from transforms: ColorTransforms
    ) -> (ColorConversion, Warning?) {
        let isCMYK = decoded.pixels.layout == .cmyk
        let space: ColorTransform.Space = isCMYK ? .cmyk : isGray ? .gray : .rgb
        do throws(ColorTransform.Failure) {
            if decoded.profile != .none {
                let transform = try transforms.transform(for: decoded.profile, space: space)
                return (transform.isIdentity ? .keep : .convert(transform), nil)
            }
            if isCMYK { decoded.pixels.convertCMYKToRGB() }
            return (.keep, nil)
        } catch {
            if isCMYK { decoded.pixels.convertCMYKToRGB() }
            return (.keep, .profileIgnored(error.reason))
        }
    }

    func convert(_ image: FloatImage) -> FloatImage {
        switch self {
        case .keep: return image
        case .convert(let transform):
            var image = image
            transform.convert(&image.pixels)
            return image
        }
    }
}
