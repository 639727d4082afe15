internal import CPNG

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

extension Decoded {
    static func decodePNG(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        let decoder = PNGDecoder(limits: limits) { bytes, header, plan throws(ImageError) in
            if let decoded = PNGFastPath.decode(bytes, header: header, plan: plan, limits: limits) { return decoded }
            return try decodeByLibpng(bytes, plan: plan, limits: limits)
        }
        return try decoder.decode(bytes, header: header, plan: plan)
    }

    static func decodeByLibpng(
        _ bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: Limits, ignoresDataChecksum: Bool = false
    ) throws(ImageError) -> Decoded {
        var request = cpng_request(bytes: bytes, plan: plan, limits: limits)
        request.ignores_data_checksum = ignoresDataChecksum ? 1 : 0
        var result = cpng_result()
        let status = cpng_decode(&request, &result)
        guard status == CPNG_OK, let target = result.pixels else { throw error(for: status, result: result) }
        defer { free(result.profile) }
        let pixels = Pixels(
            adopting: target, width: plan.region.width, height: plan.region.height,
            layout: result.has_alpha != 0 ? .straight : .opaque)
        return Decoded(pixels: pixels, result: result)
    }

    /// `result`: libpng's report about colours and damage. Its ICC profile is copied.
    init(pixels: Pixels, result: cpng_result) {
        self.init(pixels: pixels, profile: Self.profile(result), warnings: Self.warnings(result))
    }

    private static func error(for status: cpng_status, result: cpng_result) -> ImageError {
        let message = UnsafePointer<CChar>.text(result.message)
        return switch status {
        case CPNG_TRUNCATED: .truncated(message)
        case CPNG_OUT_OF_MEMORY: .outOfMemory
        default: .corrupt(message)
        }
    }

    private static func warnings(_ result: cpng_result) -> [Warning] {
        guard result.warnings > 0 else { return [] }
        let text = UnsafePointer<CChar>.text(result.warning)
        // libpng's messages begin with the name of the chunk. A remark about a profile that it keeps changes nothing.
        guard text.hasPrefix("iCCP") else { return [.metadataIgnored(text)] }
        return result.profile == nil ? [.profileIgnored(text)] : []
    }

    /// iCCP takes precedence over sRGB, sRGB over cHRM and gAMA (PNG, third edition, section 4.3). cICP, which comes before
    /// all of them, is unknown to libpng 1.6.39.
    private static func profile(_ result: cpng_result) -> EmbeddedProfile {
        if let bytes = result.profile {
            return .icc(Array(UnsafeBufferPointer(start: bytes, count: result.profile_count)))
        }
        guard result.is_srgb == 0, result.gamma > 0 else { return .none }
        let chromaticities =
            result.has_chromaticities != 0
            ? withUnsafeBytes(of: result.chromaticities) {
                Array($0.bindMemory(to: Double.self))
            } : nil
        return .calibrated(gamma: result.gamma, chromaticities: chromaticities)
    }
}

extension cpng_request {
    /// Borrows `bytes`.
    init(bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: Limits) {
        self.init()
        self.bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
        x = UInt32(plan.region.x)
        y = UInt32(plan.region.y)
        width = UInt32(plan.region.width)
        height = UInt32(plan.region.height)
        max_chunk = limits.maxChunk
    }
}
