/// Files that libjpeg refuses although browsers, cameras' own programs or scanners read them, and those of whose damage it says
/// nothing.
enum JPEGRepair {
    /// What belongs to the picture: from the last SOI marker of those at the start, since webcams write two, and without the
    /// zeros that stand for what a transfer did not bring.
    static func range(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, limits: Limits
    ) throws(ImageError) -> Range<Int> {
        var start = 0
        while bytes.has("\u{FF}\u{D8}\u{FF}\u{D8}", at: start) { start += 2 }
        let zeros = bytes.reversed().prefix { $0 == 0 }.count
        // Zeros are valid codes, so that libjpeg draws something of them. Behind an end marker they mean nothing.
        guard zeros >= fewestZeros,
            try JPEGScans(bytes: bytes, header: header, limits: limits).end == bytes.count
        else { return start..<bytes.count }
        // The last blocks may end in some.
        return start..<bytes.count - zeros + 64
    }

    /// A page of memory or a file system. Fewer may be the codes of a plain background.
    private static let fewestZeros = 4096

    /// Decodes a part of the photo, with the height in its frame header that it states behind its first scan.
    static func decode(
        _ photo: Photo, in range: Range<Int>, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        var (photo, header) = (photo, header)
        let start = range.lowerBound
        photo.bytes = UnsafeRawBufferPointer(rebasing: photo.bytes[range])
        guard let late = header.lateHeight else {
            return try Decoded.decodeJPEG(photo, header: header, plan: plan, limits: limits)
        }
        header.lateHeight = nil
        // The photo's bytes are borrowed, so the height is written into a copy.
        var bytes = Array(photo.bytes)
        let place = late - start
        bytes[place] = UInt8(truncatingIfNeeded: header.height >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: header.height)
        return try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
            let repaired = Photo(UnsafeRawBufferPointer(bytes), crop: photo.crop)
            return try Decoded.decodeJPEG(repaired, header: header, plan: plan, limits: limits)
        }
    }
}
