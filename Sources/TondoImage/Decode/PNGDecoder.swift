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

    /// libpng's message.
    private static let wrongChecksum = ImageError.corrupt("IDAT: CRC error")

    func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        var decoded = try decodePixels(bytes, header, plan)
        if let colors = header.png.colors { decoded.profile = colors.profile }
        return decoded
    }

    private func decodePixels(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        if let frame = header.png.frame { return try decodeFrame(frame, bytes, header, plan) }
        guard header.png.end == .whole else { return try decodeRepaired(bytes, header, plan) }
        if header.isCgBI { return try decodeCgBI(bytes, header, plan) }
        do throws(ImageError) { return try decodePlain(bytes, header, plan) } catch {
            // The checksum of a chunk may be wrong while the one of the pixels is right.
            var repaired = header
            repaired.png.end = .damaged
            guard error == Self.wrongChecksum, (try? limits.check(plan, of: repaired)) != nil else { throw error }
            return try decodeRepaired(bytes, repaired, plan)
        }
    }

    private func decodeCgBI(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan
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
    private func decodeRepaired(
        _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        let end = header.png.end
        var whole = header
        whole.png.end = .whole
        do throws(ImageError) {
            let repaired = try PlainPNG.bytes(bytes, header: header)
            var decoded = try repaired.withUnsafeBufferPointer { bytes throws(ImageError) in
                try decodePixels(UnsafeRawBufferPointer(bytes), whole, plan)
            }
            guard !decoded.hasDamagedData else { throw .corrupt("IDAT: damaged data") }
            decoded.warnings.append(.metadataIgnored("a damaged end or checksum of the picture data"))
            return decoded
        } catch {
            guard end == .missing, case .corrupt = error else { throw error }
            throw PNGHeader.endsEarly
        }
    }

    /// The frame on its canvas, which is transparent elsewhere.
    private func decodeFrame(
        _ frame: PNGFrame, _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader, _ plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        let (canvas, place) = (plan.region, frame.rectangle)
        let shown = canvas.intersection(place)
        // Whether a damaged photo is refused must not depend on its crop, so something is always decoded.
        let part = shown ?? PixelRectangle(x: place.x, y: place.y, width: 1, height: 1)
        var (alone, partPlan) = (header, plan)
        (alone.width, alone.height, alone.png.frame) = (place.width, place.height, nil)
        partPlan.region = PixelRectangle(
            x: part.x - place.x, y: part.y - place.y, width: part.width, height: part.height)
        let plain = try PlainPNG.bytes(bytes, header: header)
        // The rewritten file has an end of its own.
        let end = alone.png.end
        alone.png.end = .whole
        var decoded = try plain.withUnsafeBufferPointer { bytes throws(ImageError) in
            try decodePixels(UnsafeRawBufferPointer(bytes), alone, partPlan)
        }
        if end != .whole, decoded.hasDamagedData { throw PNGHeader.endsEarly }
        guard part != canvas else { return decoded }
        let pixels = try Pixels(transparent: canvas.width, canvas.height)
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
