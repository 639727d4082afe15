/// The colours that cICP states (PNG, third edition, 11.3.2.6), by the numbers of ITU-T H.273.
package struct PNGColors: Equatable, Sendable {
    /// `none`: sRGB, whatever iCCP, gAMA and cHRM say.
    let profile: EmbeddedProfile

    /// Nil if the chunk says nothing that can be used: then the other colour chunks count. Throws for brighter lights than
    /// those of a display, as HEIC and AVIF with them are refused.
    init?(_ payload: UnsafeRawBufferPointer) throws(ImageError) {
        // Colours are stored as R, G and B (matrix 0). Values that leave out both ends of their range are for video, and
        // browsers do not read them either.
        guard payload.count == 4, payload[2] == 0, payload[3] == 1 else { return nil }
        let (primaries, transfer) = (Int(payload[0]), Int(payload[1]))
        guard let chromaticities = Self.chromaticities(payload[0]), let gamma = Self.gammas[transfer] else {
            return nil
        }
        if let name = Self.highDynamicRange[transfer] {
            throw .unsupported("PNG image with high dynamic range (\(name))")
        }
        let isStandard = primaries == 1 && transfer == 13
        profile = isStandard ? .none : .calibrated(gamma: gamma, chromaticities: chromaticities)
    }

    /// White, red, green and blue as x, y pairs, from the table of HEIC and AVIF. Nil: not stated, or of no known meaning.
    private static func chromaticities(_ primaries: UInt8) -> [Double]? {
        guard [1, 4, 5, 6, 7, 9, 11, 12, 22].contains(primaries) else { return nil }
        // Beside a plain curve (8, linear), the profile always has the primaries, those of sRGB included.
        let numbers: [UInt8] = [0, primaries, 0, 8]
        let color = numbers.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return HEIFColor(&reader)
        }
        guard case .calibrated(_, let chromaticities) = color?.profile else { return nil }
        return chromaticities
    }

    /// How values become light (H.273 table 3), as PNG's file gamma; sRGB's own curve is called 1/2.2. The curves of
    /// television (1, 6, 14 and 15) are those of cameras, whose pictures a display shows with a power of 2.4 (ITU-R BT.1886).
    private static let gammas: [Int: Double] = [
        1: 1 / 2.4, 4: 1 / 2.2, 5: 1 / 2.8, 6: 1 / 2.4, 8: 1, 13: 0.45455, 14: 1 / 2.4, 15: 1 / 2.4, 16: 1, 17: 1 / 2.6,
        18: 1,
    ]

    /// PQ (SMPTE ST 2084) and HLG (ARIB STD-B67).
    private static let highDynamicRange = [16: "PQ", 18: "HLG"]
}
