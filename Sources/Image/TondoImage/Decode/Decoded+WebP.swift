internal import CWebP

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

extension Decoded {
    /// The first frame on its canvas, which is transparent elsewhere. Only an opaque lossy frame is ever scaled, see
    /// `PhotoGeometry.isScalable`: libwebp averages its blocks of pixels.
    static func decodeWebP(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, plan: DecodePlan
    ) throws(ImageError) -> Decoded {
        guard let frame = header.webP, frame.data.upperBound <= bytes.count else { throw .corrupt("no image") }
        let (region, scale) = (plan.region, plan.denominator)
        let pixels = try Pixels(transparent: region.width, height: region.height)
        let columns = Overlap(start: region.x, length: region.width, origin: frame.x, extent: frame.width, scale: scale)
        let rows = Overlap(
            start: region.y, length: region.height, origin: frame.y, extent: frame.height, scale: scale,
            isFromFirst: frame.hasSeparateAlpha)
        let isCovered = columns.covers(region.width) && rows.covers(region.height)
        if !frame.hasAlpha, isCovered { pixels.layout = .opaque }
        if columns.count > 0, rows.count > 0 {
            try decode(
                UnsafeRawBufferPointer(rebasing: bytes[frame.data]), frame: frame, columns: columns, rows: rows,
                into: pixels)
            if scale > 1 { pixels.repeatEdges(columns: columns.count, rows: rows.count) }
        }
        return Decoded(pixels: pixels, profile: header.profile, warnings: [])
    }

    private static func decode(
        _ data: UnsafeRawBufferPointer, frame: WebPFrame, columns: Overlap, rows: Overlap, into pixels: Pixels
    ) throws(ImageError) {
        let (width, height) = (columns.decoded, rows.decoded)
        guard let memory = malloc(width * height * 4) else { throw .outOfMemory }
        defer { free(memory) }
        var request = Self.request(data, frame: frame, columns: columns, rows: rows)
        request.target = memory.assumingMemoryBound(to: UInt8.self)
        switch cwebp_decode(&request) {
        case CWEBP_OK: break
        case CWEBP_TRUNCATED: throw .truncated("the image data end too early")
        case CWEBP_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .corrupt("damaged image data")
        }
        for row in 0..<rows.count {
            memcpy(
                pixels.bytes + ((rows.target + row) * pixels.width + columns.target) * 4,
                memory + ((rows.lead + row) * width + columns.lead) * 4, columns.count * 4)
        }
    }

    /// A request for the region, without the memory for its pixels.
    private static func request(
        _ data: UnsafeRawBufferPointer, frame: WebPFrame, columns: Overlap, rows: Overlap
    ) -> cwebp_request {
        var request = cwebp_request()
        request.bytes = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
        request.count = data.count
        request.frame_width = UInt32(frame.width)
        request.frame_height = UInt32(frame.height)
        request.x = UInt32(columns.first)
        request.width = UInt32(columns.decoded * columns.scale)
        request.y = UInt32(rows.first)
        request.height = UInt32(rows.decoded * rows.scale)
        request.scaled_width = UInt32(columns.decoded)
        request.scaled_height = UInt32(rows.decoded)
        return request
    }
}

/// The pixels along one side that a region of the scaled canvas and a frame share.
private struct Overlap {
    /// The first decoded pixel of the frame; even.
    let first: Int
    /// Decoded pixels before the wanted ones.
    let lead: Int
    /// All decoded pixels, after scaling.
    let decoded: Int
    /// Scaled pixels that are wanted.
    let count: Int
    /// Where they begin in the region.
    let target: Int
    let scale: Int

    /// `start`, `length`: of the region, in scaled pixels. `origin`, `extent`: of the frame on the canvas; the origin is 0
    /// if the frame is scaled. `isFromFirst`: everything before the wanted pixels is decoded, too.
    init(start: Int, length: Int, origin: Int, extent: Int, scale: Int, isFromFirst: Bool = false) {
        self.scale = scale
        let from = max(start * scale, origin)
        let to = min((start + length) * scale, origin + extent)
        // A last pixel that is not whole would be wider than the others: it repeats the one before instead.
        count = max(0, (to - from) / scale)
        // libwebp begins at even places, and interpolates colours from neighbours, which it must decode, too: without
        // them a pixel at the edge of the region would differ from the same pixel of the whole picture.
        let before = scale > 1 ? 0 : from - origin
        lead = isFromFirst ? before : min(before, before & 1 == 1 ? 1 : 2)
        first = from - origin - lead
        let after = scale > 1 ? 0 : min(2, max(0, origin + extent - to))
        decoded = lead + count + after
        target = from / scale - start
    }

    /// A part of a scaled pixel is missing at most.
    func covers(_ length: Int) -> Bool { target == 0 && (scale == 1 ? count == length : count >= length - 1) }
}

extension Pixels {
    /// Fills what lies behind the first columns and rows with the last of them.
    fileprivate func repeatEdges(columns: Int, rows: Int) {
        for y in 0..<rows {
            let row = bytes + y * width * 4
            for x in columns..<max(width, columns) { memcpy(row + x * 4, row + (columns - 1) * 4, 4) }
        }
        for y in rows..<max(height, rows) { memcpy(bytes + y * width * 4, bytes + (rows - 1) * width * 4, width * 4) }
    }
}
