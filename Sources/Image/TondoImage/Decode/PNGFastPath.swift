internal import CPNG

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// The fast path for most PNGs: non-interlaced, 8-bit samples. libpng checks every chunk except IDAT; libdeflate
/// unpacks the whole picture at once, three times as fast as zlib row by row.
enum PNGFastPath {
    /// Exactly the result of libpng, or nil: for other pictures, and for anything unusual in the picture data, which
    /// libpng then handles.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) -> Decoded? {
        guard header.unpacksAtOnce(plan, budget: limits.maxMemory),
            let data = PNGImageData(bytes: bytes, limit: PNGImageData.limit(for: header.unpackedBytes))
        else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 * 4) { palette in
            var request = cpng_request(bytes: bytes, plan: plan, limits: limits)
            request.data_start = data.range.lowerBound
            request.data_end = data.range.upperBound
            request.palette = palette.baseAddress
            var result = cpng_result()
            guard let colors = palette.baseAddress, cpng_inspect(&request, &result) == CPNG_OK else { return nil }
            defer { free(result.profile) }
            guard let layout = PNGLayout(result),
                let rows = PNGRows(layout: layout, width: header.width, height: header.height), rows.unpack(data),
                let pixels = rows.draw(plan.region, palette: colors)
            else { return nil }
            pixels.layout = result.has_alpha != 0 ? .straight : .opaque
            return Decoded(pixels: pixels, result: result)
        }
    }
}

extension PNGLayout {
    /// Nil for 16 bits and fewer than 8 bits per sample, and for a single transparent colour.
    fileprivate init?(_ result: cpng_result) {
        self.init(rawValue: result.color_type)
        let hasTransparentColor = result.has_transparency != 0 && self != .palette
        guard result.bit_depth == 8, result.is_interlaced == 0, !hasTransparentColor else { return nil }
    }
}
