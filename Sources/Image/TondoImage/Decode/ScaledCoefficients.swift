internal import CJPEG
internal import CKernels

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The coefficients of a JPEG that a scaled decode at 1/4 or 1/8 needs: read here in a fraction of the time that
/// libjpeg's entropy decoder takes for all of them; libjpeg makes the picture from them. Neither state nor clock;
/// linear time.
///
/// Reads sequential Huffman JPEGs of one scan and 8 bits (ITU-T T.81 SOF0, SOF1), and progressive ones (SOF2) at all scales. Anything
/// unusual gives nil: the decoder of the original bytes handles the damage.
final class ScaledCoefficients {
    /// The coefficients of one component, before dequantisation. Zero if not read.
    struct Plane {
        let shape: CoefficientShape
        /// rows x columns blocks of side x side values, all row by row.
        let values: UnsafeMutablePointer<Int16>
    }

    /// In the frame's order. This object owns their memory.
    let planes: [Plane]
    /// Bytes of the file up to the entropy-coded data.
    let headerCount: Int
    /// MCUs that were read in lanes.
    private(set) var laneUnits = 0

    /// `lanes`: nil for one walk over all data, which gives the same values.
    convenience init?(
        bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan,
        lanes: ScaledCoefficientsLanes.Size? = nil
    ) {
        guard let shapes = header.coefficientShapes(plan),
            let segments = ScaledCoefficientsSegments(bytes: bytes, header: header)
        else { return nil }
        let width = lanes == nil ? Self.indexBits(segments.scan.count) : Int(CKERNELS_AC_BITS)
        guard let codes = ScaledCoefficientsCodes(segments: segments, width: width) else { return nil }
        self.init(shapes: shapes, headerCount: segments.count)
        let scan = ScaledCoefficientsScan(segments: segments, codes: codes, planes: planes, header: header, plan: plan)
        guard let scan, let units = scan.read(lanes: lanes) else { return nil }
        laneUnits = units
    }

    /// Zeros. Nil if there is no memory.
    init?(shapes: [CoefficientShape], headerCount: Int) {
        self.headerCount = headerCount
        planes = shapes.compactMap { shape in
            UnsafeMutablePointer<Int16>.zeros(shape.count).map { Plane(shape: shape, values: $0) }
        }
        if planes.count < shapes.count { return nil }
    }

    /// Index bits of the AC tables: larger tables take longer to fill, and decode more codes at once.
    private static func indexBits(_ count: Int) -> Int { count < 1 << 16 ? 10 : count < 1 << 19 ? 12 : 13 }

    deinit { for plane in planes { free(plane.values) } }

    /// The form that `cjpeg_decode` takes; valid while `self` lives.
    var requested: [cjpeg_coefficients] {
        planes.map {
            let shape = $0.shape
            return cjpeg_coefficients(
                values: $0.values, columns: UInt32(shape.columns), rows: UInt32(shape.rows), side: UInt32(shape.side))
        }
    }
}

/// The number of blocks of a component in the whole picture, and of the values that are kept.
struct CoefficientShape {
    /// Multiples of the sampling factors, like libjpeg's.
    let columns: Int
    let rows: Int
    /// Values per side of a block, from the DC on.
    let side: Int
    /// Blocks of an MCU where components are interleaved.
    let sampling: ImageHeader.Sampling

    /// Values of two bytes.
    var count: Int { columns * rows * side * side }
}

extension ImageHeader {
    /// The shape of each component in `ScaledCoefficients`, or nil if it does not support the file.
    ///
    /// An inverse DCT of one point per side reads the DC only: the pixels stay exactly the same. Those of two and four
    /// points also read frequencies above their own, which only alias: without them the picture is closer to the full
    /// decode (portraits of 1024 at 1/4: 49.9 dB instead of 49.1). At 1/2 too little is left out.
    func coefficientShapes(_ plan: DecodePlan) -> [CoefficientShape]? {
        let sides = scaledTransformSizes(plan.denominator)
        // A component with a transform of eight points needs all of its coefficients: nothing would be saved.
        guard format == .jpeg, !isBuffered, plan.denominator >= 4, !sides.contains(8) else { return nil }
        return coefficientShapes(sides: sides)
    }

    /// The blocks of each component, with `sides` values per side.
    func coefficientShapes(sides: [Int]) -> [CoefficientShape] {
        let across = 8 * (sampling.map(\.horizontal).max() ?? 1)
        let down = 8 * (sampling.map(\.vertical).max() ?? 1)
        return zip(sampling, sides).map { factors, side in
            func padded(_ extent: Int, unit: Int, to factor: Int) -> Int {
                let blocks = (extent * factor + unit - 1) / unit
                return (blocks + factor - 1) / factor * factor
            }
            return CoefficientShape(
                columns: padded(width, unit: across, to: factors.horizontal),
                rows: padded(height, unit: down, to: factors.vertical), side: side,
                sampling: factors)
        }
    }
}

extension UnsafeMutablePointer where Pointee: FixedWidthInteger {
    /// Zeros, to be freed by `free`: of large arrays, the kernel makes those pages alone that are used. Nil if there is no memory.
    static func zeros(_ count: Int) -> Self? {
        calloc(max(count, 1), MemoryLayout<Pointee>.stride)?.bindMemory(to: Pointee.self, capacity: count)
    }
}
