internal import lcms2

/// Converts a photo's colours to sRGB, by Little CMS. Immutable and usable from any thread.
final class ColorTransform: @unchecked Sendable {
    // Safe because a Little CMS transform created with cmsFLAGS_NOCACHE is never written after its creation.
    private let handle: cmsHTRANSFORM
    /// Channels per pixel of the source: 1, 3 or 4.
    let channels: Int
    /// The transform changes no colour by more than one part in 255: the profile is sRGB under another name.
    private(set) var isIdentity = false

    /// The colour model of a photo's channels.
    enum Space: Hashable { case gray, rgb, cmyk }

    /// Why a profile cannot be used.
    struct Failure: Error { var reason: String }

    deinit { cmsDeleteTransform(handle) }

    /// `space`: of the photo; the profile must have the same one.
    init(profile: EmbeddedProfile, space: Space) throws(Failure) {
        let source = try Self.open(profile)
        defer { cmsCloseProfile(source) }
        guard let target = cmsCreate_sRGBProfile() else { throw Failure(reason: "out of memory") }
        defer { cmsCloseProfile(target) }
        let (channels, format) = try Self.format(of: source, space: space)
        let flags = cmsUInt32Number(cmsFLAGS_NOCACHE)
        guard
            let handle = cmsCreateTransform(
                source, format, target, Format.rgb16, cmsUInt32Number(INTENT_PERCEPTUAL), flags)
        else { throw Failure(reason: "no conversion to sRGB is possible") }
        self.handle = handle
        self.channels = channels
        isIdentity = channels == 3 && changesNothing()
    }

    /// `source`: `count` x `channels` values, 0...65535. `target`: `count` x 3.
    func apply(_ source: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt16>, count: Int) {
        cmsDoTransform(handle, source, target, cmsUInt32Number(count))
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
        let steps = 6
        let lattice = (0..<steps * steps * steps * 3).map { i in
            let point = i / 3
            let coordinate = [point / (steps * steps), point / steps % steps, point % steps][i % 3]
            return UInt16(coordinate * 65535 / (steps - 1))
        }
        var result = [UInt16](repeating: 0, count: lattice.count)
        apply(lattice, to: &result, count: lattice.count / 3)
        // 257 of 65,535 are one of 255.
        return zip(lattice, result).allSatisfy { abs(Int($0) - Int($1)) <= 257 }
    }
}
