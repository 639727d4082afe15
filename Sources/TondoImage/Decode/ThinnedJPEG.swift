/// A JPEG without the coefficients that a scaled decode cannot show: the same picture to libjpeg at 1/4 or 1/8, in
/// a fraction of the bytes, so that its entropy decoder has little left to do. Neither state nor clock; linear time.
///
/// Only sequential Huffman JPEGs of one scan and 8 bits are thinned (ITU-T T.81 SOF0, SOF1). Codes are copied as they
/// are, none is made anew. Anything unusual gives nil: whoever reads the original bytes judges the damage.
struct ThinnedJPEG {
    /// A whole file: SOI, the segments that matter, the scan down to the wanted rows, EOI.
    let bytes: [UInt8]

    init?(_ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan) {
        guard !header.isBuffered, let limits = Self.limits(header, denominator: plan.denominator),
            let segments = ThinnedJPEGSegments(bytes, header: header),
            let codes = ThinnedJPEGCodes(segments, width: segments.scan.count < 1 << 19 ? 12 : 13),
            let scan = ThinnedJPEGScan(segments, codes: codes, header: header, plan: plan, limits: limits)
        else { return nil }
        let room = segments.kept.reduce(4) { $0 + $1.count } + Self.most(segments.scan.count) + 64
        var isWhole = false
        self.bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            count = Self.copy(segments.kept, to: target)
            guard let used = scan.copy(to: UnsafeMutableBufferPointer(rebasing: target[count...])) else { return }
            count += used
            isWhole = true
        }
        guard isWhole, self.bytes.count <= bytes.count else { return nil }
    }

    /// Entropy-coded bytes a thinned scan may have for `count` original ones: beyond that, nothing is won.
    static func most(_ count: Int) -> Int { count / 10 * 7 + 1024 }

    /// How many zigzag positions to keep of each component, or nil when thinning costs more than it saves.
    ///
    /// A transform of one point a side reads the DC only: the pixels stay exactly the same. Those of two and four points
    /// also read frequencies above their own, which only alias: without them the picture is closer to the full decode
    /// (portraits of 1024 at 1/4: 49.9 dB instead of 49.1). At 1/2 too much is left to be read twice.
    private static func limits(_ header: ImageHeader, denominator: Int) -> [UInt64]? {
        let sizes = header.scaledTransformSizes(denominator)
        guard denominator >= 4, !sizes.contains(8) else { return nil }
        return sizes.map { $0 == 1 ? 1 : $0 == 2 ? 5 : 15 }
    }

    /// Writes SOI and the segments; the number of bytes.
    private static func copy(
        _ segments: [UnsafeRawBufferPointer], to target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        (target[0], target[1]) = (0xFF, 0xD8)
        return segments.reduce(2) { offset, segment in
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[offset...])
                .copyMemory(from: segment)
            return offset + segment.count
        }
    }
}
