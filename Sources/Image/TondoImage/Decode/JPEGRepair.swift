/// Files that libjpeg refuses although browsers, cameras' own programs or scanners read them.
enum JPEGRepair {
    /// Where the last SOI marker of those at the start begins. Webcams write two.
    static func start(of bytes: UnsafeRawBufferPointer) -> Int {
        var start = 0
        while bytes.has("\u{FF}\u{D8}\u{FF}\u{D8}", at: start) { start += 2 }
        return start
    }

    /// Decodes the photo from `start` on, with the height in its frame header that it states behind its first scan.
    static func decode(
        _ photo: Photo, from start: Int, header: ImageHeader, plan: DecodePlan, limits: Limits
    ) throws(ImageError) -> Decoded {
        var (photo, header) = (photo, header)
        photo.bytes = UnsafeRawBufferPointer(rebasing: photo.bytes[start...])
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
