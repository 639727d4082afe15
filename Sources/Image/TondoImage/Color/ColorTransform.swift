internal import lcms2

/// Converts a photo's colours to sRGB: by the curves and the matrix of its profile, or by Little CMS. Immutable and usable from
/// any thread.
final class ColorTransform: @unchecked Sendable {
    // Safe because a Little CMS transform is never written after its creation: each call has its own copy of the last colour.
    private let way: Way
    /// Channels per pixel of the source: 1, 3 or 4.
    let channels: Int
    /// The transform changes no colour by more than one part in 255: the profile is sRGB under another name.
    private(set) var isIdentity = false

    private enum Way {
        case matrix(MatrixConversion)
        case library(cmsHTRANSFORM)
    }

    /// The colour model of a photo's channels.
    enum Space: Hashable { case gray, rgb, cmyk }

    /// Why a profile cannot be used.
    struct Failure: Error { var reason: String }

    deinit { if case .library(let handle) = way { cmsDeleteTransform(handle) } }

    /// `space`: of the photo; the profile must have the same one.
    init(profile: EmbeddedProfile, space: Space) throws(Failure) {
        let source = try Self.open(profile)
        defer { cmsCloseProfile(source) }
        let (channels, format) = try Self.format(of: source, space: space)
        self.channels = channels
        if let conversion = MatrixConversion(profile: source) {
            way = .matrix(conversion)
        } else {
            way = .library(try Self.transform(source, format))
        }
        isIdentity = channels != 4 && changesNothing()
    }

    /// Without the optimiser: it replaces a profile by a table of 33 x 33 x 33 colours, which takes longer than a small picture, and
    /// is off by up to 25 parts in 255. Processing elements, of which a profile can have any number, run for the table alone.
    private static func transform(_ source: cmsHPROFILE, _ format: cmsUInt32Number) throws(Failure) -> cmsHTRANSFORM {
        guard let target = cmsCreate_sRGBProfile() else { throw Failure(reason: "out of memory") }
        defer { cmsCloseProfile(target) }
        guard
            let handle = cmsCreateTransform(
                source, format, target, Format.rgb16, cmsUInt32Number(INTENT_PERCEPTUAL),
                cmsUInt32Number(cmsIsTag(source, cmsSigDToB0Tag) != 0 ? 0 : cmsFLAGS_NOOPTIMIZE))
        else { throw Failure(reason: "no conversion to sRGB is possible") }
        return handle
    }

    /// `pixels`: four channels in 0...255, colours multiplied by alpha, or inks, of which the result is opaque.
    func convert(_ pixels: inout [SIMD4<Float>]) {
        switch way {
        case .matrix(let conversion): conversion.convert(&pixels)
        case .library(let handle): convert(&pixels, by: handle)
        }
    }

    private func convert(_ pixels: inout [SIMD4<Float>], by handle: cmsHTRANSFORM) {
        let isCMYK = channels == 4
        var source = [UInt16](repeating: 0, count: pixels.count * channels)
        for (i, pixel) in pixels.enumerated() {
            let values = isCMYK ? pixel : pixel.unmultiplied
            for c in 0..<channels {
                // 255 times 257 is the largest value of 16 bits.
                source[i * channels + c] = UInt16(min(max(values[c], 0), 255) * 257 + 0.5)
            }
        }
        var target = [UInt16](repeating: 0, count: pixels.count * 3)
        cmsDoTransform(handle, source, &target, cmsUInt32Number(pixels.count))
        for i in pixels.indices {
            let alpha = isCMYK ? 255 : pixels[i].w
            let factor = alpha / (255 * 257)
            pixels[i] = SIMD4(
                Float(target[i * 3]) * factor, Float(target[i * 3 + 1]) * factor, Float(target[i * 3 + 2]) * factor,
                alpha)
        }
    }

    /// Little CMS pixel formats (its TYPE_ macros do not reach Swift): colour space << 16 | channels << 3 | bytes.
    private enum Format {
        static let gray16 = cmsUInt32Number(PT_GRAY << 16 | 1 << 3 | 2)
        static let rgb16 = cmsUInt32Number(PT_RGB << 16 | 3 << 3 | 2)
        static let cmyk16 = cmsUInt32Number(PT_CMYK << 16 | 4 << 3 | 2)
    }

    private static func format(
        of profile: cmsHPROFILE, space: Space
    ) throws(Failure) -> (channels: Int, format: cmsUInt32Number) {
        switch cmsGetColorSpace(profile) {
        // A gray value is read as R = G = B, too.
        case cmsSigRgbData where space != .cmyk: (3, Format.rgb16)
        case cmsSigGrayData where space == .gray: (1, Format.gray16)
        case cmsSigCmykData where space == .cmyk: (4, Format.cmyk16)
        default: throw Failure(reason: "it is for another colour model")
        }
    }

    private static func open(_ profile: EmbeddedProfile) throws(Failure) -> cmsHPROFILE {
        switch profile {
        case .icc(let bytes):
            if let problem = ICCProfile.problem(bytes) { throw Failure(reason: problem) }
            guard let handle = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
                throw Failure(reason: "it is not a profile")
            }
            return handle
        case .calibrated(let gamma, let chromaticities):
            return try calibrated(gamma: gamma, chromaticities ?? sRGBPrimaries)
        case .broken(let reason): throw Failure(reason: reason)
        case .none: throw Failure(reason: "there is none")
        }
    }

    /// White, red, green and blue of sRGB as x, y pairs (IEC 61966-2-1).
    private static let sRGBPrimaries = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    private static func calibrated(gamma: Double, _ xy: [Double]) throws(Failure) -> cmsHPROFILE {
        guard let curve = calibratedCurve(gamma: gamma) else { throw Failure(reason: "out of memory") }
        defer { cmsFreeToneCurve(curve) }
        var white = cmsCIExyY(x: xy[0], y: xy[1], Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: xy[2], y: xy[3], Y: 1), Green: cmsCIExyY(x: xy[4], y: xy[5], Y: 1),
            Blue: cmsCIExyY(x: xy[6], y: xy[7], Y: 1))
        var curves: [OpaquePointer?] = [curve, curve, curve]
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else {
            throw Failure(reason: "gAMA and cHRM are invalid")
        }
        return profile
    }

    /// A file gamma of 1/2.2 is how PNG writers express sRGB's own curve; others are taken literally.
    private static func calibratedCurve(gamma: Double) -> OpaquePointer? {
        guard abs(gamma - 0.45455) < 0.005 else { return cmsBuildGamma(nil, 1 / gamma) }
        let parameters: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        return cmsBuildParametricToneCurve(nil, 4, parameters)
    }

    /// Checks a 6 x 6 x 6 lattice of colours.
    private func changesNothing() -> Bool {
        let colors = (0..<216).map { index in
            // Gray has its first value in all channels.
            let steps = channels == 1 ? [index, index, index].map { $0 % 6 } : [index / 36, index / 6 % 6, index % 6]
            return SIMD4<Float>(Float(steps[0]), Float(steps[1]), Float(steps[2]), 5) * 51
        }
        var result = colors
        convert(&result)
        return result.indices.allSatisfy { index in
            let difference = result[index] - colors[index]
            return (difference * difference).max() <= 1
        }
    }
}

extension SIMD4<Float> {
    /// R, G, B no longer multiplied by alpha; all four in 0...255.
    fileprivate var unmultiplied: SIMD4<Float> {
        guard w > 0.01, w < 254.998 else { return self }
        var values = self * (255 / w)
        values.w = w
        return values
    }
}
