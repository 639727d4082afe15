#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// Decodes PNGs that libpng does not draw, or not as wanted, by rewriting them: Apple's variant, files with a damaged end,
/// and animations whose default image is hidden.
struct PNGDecoder {
    let limits: Limits
    /// Decodes a file that libpng can read as it is.
    let decodePlain:
        (_ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan) throws(ImageError) -> Decoded

    // libpng's messages.
    private static let wrongChecksum = ImageError.corrupt("IDAT: CRC error")
    private static let wrongDataChecksums: [ImageError] = [
        .corrupt("IDAT: incorrect data check"), .corrupt("Not enough image data"),
    ]

    func decode(_ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan) throws(ImageError) -> Decoded {
        var decoded: Decoded
        do throws(ImageError) { decoded = try decodePixels(bytes, header: header, plan: plan) } catch {
            // Some writers get the checksum of the pixels wrong, or leave it out. Those of the chunks show that nothing happened to them
            // since.
            guard Self.wrongDataChecksums.contains(error), header.png.isPlain, !header.isCgBI else { throw error }
            decoded = try Decoded.decodeByLibpng(bytes, plan: plan, limits: limits, ignoresDataChecksum: true)
            decoded.warnings.append(.metadataIgnored("a wrong or missing checksum of the picture data"))
        }
        if let colors = header.png.colors { decoded.profile = colors.profile }
        return decoded
    }

    private func decodePixels(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        guard header.png.isPlain else { return try decodeRewritten(bytes, header: header, plan: plan) }
        if header.isCgBI { return try decodeCgBI(bytes, header: header, plan: plan) }
        do throws(ImageError) { return try decodePlain(bytes, header, plan) } catch {
            // The checksum of a chunk may be wrong while the one of the pixels is right.
            var repaired = header
            repaired.png.end = .damaged
            guard error == Self.wrongChecksum, (try? limits.check(plan, of: repaired)) != nil else { throw error }
            return try decodeRewritten(bytes, header: repaired, plan: plan)
        }
    }

    private func decodeCgBI(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        let standard = try CgBI.standardPNG(bytes, header: header)
        let decoded = try standard.withUnsafeBufferPointer { bytes throws(ImageError) in
            try decodePlain(UnsafeRawBufferPointer(bytes), header, plan)
        }
        decoded.pixels.swapRedAndBlue()
        if decoded.pixels.layout == .straight { decoded.pixels.layout = .premultiplied }
        return decoded
    }

    /// Pixels count as whole if the zlib stream is complete and its own checksum right.
    private func decodeRewritten(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        do throws(ImageError) {
            let rewritten = try PlainPNG.bytes(bytes, header: header)
            var decoded = try rewritten.withUnsafeBufferPointer { bytes throws(ImageError) in
                try place(header, plan: plan) { header, plan throws(ImageError) in
                    try decodePixels(UnsafeRawBufferPointer(bytes), header: header, plan: plan)
                }
            }
            guard header.png.end != .whole else { return decoded }
            guard !decoded.hasDamagedData else { throw .corrupt("IDAT: damaged data") }
            decoded.warnings.append(.metadataIgnored("a damaged end or checksum of the picture data"))
            return decoded
        } catch {
            guard header.png.end == .missing, case .corrupt = error else { throw error }
            throw PNGHeader.endsEarly
        }
    }

    /// What a rewritten file shows: the whole picture, or a frame on its canvas, which is transparent elsewhere. `decode`: of
    /// that file, with its own header and the part that is needed.
    private func place(
        _ header: ImageHeader, plan: DecodePlan,
        decode: (_ header: ImageHeader, _ plan: DecodePlan) throws(ImageError) -> Decoded
    ) throws(ImageError) -> Decoded {
        var (plain, part) = (header, plan)
        plain.png.end = .whole
        plain.png.frame = nil
        plain.png.omitted = []
        guard let frame = header.png.frame?.rectangle else { return try decode(plain, plan) }
        plain.width = frame.width
        plain.height = frame.height
        let (canvas, shown) = (plan.region, plan.region.intersection(frame))
        // Whether a damaged photo is refused must not depend on its crop, so something is always decoded.
        part.region = shown ?? PixelRectangle(x: frame.x, y: frame.y, width: 1, height: 1)
        part.region.x -= frame.x
        part.region.y -= frame.y
        var decoded = try decode(plain, part)
        guard shown != canvas else { return decoded }
        let pixels = try Pixels(transparent: canvas.width, height: canvas.height)
        if let shown { pixels.copy(decoded.pixels, to: (shown.x - canvas.x, shown.y - canvas.y)) }
        decoded.pixels = pixels
        return decoded
    }
}

extension Decoded {
    /// libpng drew all rows although the data or their checksum are damaged.
    fileprivate var hasDamagedData: Bool {
        warnings.contains { if case .metadataIgnored(let text) = $0 { text.hasPrefix("IDAT") } else { false } }
    }
}

extension Pixels {
    /// Copies all pixels of `other`, which lie inside this picture when they begin at `place`.
    fileprivate func copy(_ other: Pixels, to place: (x: Int, y: Int)) {
        for row in 0..<other.height {
            memcpy(
                bytes + ((place.y + row) * width + place.x) * 4, other.bytes + row * other.width * 4, other.width * 4)
        }
    }
}
