import Testing

@testable import TondoImage

/// Ways to look at single steps of the pipeline.
enum Rendering {
    /// The oriented centre square in sRGB at full size, colours multiplied by alpha, before any circle.
    static func square(_ bytes: [UInt8], limits: Limits = Limits()) throws -> (
        image: FloatImage, warnings: [Warning]
    ) {
        try bytes.withUnsafeBytes { bytes in
            let header = try ImageHeader(probing: bytes)
            let side = min(header.width, header.height)
            let prepared = try PreparedPhoto(
                photo: Photo(bytes), side: Double(side), limits: limits, transforms: ColorTransforms())
            return (prepared.image(for: Grid(side: side, inset: 0)), prepared.info.warnings)
        }
    }

    /// The finished avatar in one style.
    static func avatar(_ bytes: [UInt8], _ style: Style, limits: Limits = Limits()) throws -> AvatarRenderer.Drawing {
        try bytes.withUnsafeBytes { try AvatarRenderer(styles: [style], limits: limits).draw(Photo($0)) }
    }

    /// "draws" or the code of the error.
    static func outcome(_ bytes: [UInt8]) -> (code: String, message: String, warnings: [Warning]) {
        do {
            let drawing = try avatar(bytes, Style(size: 32))
            return ("draws", "", drawing.warnings)
        } catch {
            let code = (error as? RenderError)?.error.code ?? "not a RenderError"
            return (code, "\(error)", [])
        }
    }
}

/// How far two pictures of equal size are apart; all samples in 0...255.
struct ImageDifference {
    var meanAbsoluteError: Double
    /// dB.
    var psnr: Double

    /// `expected`: R, G, B, A bytes with straight alpha; compared with colours multiplied by alpha.
    init(_ image: FloatImage, expected: [UInt8]) {
        var (absolute, square) = (0.0, 0.0)
        for (i, pixel) in image.pixels.enumerated() {
            let alpha = Double(expected[i * 4 + 3])
            for c in 0..<4 {
                let wanted = c == 3 ? alpha : Double(expected[i * 4 + c]) * alpha / 255
                let difference = Double(min(max(pixel[c], 0), 255)) - wanted
                absolute += Swift.abs(difference)
                square += difference * difference
            }
        }
        let count = Double(image.pixels.count * 4)
        meanAbsoluteError = absolute / count
        psnr = 10 * log10(255 * 255 / max(square / count, 1e-9))
    }
}

#if canImport(Glibc)
    import func Glibc.log10
#elseif canImport(Musl)
    import func Musl.log10
#endif
