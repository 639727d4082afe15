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
        guard header.isCgBI else { return try decodeStandardPNG(bytes, header, plan, limits) }
        let standard = try CgBI.standardPNG(bytes, header: header)
        let decoded = try standard.withUnsafeBufferPointer { bytes throws(ImageError) in
            try decodeStandardPNG(UnsafeRawBufferPointer(bytes), header, plan, limits)
        }
        decoded.pixels.swapRedAndBlue()
        if decoded.pixels.layout == .straight { decoded.pixels.layout = .premultiplied }
        return decoded
    }

    private static func decodeStandardPNG(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan, _ limits: Limits
    ) throws(ImageError) -> Decoded {
        if let decoded = PNGFastPath.decode(bytes, header: header, plan: plan, limits: limits) { return decoded }
        return try decodeByLibpng(bytes, plan: plan, limits: limits)
    }

    static func decodeByLibpng(
        _ bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        var request = cpng_request(bytes, plan: plan, limits: limits)
        var result = cpng_result()
        let status = cpng_decode(&request, &result)
        guard status == CPNG_OK, let target = result.pixels else { throw error(status, result) }
        defer { free(result.profile) }
        let pixels = Pixels(
            adopting: target, width: plan.region.width, height: plan.region.height,
            layout: result.has_alpha != 0 ? .straight : .opaque)
        return Decoded(pixels, result)
    }

    /// `result`: libpng's report about colours and damage. Its ICC profile is copied.
    init(_ pixels: Pixels, _ result: cpng_result) {
        self.init(pixels: pixels, profile: Self.profile(result), warnings: Self.warnings(result))
    }

    private static func error(_ status: cpng_status, _ result: cpng_result) -> ImageError {
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
        return [text.hasPrefix("iCCP") ? .profileIgnored(text) : .metadataIgnored(text)]
    }

    /// iCCP takes precedence over sRGB, sRGB over cHRM and gAMA (PNG, third edition, section 4.3).
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
    init(_ bytes: UnsafeRawBufferPointer, plan: DecodePlan, limits: Limits) {
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
