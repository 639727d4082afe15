internal import CReference
internal import FuzzSupport

@testable import TondoImage

/// The own readers of JPEG data against libjpeg.
struct JPEGDifference {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func check() {
        checkProgressive()
        let reference = LibjpegCoefficients(bytes)
        for denominator in [4, 8] {
            guard case (let header, var plan)? = try? ScaledOutcome.plan(bytes, denominator: denominator),
                // libjpeg is given files with a height alone.
                header.lateHeight == nil
            else { continue }
            // All of the picture, not only the part that an avatar shows.
            plan.region = PixelRectangle(
                x: 0, y: 0, width: (header.width + denominator - 1) / denominator,
                height: (header.height + denominator - 1) / denominator)
            bytes.withUnsafeBytes { checkWalk($0, header: header, plan: plan, reference: reference) }
        }
    }

    /// Progressive scans: the pixels and warnings.
    private func checkProgressive() {
        for denominator in [1, 2, 4, 8] {
            guard let own = ScaledOutcome(progressive: bytes, denominator: denominator) else { continue }
            let library = ScaledOutcome(selecting: bytes, denominator: denominator)
            Fuzzing.require(
                own == library,
                "libjpeg reads other scans at 1/\(denominator): it \(library.summary), Tondo \(own.summary)")
        }
    }

    /// The walk over a sequential scan: the coefficients.
    private func checkWalk(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, reference: LibjpegCoefficients
    ) {
        let walk = ScaledCoefficients(bytes: bytes, header: header, plan: plan)
        checkLanes(bytes, header: header, plan: plan, walk: walk)
        guard let walk else { return }
        checkPicture(bytes, walk: walk, header: header, plan: plan)
        let (columns, rows, values) = (reference.read.columns, reference.read.rows, reference.read.values)
        compare(walk.planes, at: 0, columns: columns.0, rows: rows.0, with: values.0)
        compare(walk.planes, at: 1, columns: columns.1, rows: rows.1, with: values.1)
        compare(walk.planes, at: 2, columns: columns.2, rows: rows.2, with: values.2)
        compare(walk.planes, at: 3, columns: columns.3, rows: rows.3, with: values.3)
    }

    /// Of a corner of four, the last diagonal is not read.
    private static let places = ScanSelection.naturalOrder[..<15].map { (y: Int($0) / 8, x: Int($0) % 8) }

    private func compare(
        _ planes: [ScaledCoefficients.Plane], at index: Int, columns: CInt, rows: CInt,
        with values: UnsafeMutablePointer<Int16>?
    ) {
        guard planes.indices.contains(index), let values else { return }
        let plane = planes[index]
        let side = plane.shape.side
        let places = Self.places.filter { max($0.y, $0.x) < side }
        for row in 0..<Int(rows) {
            for column in 0..<Int(columns) {
                let own = plane.values + (row * plane.shape.columns + column) * side * side
                let block = values + (row * Int(columns) + column) * 64
                for (y, x) in places {
                    Fuzzing.require(own[y * side + x] == block[8 * y + x], "libjpeg reads another coefficient")
                }
            }
        }
    }

    /// The same data in lanes that begin close to each other.
    private func checkLanes(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, walk: ScaledCoefficients?
    ) {
        let size = ScaledCoefficientsLanes.Size(spacing: 24...96, batch: 4)
        let lanes = ScaledCoefficients(bytes: bytes, header: header, plan: plan, lanes: size)
        Fuzzing.require((lanes == nil) == (walk == nil), "lanes read what the walk does not, or the other way round")
        guard let lanes, let walk else { return }
        for (one, other) in zip(lanes.planes, walk.planes) {
            let (one, other) = (
                UnsafeBufferPointer(start: one.values, count: one.shape.count),
                UnsafeBufferPointer(start: other.values, count: other.shape.count)
            )
            Fuzzing.require(one.elementsEqual(other), "lanes read another coefficient")
        }
    }

    /// The picture of the coefficients, by Tondo and by libjpeg, which judges the whole file alike.
    private func checkPicture(
        _ bytes: UnsafeRawBufferPointer, walk: ScaledCoefficients, header: ImageHeader, plan: DecodePlan
    ) {
        func outcome(from: Int) -> ScaledOutcome {
            var limits = Limits()
            limits.samplesFrom = from
            return ScaledOutcome(of: { () throws(ImageError) in
                try Decoded.decode(bytes, coefficients: walk, header: header, plan: plan, limits: limits)
            })
        }
        let own = outcome(from: 0)
        Fuzzing.require(own == outcome(from: .max), "libjpeg makes other samples")
        let alone = ScaledOutcome(of: { () throws(ImageError) in
            try Decoded.decode(
                Photo(bytes), selection: ScanSelection(wholeFile: bytes), header: header, plan: plan, limits: Limits())
        })
        Fuzzing.require(own.summary == alone.summary, "libjpeg finds \(alone.summary), Tondo \(own.summary)")
    }
}

/// What libjpeg reads of a file, for all scales: read once, and only if Tondo reads the file.
private final class LibjpegCoefficients {
    private let bytes: [UInt8]
    private(set) lazy var read = bytes.withUnsafeBytes { reference_read($0.baseAddress, $0.count) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    deinit { reference_free(&read) }
}
