internal import CKernels
internal import lcms2

/// Converts a photo's colours to sRGB by the curves and the matrix of its profile, without a table between them: as exact as Little
/// CMS without its optimiser, and ready at once. `docs/decisions/0018-colour-profiles.md` has the numbers.
struct MatrixConversion {
    /// From colours to light: one table for each channel, one after the other.
    private let curves: [Float]
    /// From the light of the profile to that of sRGB, row by row.
    private let matrix: [Float]

    /// Nil: the profile means something else, or curves that the tables would not follow. `profile` is one of Little CMS, so it is
    /// read as Little CMS would.
    init?(profile: cmsHPROFILE) {
        guard Self.isPlain(profile) else { return nil }
        let isGray = cmsGetColorSpace(profile) == cmsSigGrayData
        let tags = isGray ? [cmsSigGrayTRCTag] : [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag]
        guard let curves = Self.curves(tags, of: profile) else { return nil }
        // Gray of a profile has the white of the connection space, as the gray of sRGB has.
        guard let matrix = isGray ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : Self.matrix(of: profile) else { return nil }
        self.curves = isGray ? curves + curves + curves : curves
        self.matrix = matrix
    }

    /// Pixels of four channels in 0...255, colours multiplied by alpha.
    func convert(_ pixels: inout [SIMD4<Float>]) {
        let count = pixels.count
        pixels.withUnsafeMutableBytes { pixels in
            ckernels_convert_colors(
                pixels.baseAddress?.assumingMemoryBound(to: Float.self), count, curves, curves.count / 3, matrix,
                Self.encoding, Self.encoding.count)
        }
    }

    /// Little CMS would use the curves: its tables for perceptual intent come first (ICC.1:2022 section 8.3.2).
    private static func isPlain(_ profile: cmsHPROFILE) -> Bool {
        let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        return classes.contains(cmsGetDeviceClass(profile)) && cmsGetPCS(profile) == cmsSigXYZData
            && cmsIsMatrixShaper(profile) != 0 && cmsIsTag(profile, cmsSigAToB0Tag) == 0
            && cmsIsTag(profile, cmsSigDToB0Tag) == 0
    }

    // MARK: Matrix

    /// From XYZ, as ICC profiles have it, to the light of sRGB: the inverse of what Little CMS makes of its primaries and D65.
    private static let target: [Double] = [
        3.134186364, -1.617208959, -0.490694064, -0.978748504, 1.916130097, 0.033433399, 0.071963928, -0.228993873,
        1.405753733,
    ]
    /// The sum of a row of the matrix, without signs, at most; ProPhoto has 3.1. It enlarges what the curves are off.
    private static let mostGain = 4.0

    private static func matrix(of profile: cmsHPROFILE) -> [Float]? {
        let tags = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag]
        let columns = tags.compactMap { tag in
            cmsReadTag(profile, tag).map { $0.assumingMemoryBound(to: cmsCIEXYZ.self).pointee }
        }
        guard columns.count == 3 else { return nil }
        var matrix: [Float] = []
        for row in stride(from: 0, to: 9, by: 3) {
            let values = columns.map { $0.X * target[row] + $0.Y * target[row + 1] + $0.Z * target[row + 2] }
            guard values.reduce(0, { $0 + abs($1) }) <= mostGain else { return nil }
            matrix += values.map { Float($0) }
        }
        return matrix
    }

    // MARK: Curves

    /// More entries are left to Little CMS.
    private static let mostEntries = 4096
    /// Light, 0...1, for steps as Rec. 709 has one. Twice as much, enlarged by the matrix and by the steepest part of sRGB, is less
    /// than one part in 255.
    private static let tolerance: Float = 3e-5

    /// Tables of one length for these channels.
    private static func curves(_ tags: [cmsTagSignature], of profile: cmsHPROFILE) -> [Float]? {
        let handles = tags.compactMap { cmsReadTag(profile, $0).map { OpaquePointer($0) } }
        guard handles.count == tags.count else { return nil }
        var tables: [[Float]] = []
        for (index, handle) in handles.enumerated() {
            // Channels mostly share their curve.
            let isLast = index > 0 && handle == handles[index - 1]
            guard let table = isLast ? tables.last : entries(of: handle) else { return nil }
            // Little CMS would make such a black as dark as that of sRGB.
            guard table[0] == 0, table.count == tables.first?.count ?? table.count else { return nil }
            tables.append(table)
        }
        return tables.flatMap { $0 }
    }

    /// A curve as a table that is exact between its entries, too.
    private static func entries(of curve: OpaquePointer) -> [Float]? {
        // Sampled: in proportion between its entries by definition (ICC.1:2022 section 10.6).
        guard cmsGetToneCurveParametricType(curve) != 0 else {
            let count = Int(cmsGetToneCurveEstimatedTableEntries(curve))
            guard (2...mostEntries).contains(count), let values = cmsGetToneCurveEstimatedTable(curve) else {
                return nil
            }
            return (0..<count).map { Float(values[$0]) / 65535 }
        }
        // And what lies between them, to see how well they suit.
        let fine = (0...1020).map { cmsEvalToneCurveFloat(curve, Float($0) / 1020) }
        let suits = stride(from: 1, to: fine.count, by: 2).allSatisfy { middle -> Bool in
            let between = (fine[middle - 1] + fine[middle + 1]) / 2
            // False for what is not a number.
            return abs(fine[middle] - between) <= tolerance
        }
        return suits ? fine : nil
    }

    // MARK: sRGB

    /// Colours of sRGB, 0...1, by the square root of light (IEC 61966-2-1), over which the curve is nearly straight: off by 1.3e-5
    /// at most.
    private static let encoding: [Float] = (0...511).map { index in
        let root = Double(index) / 511
        let light = root * root
        guard light > 0.0031308 else { return Float(12.92 * light) }
        // root to the power of 5/6, as the cube root of a square root: additions and divisions alone give the same bits everywhere.
        let cube = (light * light * root).squareRoot()
        var power = 1.0
        for _ in 0..<12 { power -= (power - cube / (power * power)) / 3 }
        return Float(1.055 * power - 0.055)
    }
}
