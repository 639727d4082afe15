@testable import TondoImage

/// What decoding a PNG ends in: everything a decode gives, or its error.
enum PNGOutcome: Equatable {
    case draws(pixels: [UInt8], layout: Pixels.Layout, profile: EmbeddedProfile, warnings: [Warning])
    case fails(ImageError)

    var isTruncated: Bool {
        if case .fails(.truncated) = self { true } else { false }
    }

    /// As the product decodes it.
    static func tondo(_ bytes: [UInt8], limits: Limits = Limits()) -> PNGOutcome {
        run(bytes, limits: limits) { bytes, header, plan throws(ImageError) in
            try Decoded.decodePNG(bytes, header: header, plan: plan, limits: limits)
        }
    }

    /// By libpng alone, of the same file, rewritten where that is needed.
    static func libpng(_ bytes: [UInt8], region: PixelRectangle? = nil) -> PNGOutcome {
        run(bytes, region: region) { bytes, header, plan throws(ImageError) in
            let decoder = PNGDecoder(limits: Limits()) { bytes, _, plan throws(ImageError) in
                try Decoded.decodeByLibpng(bytes, plan: plan, limits: Limits())
            }
            return try decoder.decode(bytes, header: header, plan: plan)
        }
    }

    /// By the fast path alone; nil when it leaves the picture to libpng.
    static func fast(_ bytes: [UInt8], region: PixelRectangle? = nil, limits: Limits = Limits()) -> PNGOutcome? {
        let outcome = run(bytes, region: region, limits: limits) { bytes, header, plan throws(ImageError) in
            guard let decoded = PNGFastPath.decode(bytes, header: header, plan: plan, limits: limits) else {
                throw .empty
            }
            return decoded
        }
        if case .draws = outcome { return outcome }
        return nil
    }

    private static func run(
        _ bytes: [UInt8], region: PixelRectangle? = nil, limits: Limits = Limits(),
        _ decode: (UnsafeRawBufferPointer, ImageHeader, DecodePlan) throws(ImageError) -> Decoded
    ) -> PNGOutcome {
        do throws(ImageError) {
            // A copy of exactly this size, so that AddressSanitizer sees the first byte read behind it.
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            defer { copy.deallocate() }
            copy.copyBytes(from: bytes)
            let photo = UnsafeRawBufferPointer(copy)
            let header = try ImageHeader(probing: photo)
            guard header.format == .png else { return .fails(.unsupported("not a PNG")) }
            try limits.check(header)
            var plan = DecodePlan(header: header, crop: nil, side: 1)
            plan.region = region ?? plan.region
            try limits.check(plan, of: header)
            let decoded = try decode(photo, header, plan)
            return .draws(
                pixels: Array(UnsafeBufferPointer(start: decoded.pixels.bytes, count: decoded.pixels.count)),
                layout: decoded.pixels.layout, profile: decoded.profile, warnings: decoded.warnings)
        } catch {
            return .fails(error)
        }
    }
}
