internal import CJPEG

extension Decoded {
    static func decodeJPEG(
        _ photo: Photo, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        let range = try JPEGRepair.range(of: photo.bytes, header: header, limits: limits)
        if header.lateHeight != nil || range.count < photo.bytes.count {
            return try JPEGRepair.decode(photo, in: range, header: header, plan: plan, limits: limits)
        }
        let bytes = photo.bytes
        if bytes.count >= limits.scaledFrom, bytes.count < Limits.scaledBelow,
            let coefficients = ScaledCoefficients(
                bytes: bytes, header: header, plan: plan,
                lanes: ScaledCoefficientsLanes.Size(
                    byteCount: bytes.count, header: header, plan: plan, limits: limits))
        {
            return try decode(bytes, coefficients: coefficients, header: header, plan: plan, limits: limits)
        }
        let selection =
            header.isBuffered
            ? try ScanSelection(bytes: bytes, header: header, denominator: plan.denominator, limits: limits)
            : ScanSelection(wholeFile: bytes)
        // The pixels are the same: large files are read, too.
        if bytes.count >= limits.scaledFrom,
            let coefficients = ScaledCoefficients(
                progressive: bytes, header: header, plan: plan, selection: selection)
        {
            return try decode(bytes, coefficients: coefficients, header: header, plan: plan, limits: limits)
        }
        return try decode(photo, selection: selection, header: header, plan: plan, limits: limits)
    }

    /// Decodes these ranges of the photo's bytes unchanged.
    static func decode(
        _ photo: Photo, selection: ScanSelection, header: ImageHeader, plan: DecodePlan,
        limits: Limits
    ) throws(ImageError) -> Decoded {
        let ranges = selection.ranges.map { cjpeg_range(offset: $0.lowerBound, count: $0.count) }
        return try ranges.withUnsafeBufferPointer { ranges throws(ImageError) in
            var request = cjpeg_request()
            request.ranges = ranges.baseAddress
            request.range_count = ranges.count
            request.release_behind = photo.isMapped ? 1 : 0
            request.dc_only = selection.dcOnly
            return try decode(photo.bytes, request: &request, header: header, plan: plan, limits: limits)
        }
    }

    /// Decodes the picture from these coefficients; only the header of `bytes` is read.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, coefficients: ScaledCoefficients, header: ImageHeader, plan: DecodePlan,
        limits: Limits
    ) throws(ImageError) -> Decoded {
        var range = cjpeg_range(offset: 0, count: coefficients.headerCount)
        let requested = coefficients.requested
        return try withExtendedLifetime(coefficients) { () throws(ImageError) in
            try withUnsafePointer(to: &range) { range throws(ImageError) in
                try requested.withUnsafeBufferPointer { requested throws(ImageError) in
                    var request = cjpeg_request()
                    request.ranges = range
                    request.range_count = 1
                    request.coefficients = requested.baseAddress
                    request.coefficients_count = requested.count
                    request.by_library = bytes.count < limits.samplesFrom ? 1 : 0
                    return try decode(bytes, request: &request, header: header, plan: plan, limits: limits)
                }
            }
        }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, request: inout cjpeg_request, header: ImageHeader, plan: DecodePlan,
        limits: Limits
    ) throws(ImageError) -> Decoded {
        request.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        request.denominator = UInt32(plan.denominator)
        request.x = UInt32(plan.region.x)
        request.y = UInt32(plan.region.y)
        request.width = UInt32(plan.region.width)
        request.height = UInt32(plan.region.height)
        request.max_memory = limits.maxMemory
        request.max_scans = UInt32(limits.maxScans)
        request.max_block_visits = UInt64(limits.maxBlockVisits)
        var result = cjpeg_result()
        let status = cjpeg_decode(&request, &result)
        guard status == CJPEG_OK, let target = result.pixels else { throw error(for: status, result: result) }
        let pixels = Pixels(
            adopting: target, width: plan.region.width, height: plan.region.height,
            layout: result.layout == CJPEG_CMYK ? .cmyk : .opaque)
        // Inks are stored inverted, with Adobe's marker or without: so write Photoshop and all programs after it, and so read
        // browsers, Pillow and ImageMagick. The marker is lost when metadata are removed, and says nothing of the values.
        if pixels.layout == .cmyk { pixels.invert() }
        return Decoded(pixels: pixels, profile: header.profile, warnings: warnings(result))
    }

    private static func error(for status: cjpeg_status, result: cjpeg_result) -> ImageError {
        let message = UnsafePointer<CChar>.text(result.message)
        return switch status {
        case CJPEG_TRUNCATED: .truncated(message)
        case CJPEG_UNSUPPORTED: .unsupported(message)
        case CJPEG_TOO_MANY_SCANS: .tooManyScans
        case CJPEG_OUT_OF_MEMORY: .outOfMemory
        default: .corrupt(message)
        }
    }

    private static func warnings(_ result: cjpeg_result) -> [Warning] {
        if result.cut_short != 0 { return [.cutShort] }
        return result.warnings > 0 ? [.damaged(count: result.warnings)] : []
    }
}
