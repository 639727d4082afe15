/// The colours of a picture by numbers of ITU-T H.273 (nclx).
struct HEIFColor {
    /// What the values are meant for.
    enum Transfer: Equatable {
        /// A display whose brightness ends at white.
        case display
        /// Brighter lights: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67). Its name.
        case highDynamicRange(String)
    }

    let transfer: Transfer
    /// Of the primaries and the curve; none: those of sRGB, or not stated.
    let profile: EmbeddedProfile

    /// White, red, green and blue as x, y pairs (H.273 table 2).
    private static let chromaticities: [Int: [Double]] = [
        4: [0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08],
        5: [0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06],
        6: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
        7: [0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070],
        9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046],
        11: [0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
        12: [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060],
        22: [0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077],
    ]

    /// Curves that are a plain power (H.273 table 3), as PNG's file gamma.
    private static let gammas = [5: 1 / 2.8, 8: 1.0, 17: 1 / 2.6]

    /// White, red, green and blue of sRGB, where a curve alone differs.
    private static let sRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    /// `reader`: after the type "nclx". The curves of television (1, 6, 14 and 15) are those of cameras; their pictures are meant
    /// for displays like the one of sRGB, and are shown so by browsers, too.
    init?(_ reader: inout ByteReader) {
        guard let primaries = reader.bigEndian16(), let curve = reader.bigEndian16() else { return nil }
        transfer = curve == 16 ? .highDynamicRange("PQ") : curve == 18 ? .highDynamicRange("HLG") : .display
        let (gamma, colours) = (Self.gammas[curve], Self.chromaticities[primaries])
        profile =
            gamma == nil && colours == nil
            ? .none : .calibrated(gamma: gamma ?? 0.45455, chromaticities: colours ?? Self.sRGB)
    }
}
