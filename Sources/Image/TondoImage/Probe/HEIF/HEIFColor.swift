/// The colours of a picture by numbers of ITU-T H.273, of a property (nclx) or of the coded data.
package struct HEIFColor: Equatable, Sendable {
    /// What the values are meant for.
    enum Transfer: Equatable {
        /// A display whose brightness ends at white.
        case display
        /// Brighter lights: PQ (SMPTE ST 2084) or HLG (ARIB STD-B67). Its name.
        case highDynamicRange(String)
    }

    var primaries: Int
    var curve: Int
    var matrix: Int
    /// Values reach from 0 to the largest number, and not from 16 to 235 of 255.
    package var isFullRange: Bool

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

    init(primaries: Int, curve: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.curve = curve
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// `reader`: after the type "nclx".
    init?(_ reader: inout ByteReader) {
        guard let primaries = reader.bigEndian16(), let curve = reader.bigEndian16() else { return nil }
        // Some boxes end early. Without a statement values have their full range (ISO/IEC 23000-22 section 7.3.6.4).
        let (matrix, range) = (reader.bigEndian16(), reader.byte())
        self.init(primaries: primaries, curve: curve, matrix: matrix ?? 2, isFullRange: (range ?? 0x80) & 0x80 != 0)
    }

    var transfer: Transfer { curve == 16 ? .highDynamicRange("PQ") : curve == 18 ? .highDynamicRange("HLG") : .display }

    /// The primaries and the curve; none: those of sRGB, or not stated. The curves of television (1, 6, 14 and 15) are those of
    /// cameras; their pictures are meant for displays like the one of sRGB, and are shown so by browsers, too.
    var profile: EmbeddedProfile {
        let (gamma, colours) = (Self.gammas[curve], Self.chromaticities[primaries])
        if gamma == nil, colours == nil { return .none }
        return .calibrated(gamma: gamma ?? 0.45455, chromaticities: colours ?? Self.sRGB)
    }
}
